// SPDX-License-Identifier: Apache-2.0
// Object File Format (Geomview), text. One vertex or face per line; what follows the coordinates
// or the corners on a line (normals, colours, texture coordinates) is not used. Faces of one or two
// corners are points and segments.
#include "io/readers.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

class OffReader {
 public:
  OffReader(std::string_view bytes, const std::string& file)
      : bytes_(bytes), text_(bytes, file, {.comment = '#'}), file_(file) {}

  MeshData read() {
    const std::string_view glued = keyword();
    const std::string_view first = glued.empty() ? text_.next_word() : glued;
    if (first == "BINARY") return read_binary();
    const std::size_t vertices = count(first, "vertices");
    const std::size_t faces = count(text_.word(), "faces");
    text_.next_line();  // a number of edges may follow; nobody needs it
    mesh_.reserve(vertices, 0);
    for (std::size_t i = 0; i < vertices; ++i) vertex();
    for (std::size_t i = 0; i < faces; ++i) face(static_cast<std::int64_t>(vertices));
    const std::string_view more = text_.next_word();
    if (!more.empty()) text_.fail("more data than the header announces: " + in_quotes(more));
    if (no_surface_ > 0) mesh_.add_remark(off_remark(no_surface_));
    mesh_.set_digits(text_.digits());
    return mesh_.finish(file_);
  }

 private:
  // [ST][C][N][4][n]OFF. Returns the text behind it up to the next blank: some write "OFF8 6 12".
  std::string_view keyword() {
    const std::string_view word = text_.next_word();
    const std::size_t end = word.find("OFF");
    prefix_ = word.substr(0, end);
    if (end == word.npos || prefix_.find_first_not_of("STCN4n") != word.npos) {
      text_.fail("not an OFF file: expected 'OFF', found " + in_quotes(word));
    }
    if (prefix_.find_first_of("4n") != word.npos) {
      text_.fail("OFF of other than three dimensions is not read");
    }
    return word.substr(end + 3);
  }

  MeshData read_binary() {
    if (!prefix_.empty()) {
      text_.fail("binary OFF is read with plain vertices only, not as " + in_quotes(prefix_));
    }
    text_.next_line();
    return read_off_binary(bytes_, bytes_.size() - text_.bytes_left(), file_);
  }

  // A vertex or face has at least four characters, the last one perhaps three.
  std::size_t count(std::string_view word, const char* what) const {
    const std::int64_t number = text_.integer(word);
    if (number < 0) text_.fail(std::string("a negative number of ") + what);
    if (static_cast<std::size_t>(number) > text_.bytes_left() / 3) {
      text_.fail(std::to_string(number) + " " + what + " announced, but only " +
                 std::to_string(text_.bytes_left()) + " bytes follow");
    }
    return static_cast<std::size_t>(number);
  }

  std::string_view first_word() {
    const std::string_view w = text_.next_word();
    if (w.empty()) text_.fail("the file ends before all announced vertices and faces are read");
    return w;
  }

  void vertex() {
    const double x = text_.coordinate(first_word());
    const double y = text_.coordinate(text_.word());
    const double z = text_.coordinate(text_.word());
    mesh_.add_vertex(x, y, z);
    text_.next_line();
  }

  void face(std::int64_t vertices) {
    const std::int64_t size = text_.integer(first_word());
    if (size < 1) text_.fail("a face needs 3 corners, this one has " + std::to_string(size));
    for (std::int64_t k = 0; k < size; ++k) {
      const std::int64_t vertex = text_.integer(text_.word());
      if (vertex < 0 || vertex >= vertices) {
        text_.fail("vertex number " + std::to_string(vertex) + " is out of range; the file has " +
                   std::to_string(vertices) + " vertices, from 0");
      }
      if (size >= 3) mesh_.add_corner(static_cast<Index>(vertex));
    }
    if (size >= 3) {
      mesh_.end_face();
    } else {
      ++no_surface_;
    }
    text_.next_line();
  }

  std::string_view bytes_;
  TextScanner text_;
  const std::string& file_;
  std::string_view prefix_;
  MeshBuilder mesh_;
  std::size_t no_surface_ = 0;  // faces of fewer than three corners
};

}  // namespace

MeshData read_off(std::string_view bytes, const std::string& file) {
  return OffReader(bytes, file).read();
}

}  // namespace touche::io
