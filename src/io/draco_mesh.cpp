// SPDX-License-Identifier: Apache-2.0
// The decoder trusts the counts that a stream announces, up to what an index can number. So they
// are read here first, and attributes that positions do not need are not decoded.
#include "io/draco_mesh.h"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <stdexcept>

#ifdef TOUCHE_DRACO
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#endif

namespace touche::io {

#ifdef TOUCHE_DRACO

namespace {

// What a stream announces.
struct DracoCounts {
  bool edgebreaker = false;
  std::uint32_t faces = 0;
  std::uint32_t vertices = 0;       // edgebreaker: also of splits
  std::uint8_t connectivities = 0;  // edgebreaker: of attributes with seams of their own
};

// Reads numbers from the start of a stream.
class DracoStart {
 public:
  DracoStart(std::string_view bytes, const JsonCursor& extension) : extension_(extension) {
    in_.Init(bytes.data(), bytes.size());
  }

  DracoCounts read() {
    draco::DracoHeader header;
    if (!draco::PointCloudDecoder::DecodeHeader(&in_, &header).ok())
      extension_.fail("the compressed bytes are not Draco's");
    // Older streams are decoded by code that checks less, and glTF does not allow them.
    if (header.version_major != 2 || header.version_minor != 2)
      extension_.fail(fmt::format("Draco's format {}.{}, expected 2.2", header.version_major,
                                  header.version_minor));
    if (header.encoder_type != draco::TRIANGULAR_MESH)
      extension_.fail("the compressed bytes are no mesh of triangles");
    if ((header.flags & METADATA_FLAG_MASK) != 0)
      extension_.fail("meshes with metadata in the compressed bytes are not read");
    return header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING ? edgebreaker() : sequential();
  }

 private:
  DracoCounts sequential() {
    DracoCounts counts;
    counts.faces = number();
    counts.vertices = number();
    return counts;
  }

  DracoCounts edgebreaker() {
    DracoCounts counts;
    counts.edgebreaker = true;
    byte();  // the order of faces
    const std::uint64_t vertices = number();
    counts.faces = number();
    counts.connectivities = byte();
    const std::uint32_t symbols = number(), splits = number();
    if (counts.faces < symbols || splits > symbols || vertices > 3ull * counts.faces) damaged();
    // Edges that two faces share are among the pairs of vertices.
    if (vertices * (vertices - 1) / 2 < 3ull * counts.faces / 2) damaged();
    const std::uint64_t all = vertices + splits;
    if (all >= kNone) damaged();
    counts.vertices = static_cast<std::uint32_t>(all);
    return counts;
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    if (!draco::DecodeVarint(&value, &in_)) damaged();
    return value;
  }
  std::uint8_t byte() {
    std::uint8_t value = 0;
    if (!in_.Decode(&value)) damaged();
    return value;
  }
  [[noreturn]] void damaged() const { extension_.fail("the compressed bytes are damaged"); }

  draco::DecoderBuffer in_;
  const JsonCursor& extension_;
};

// Bytes that the decoder holds while it works, apart from attributes.
std::size_t decoder_bytes(const DracoCounts& counts) {
  return counts.edgebreaker ? std::size_t{counts.faces} * (100 + 48u * counts.connectivities) +
                                  std::size_t{counts.vertices} * 16
                            : std::size_t{counts.faces} * 36;
}

// A decoder of the library that stops after the positions, and takes memory of attributes from the
// allowance.
template <class Decoder>
class DracoPositions : public Decoder {
 public:
  DracoPositions(std::uint32_t position, const std::string& place, Allowance& allowance)
      : position_(position), place_(place), allowance_(allowance) {}

  void rethrow() const {
    if (refused_) std::rethrow_exception(refused_);
  }

 protected:
  bool DecodeAllAttributes() override {
    for (int d = 0; d < this->num_attributes_decoders(); ++d) {
      // The library gives access to its decoders for reading only.
      auto* part = const_cast<draco::AttributesDecoderInterface*>(this->attributes_decoder(d));
      if (!may_decode(*part) || !part->DecodeAttributes(this->buffer())) return false;
      for (int i = 0; i < part->GetNumAttributes(); ++i)
        if (attribute(*part, i).unique_id() == position_) return true;
    }
    return true;
  }

 private:
  const draco::PointAttribute& attribute(const draco::AttributesDecoderInterface& part, int i) {
    return *this->point_cloud()->attribute(part.GetAttributeId(i));
  }

  // Exceptions do not pass through the library.
  bool may_decode(const draco::AttributesDecoderInterface& part) {
    const std::size_t points = this->point_cloud()->num_points();
    try {
      for (int i = 0; i < part.GetNumAttributes(); ++i) {
        const draco::PointAttribute& a = attribute(part, i);
        // The values, the integers that they are made of, and which value each point has.
        const std::size_t components = static_cast<std::uint8_t>(a.num_components());
        const std::size_t bytes = static_cast<std::size_t>(a.byte_stride()) + 4 * components + 8;
        allowance_.take(points * bytes, place_);
      }
    } catch (...) {
      refused_ = std::current_exception();
      return false;
    }
    return true;
  }

  std::uint32_t position_;
  const std::string& place_;
  Allowance& allowance_;
  std::exception_ptr refused_;
};

template <class Decoder>
void decode_draco(std::string_view bytes, std::uint32_t position, const JsonCursor& extension,
                  Allowance& allowance, draco::Mesh& mesh) {
  DracoPositions<Decoder> decoder(position, extension.path(), allowance);
  draco::DecoderBuffer in;
  in.Init(bytes.data(), bytes.size());
  const draco::DecoderOptions options;
  const draco::Status status = decoder.Decode(options, &in, &mesh);
  decoder.rethrow();
  if (!status.ok())
    extension.fail(fmt::format("the compressed bytes are damaged: {}", status.error_msg_string()));
}

int component_of(draco::DataType type) {
  switch (type) {
    case draco::DT_INT8:
      return 5120;
    case draco::DT_UINT8:
      return 5121;
    case draco::DT_INT16:
      return 5122;
    case draco::DT_UINT16:
      return 5123;
    case draco::DT_FLOAT32:
      return 5126;
    default:
      return 0;
  }
}

// Copies what is in range of the positions.
DracoMesh copied(const draco::Mesh& mesh, std::uint32_t position, const JsonCursor& extension,
                 Allowance& allowance) {
  const draco::PointAttribute* values = mesh.GetAttributeByUniqueId(position);
  if (values == nullptr)
    extension.fail(fmt::format("the compressed bytes have no attribute {}", position));
  DracoMesh result;
  result.component = component_of(values->data_type());
  if (result.component == 0 || values->num_components() != 3)
    extension.fail(fmt::format("attribute {} has {} components of Draco's type {}", position,
                               values->num_components(), static_cast<int>(values->data_type())));
  result.point_count = mesh.num_points();
  result.vertex_count = values->size();
  result.width = static_cast<std::size_t>(draco::DataTypeLength(values->data_type())) * 3;
  const std::size_t bytes = result.vertex_count * result.width;
  const draco::DataBuffer* buffer = values->buffer();
  if (buffer == nullptr || static_cast<std::size_t>(values->byte_stride()) != result.width ||
      values->byte_offset() != 0 || buffer->data_size() < bytes)
    extension.fail("the compressed bytes are damaged: positions are missing");
  allowance.take(bytes + std::size_t{mesh.num_faces()} * 12, extension.path());
  result.positions.assign(reinterpret_cast<const char*>(buffer->data()), bytes);
  result.corners.reserve(std::size_t{mesh.num_faces()} * 3);
  for (draco::FaceIndex f(0); f < mesh.num_faces(); ++f) {
    for (const draco::PointIndex& point : mesh.face(f)) {
      const bool known =
          point.value() < mesh.num_points() &&
          (values->is_mapping_identity() || point.value() < values->indices_map_size());
      const std::size_t value = known ? values->mapped_index(point).value() : result.vertex_count;
      if (value >= result.vertex_count)
        extension.fail(
            fmt::format("face {} of the compressed mesh has a vertex out of range", f.value()));
      result.corners.push_back(static_cast<std::uint32_t>(value));
    }
  }
  return result;
}

}  // namespace

bool reads_draco() { return true; }

DracoMesh draco_decoded(std::string_view bytes, std::uint32_t position, const JsonCursor& extension,
                        Allowance& allowance) {
  const DracoCounts counts = DracoStart(bytes, extension).read();
  allowance.take(decoder_bytes(counts), extension.path());
  try {
    draco::Mesh mesh;
    if (counts.edgebreaker)
      decode_draco<draco::MeshEdgebreakerDecoder>(bytes, position, extension, allowance, mesh);
    else
      decode_draco<draco::MeshSequentialDecoder>(bytes, position, extension, allowance, mesh);
    return copied(mesh, position, extension, allowance);
  } catch (const std::bad_alloc&) {
    extension.fail("there is not enough memory for what the compressed bytes announce");
  } catch (const std::length_error&) {
    extension.fail("the compressed bytes are damaged: a length is out of range");
  }
}

#else

bool reads_draco() { return false; }

DracoMesh draco_decoded(std::string_view, std::uint32_t, const JsonCursor& extension, Allowance&) {
  extension.fail(
      "KHR_draco_mesh_compression is not read, as the program was built without Draco; save the "
      "file without compression");
}

#endif

}  // namespace touche::io
