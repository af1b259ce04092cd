// SPDX-License-Identifier: Apache-2.0
// STL, text and binary.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/byte_reader.h"
#include "io/readers.h"
#include "io/text_scanner.h"
#include "io/vertex_merger.h"

namespace touche::io {
namespace {

constexpr std::size_t kHeaderBytes = 84;  // 80 of any content, then the number of facets
constexpr std::size_t kFacetBytes = 50;   // normal and three vertices as floats, two bytes more

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

class TextStl {
 public:
  TextStl(std::string_view bytes, const std::string& file)
      : bytes_(bytes), text_(bytes, file), file_(file), merger_(mesh_) {}

  MeshData read() {
    std::string_view w = text_.next_word();
    while (!w.empty()) {
      if (!same_word(w, "solid")) {
        if (!is_leftover(w)) text_.fail("expected 'solid', found " + in_quotes(w));
        mesh_.add_remark(
            fmt::format("line {}: {} and what follows are not read; the last solid ends before",
                        text_.line(), in_quotes(w)));
        break;
      }
      w = solid();
    }
    remark_on(unended_, "end without 'endsolid'", "ends without 'endsolid'");
    remark_on(split_ends_, "end with 'end solid' in place of 'endsolid'",
              "ends with 'end solid' in place of 'endsolid'");
    mesh_.set_digits(text_.digits());
    mesh_.set_numbers_vertices();
    return mesh_.finish(file_);
  }

 private:
  // Solids with the same fault, and the line of the first of them.
  struct Odd {
    std::size_t count = 0, first_line = 0;
    void add(std::size_t line) {
      if (count++ == 0) first_line = line;
    }
  };

  void remark_on(const Odd& odd, const char* many, const char* one) {
    if (odd.count == 1)
      mesh_.add_remark(fmt::format("the solid of line {} {}", odd.first_line, one));
    if (odd.count > 1)
      mesh_.add_remark(
          fmt::format("{} solids {}, the first in line {}", odd.count, many, odd.first_line));
  }

  // Returns the word behind the solid, empty at the end of the file.
  std::string_view solid() {
    const std::size_t line = text_.line();
    mesh_.begin_object(text_.rest_of_line());
    merger_.restart();
    for (;;) {
      const std::string_view w = text_.next_word();
      if (w.empty() || same_word(w, "solid")) {
        unended_.add(line);
        return w;
      }
      if (same_word(w, "endsolid")) break;
      if (same_word(w, "end")) {
        expect("solid");
        split_ends_.add(line);
        break;
      }
      if (!same_word(w, "facet"))
        text_.fail("expected 'facet' or 'endsolid', found " + in_quotes(w));
      facet();
    }
    text_.rest_of_line();  // the name once more
    return text_.next_word();
  }

  // Whether text behind a solid holds no facets: a note, or a byte that ends files of DOS.
  bool is_leftover(std::string_view word) const {
    if (mesh_.data().face_count == 0) return false;
    std::string_view rest = bytes_.substr(static_cast<std::size_t>(word.data() - bytes_.data()));
    constexpr std::string_view kWord = "vertex";
    for (; rest.size() >= kWord.size(); rest.remove_prefix(1))
      if (same_word(rest.substr(0, kWord.size()), kWord)) return false;
    return true;
  }

  // The normal is not used, so it may be anything, NaN included.
  void facet() {
    expect("normal");
    for (int i = 0; i < 3; ++i) text_.next_word();
    expect("outer");
    expect("loop");
    for (int i = 0; i < 3; ++i) {
      expect("vertex");
      const double x = text_.coordinate(text_.next_word());
      const double y = text_.coordinate(text_.next_word());
      const double z = text_.coordinate(text_.next_word());
      mesh_.add_corner(merger_.vertex(x, y, z));
    }
    expect("endloop");
    expect("endfacet");
    mesh_.end_face();
  }

  void expect(std::string_view keyword) {
    const std::string_view w = text_.next_word();
    if (same_word(w, keyword)) return;
    text_.fail("expected '" + std::string(keyword) + "', found " +
               (w.empty() ? "the end of the file" : in_quotes(w)));
  }

  std::string_view bytes_;
  TextScanner text_;
  const std::string& file_;
  MeshBuilder mesh_;
  VertexMerger merger_;
  Odd unended_, split_ends_;
};

std::size_t announced_facets(std::string_view bytes, const std::string& file) {
  return ByteReader(bytes, kHeaderBytes - 4, std::endian::little, file).read<std::uint32_t>();
}

// Other readers take a count of 0 for one that was never written, and leave out what follows the
// last facet.
void remark_on_size(std::string_view bytes, std::size_t facets, const std::string& file,
                    MeshBuilder& mesh) {
  if (facets > announced_facets(bytes, file))
    mesh.add_remark(
        fmt::format("byte 80: it announces 0 facets; {} are there by the file's size", facets));
  const std::size_t end = kHeaderBytes + kFacetBytes * facets, more = bytes.size() - end;
  if (more == 0 || facets == 0) return;
  mesh.add_remark(fmt::format(
      "byte {}: {} bytes after the last of {} facets are not read{}", end, more, facets,
      more % kFacetBytes == 0 ? fmt::format("; they could be {} more", more / kFacetBytes) : ""));
}

MeshData read_binary(std::string_view bytes, std::size_t facets, const std::string& file) {
  MeshBuilder mesh;
  mesh.set_numbers_vertices();
  remark_on_size(bytes, facets, file, mesh);
  mesh.reserve(facets / 2 + 3, facets);  // a closed surface has half as many vertices
  VertexMerger merger(mesh);
  ByteReader in(bytes, kHeaderBytes, std::endian::little, file);
  for (std::size_t i = 0; i < facets; ++i) {
    in.skip(3 * sizeof(float));
    for (int k = 0; k < 3; ++k) {
      const std::size_t offset = in.offset();
      const double x = in.read<float>(), y = in.read<float>(), z = in.read<float>();
      for (const double value : {x, y, z}) {
        if (!std::isfinite(value)) {
          in.fail_at(offset, "facet " + std::to_string(i) + ": " + bad_coordinate(value));
        }
      }
      mesh.add_corner(merger.vertex(x, y, z));
    }
    in.skip(2);
    mesh.end_face();
  }
  return mesh.finish(file);
}

// A file whose count was never written. Zeros alone are a file of which only the size was written,
// not facets at the origin.
MeshData read_uncounted(std::string_view bytes, const std::string& file) {
  if (bytes.find_first_not_of('\0', kHeaderBytes) == std::string_view::npos)
    throw LoadError(file, "byte 80", "0 facets announced, and only zeros follow");
  return read_binary(bytes, (bytes.size() - kHeaderBytes) / kFacetBytes, file);
}

// Many binary files start with "solid" too, so the size decides first. A file of neither right
// size nor "solid", or with a zero byte where text would be, is a damaged binary one.
bool looks_like_text(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 512);
  const std::size_t start = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return start != std::string_view::npos && same_word(head.substr(start, 5), "solid") &&
         head.find('\0') == std::string_view::npos;
}

}  // namespace

MeshData read_stl(std::string_view bytes, const std::string& file) {
  if (bytes.size() >= kHeaderBytes) {
    const std::size_t facets = announced_facets(bytes, file);
    const std::size_t expected = kHeaderBytes + kFacetBytes * facets;
    if (bytes.size() == expected) return read_binary(bytes, facets, file);
    if (!looks_like_text(bytes)) {
      if (facets == 0) return read_uncounted(bytes, file);
      if (bytes.size() > expected) return read_binary(bytes, facets, file);
      throw LoadError(file, "byte 80",
                      "binary STL of " + std::to_string(facets) + " facets should have " +
                          std::to_string(expected) + " bytes, but has " +
                          std::to_string(bytes.size()));
    }
  }
  if (!looks_like_text(bytes)) {
    throw LoadError(file, "byte 0", "neither 'solid' nor the 84 bytes of a binary STL header");
  }
  return TextStl(bytes, file).read();
}

}  // namespace touche::io
