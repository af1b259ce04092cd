// SPDX-License-Identifier: Apache-2.0
// Binary OFF. Geomview defines big-endian numbers and a number of colour components after each
// face; the pmp library, whose files are common, writes little-endian numbers and no colours.
// Nothing in the file says which, so the layout is taken under which the file ends exactly at the
// last face.
#include <fmt/format.h>

#include <cmath>

#include "io/byte_reader.h"
#include "io/readers.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

struct Layout {
  std::endian order;
  bool colours;
};

class BinaryOff {
 public:
  BinaryOff(std::string_view bytes, std::size_t header, Layout layout, const std::string& file)
      : in_(bytes, header, layout.order, file), colours_(layout.colours), file_(file) {}

  MeshData read() {
    const std::size_t vertices = count();
    const std::size_t faces = count();
    in_.skip(sizeof(std::int32_t));  // edges
    if (vertices > in_.bytes_left() / 12 || faces > in_.bytes_left() / 8) {
      in_.fail("more vertices or faces announced than bytes follow");
    }
    mesh_.reserve(vertices, faces);
    for (std::size_t i = 0; i < vertices; ++i) {
      const double x = coordinate(), y = coordinate(), z = coordinate();
      mesh_.add_vertex(x, y, z);
    }
    for (std::size_t i = 0; i < faces; ++i) face(vertices);
    if (in_.bytes_left() > 0) in_.fail("more data than the header announces");
    if (no_surface_ > 0) mesh_.add_remark(off_remark(no_surface_));
    return mesh_.finish(file_);
  }

 private:
  std::size_t count() {
    const auto number = in_.read<std::int32_t>();
    if (number < 0) in_.fail("a negative number of vertices or faces");
    return static_cast<std::size_t>(number);
  }

  double coordinate() {
    const std::size_t at = in_.offset();
    const double value = in_.read<float>();
    if (!std::isfinite(value)) in_.fail_at(at, bad_coordinate(value));
    return value;
  }

  void face(std::size_t vertices) {
    const std::size_t at = in_.offset();
    const std::size_t size = count();
    if (size < 1) in_.fail_at(at, "a face needs 3 corners, this one has " + std::to_string(size));
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t place = in_.offset();
      const auto vertex = in_.read<std::int32_t>();
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= vertices) {
        in_.fail_at(place, "vertex number " + std::to_string(vertex) + " is out of range");
      }
      if (size >= 3) mesh_.add_corner(static_cast<Index>(vertex));
    }
    if (size >= 3) {
      mesh_.end_face();
    } else {
      ++no_surface_;
    }
    if (colours_) in_.skip(count() * sizeof(float));
  }

  ByteReader in_;
  bool colours_;
  const std::string& file_;
  MeshBuilder mesh_;
  std::size_t no_surface_ = 0;  // faces of fewer than three corners
};

}  // namespace

std::string off_remark(std::size_t faces) {
  return fmt::format(
      "{} face{} of fewer than 3 corners: not read, as points and segments are no surface", faces,
      faces == 1 ? "" : "s");
}

MeshData read_off_binary(std::string_view bytes, std::size_t header, const std::string& file) {
  constexpr Layout kLayouts[] = {{std::endian::little, false},
                                 {std::endian::big, true},
                                 {std::endian::big, false},
                                 {std::endian::little, true}};
  for (const Layout layout : kLayouts) {
    try {
      return BinaryOff(bytes, header, layout, file).read();
    } catch (const LoadError&) {
    }
  }
  throw LoadError(file, "byte " + std::to_string(header),
                  "truncated or damaged: no layout of binary OFF fits the file");
}

}  // namespace touche::io
