// SPDX-License-Identifier: Apache-2.0
// glTF files with compressed meshes, encoded by the libraries that define the formats.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "gltf_files.h"

#ifdef TOUCHE_MESHOPT
#include <meshoptimizer.h>
#endif
#ifdef TOUCHE_DRACO
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#endif

namespace touche::test {

/// Triangles in single precision.
struct PlainMesh {
  std::vector<float> positions;
  std::vector<std::uint32_t> corners;
  std::size_t vertex_count() const { return positions.size() / 3; }

  /// Its file, not compressed.
  std::string gltf() const {
    GltfFile file;
    const std::string position = file.positions(positions),
                      list = file.array(raws(corners), 5125, "SCALAR", corners.size());
    return file.text("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" + position +
                     "},\"indices\":" + list + "}]}]," + nodes({"\"mesh\":0,\"name\":\"ring\""}));
  }
};

/// A torus with integers for coordinates, around the origin.
inline PlainMesh ring(std::uint32_t sides, std::uint32_t sections) {
  PlainMesh mesh;
  const auto number = [&](std::uint32_t i, std::uint32_t k) {
    return i % sections * sides + k % sides;
  };
  for (std::uint32_t i = 0; i < sections; ++i) {
    for (std::uint32_t k = 0; k < sides; ++k) {
      const double a = 2 * std::numbers::pi * i / sections, b = 2 * std::numbers::pi * k / sides;
      const double r = 3000 + 1000 * std::cos(b);
      for (const double x : {r * std::cos(a), r * std::sin(a), 1000 * std::sin(b)})
        mesh.positions.push_back(static_cast<float>(std::round(x)));
      for (const std::uint32_t v : {number(i, k), number(i + 1, k), number(i + 1, k + 1),
                                    number(i, k), number(i + 1, k + 1), number(i, k + 1)})
        mesh.corners.push_back(v);
    }
  }
  return mesh;
}

#ifdef TOUCHE_MESHOPT

inline std::string meshopt_vertices(const std::string& bytes, std::size_t count,
                                    std::size_t stride) {
  std::string out(meshopt_encodeVertexBufferBound(count, stride), '\0');
  out.resize(meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(out.data()), out.size(),
                                        bytes.data(), count, stride));
  return out;
}

inline std::string meshopt_indices(const std::vector<std::uint32_t>& corners, bool triangles) {
  std::string out(2 * meshopt_encodeIndexBufferBound(corners.size(), 100000), '\0');
  auto* begin = reinterpret_cast<unsigned char*>(out.data());
  out.resize(triangles
                 ? meshopt_encodeIndexBuffer(begin, out.size(), corners.data(), corners.size())
                 : meshopt_encodeIndexSequence(begin, out.size(), corners.data(), corners.size()));
  return out;
}

/// Members of a view that is compressed.
inline std::string meshopt_view(std::size_t offset, std::size_t bytes, std::size_t count,
                                std::size_t stride, const std::string& mode,
                                const std::string& more = "") {
  return ",\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteOffset\":" +
         std::to_string(offset) + ",\"byteLength\":" + std::to_string(bytes) +
         ",\"count\":" + std::to_string(count) + ",\"byteStride\":" + std::to_string(stride) +
         ",\"mode\":\"" + mode + "\"" + more + "}}";
}

/// Adds bytes and the view that decodes to `count` elements; returns the view's number as text.
inline std::string add_meshopt(GltfFile& file, const std::string& bytes, std::size_t count,
                               std::size_t stride, const std::string& mode,
                               const std::string& more = "") {
  const std::size_t offset = (file.buffer().size() + 3) / 4 * 4;
  return file.view(bytes, meshopt_view(offset, bytes.size(), count, stride, mode, more),
                   count * stride);
}

inline std::string meshopt_gltf(const PlainMesh& mesh, bool triangles = true, bool glb = false) {
  GltfFile file;
  const std::size_t count = mesh.vertex_count(), corners = mesh.corners.size();
  const std::string vertices =
      add_meshopt(file, meshopt_vertices(raws(mesh.positions), count, 12), count, 12, "ATTRIBUTES");
  const std::string list = add_meshopt(file, meshopt_indices(mesh.corners, triangles), corners, 4,
                                       triangles ? "TRIANGLES" : "INDICES");
  const std::string position =
      file.accessor("\"bufferView\":" + vertices +
                    ",\"componentType\":5126,\"type\":\"VEC3\",\"count\":" + std::to_string(count));
  const std::string indices = file.accessor(
      "\"bufferView\":" + list +
      ",\"componentType\":5125,\"type\":\"SCALAR\",\"count\":" + std::to_string(corners));
  const std::string rest =
      "\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"meshes\":[{\"primitives"
      "\":[{\"attributes\":{\"POSITION\":" +
      position + "},\"indices\":" + indices + "}]}]," + nodes({"\"mesh\":0,\"name\":\"ring\""});
  return glb ? file.binary(rest) : file.text(rest);
}

#endif

#ifdef TOUCHE_DRACO

struct DracoWriting {
  int method = draco::MESH_EDGEBREAKER_ENCODING;
  int bits = 0;  ///< of positions; 0: as they are
  int speed = 0;
  bool normals = false;  ///< of faces, so that all their edges are seams
};

struct DracoBytes {
  std::string bytes;
  std::size_t points = 0, corners = 0;
  std::uint32_t position = 0;
};

inline DracoBytes draco_bytes(const PlainMesh& mesh, const DracoWriting& how = {}) {
  const int faces = static_cast<int>(mesh.corners.size() / 3);
  draco::TriangleSoupMeshBuilder builder;
  builder.Start(faces);
  int normal = -1;
  if (how.normals)
    normal = builder.AddAttribute(draco::GeometryAttribute::NORMAL, 3, draco::DT_FLOAT32);
  const int position =
      builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
  for (int f = 0; f < faces; ++f) {
    const auto at = [&](int k) {
      return &mesh.positions[3 * mesh.corners[static_cast<std::size_t>(3 * f + k)]];
    };
    builder.SetAttributeValuesForFace(position, draco::FaceIndex(static_cast<std::uint32_t>(f)),
                                      at(0), at(1), at(2));
    const float angle = static_cast<float>(f);
    const std::array<float, 3> n = {std::cos(angle), std::sin(angle), 0};
    if (how.normals)
      builder.SetAttributeValuesForFace(normal, draco::FaceIndex(static_cast<std::uint32_t>(f)),
                                        n.data(), n.data(), n.data());
  }
  const std::unique_ptr<draco::Mesh> made = builder.Finalize();
  draco::Encoder encoder;
  encoder.SetEncodingMethod(how.method);
  encoder.SetSpeedOptions(how.speed, how.speed);
  encoder.SetTrackEncodedProperties(true);
  if (how.bits > 0) encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, how.bits);
  if (how.normals) encoder.SetAttributeQuantization(draco::GeometryAttribute::NORMAL, 10);
  draco::EncoderBuffer out;
  DracoBytes result;
  if (encoder.EncodeMeshToBuffer(*made, &out).ok()) result.bytes.assign(out.data(), out.size());
  result.points = encoder.num_encoded_points();
  result.corners = 3 * encoder.num_encoded_faces();
  result.position = made->attribute(position)->unique_id();
  return result;
}

inline std::string draco_gltf(const DracoBytes& mesh, const std::string& more = "",
                              bool glb = false) {
  GltfFile file;
  const std::string view = file.view(mesh.bytes);
  const std::string position = file.accessor("\"componentType\":5126,\"type\":\"VEC3\",\"count\":" +
                                             std::to_string(mesh.points));
  const std::string list = file.accessor("\"componentType\":5125,\"type\":\"SCALAR\",\"count\":" +
                                         std::to_string(mesh.corners));
  const std::string rest =
      "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"meshes\":[{\"primitives\":[{"
      "\"attributes\":{\"POSITION\":" +
      position + "},\"indices\":" + list + more +
      ",\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":" + view +
      ",\"attributes\":{\"POSITION\":" + std::to_string(mesh.position) + "}}}}]}]," +
      nodes({"\"mesh\":0,\"name\":\"ring\""});
  return glb ? file.binary(rest) : file.text(rest);
}

#endif

}  // namespace touche::test
