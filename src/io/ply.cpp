// SPDX-License-Identifier: Apache-2.0
// Stanford PLY: the header's elements are walked in file order, property by property.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/byte_reader.h"
#include "io/ply_header.h"
#include "io/readers.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

// The two sources of numbers have the same members: `real`, `integer`, `skip`, `end_element`,
// `place`, `fail`, `expect_end`, `remark`, `digits`.

// The lines of a text that hold more than blanks.
std::size_t filled_lines(std::string_view text) {
  std::size_t count = 0;
  bool filled = false;
  for (const char c : text) {
    const bool line_end = c == '\n' || c == '\r';
    if (line_end || (c != ' ' && c != '\t')) {
      count += line_end && filled ? 1 : 0;
      filled = !line_end;
    }
  }
  return count + (filled ? 1 : 0);
}

// Numbers of a text. If it has a line for each element, more values on a line than the header
// announces are left out; else line ends mean no more than blanks.
class TextSource {
 public:
  TextSource(std::string_view bytes, const PlyHeader& header, const std::string& file)
      : text_(bytes.substr(header.bytes), file, {}, header.lines + 1) {
    std::size_t elements = 0;
    for (const PlyElement& e : header.elements) elements += e.properties.empty() ? 0 : e.count;
    by_lines_ = filled_lines(bytes.substr(header.bytes)) == elements;
  }

  double real(PlyType) {
    const std::string_view w = word();
    digits_ = std::max(digits_, significant_digits(w));
    return text_.number(w);
  }
  int digits() const { return digits_; }  // of real numbers; 0: they are not text
  std::int64_t integer(PlyType) { return text_.integer(word()); }
  void skip(PlyType, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) word();
  }
  void end_element() {
    if (!by_lines_) return;
    at_start_ = true;
    if (text_.word().empty()) return;
    if (longer_lines_++ == 0) first_longer_ = text_.line();
  }
  std::size_t place() const { return text_.line(); }
  [[noreturn]] void fail(const std::string& reason) const { text_.fail(reason); }
  void expect_end() {
    if (by_lines_) return;
    const std::string_view w = text_.next_word();
    if (!w.empty()) text_.fail("more data than the header announces: " + in_quotes(w));
  }
  /// What was left out; empty if there is nothing to say.
  std::string remark() const {
    if (longer_lines_ == 0) return "";
    return fmt::format("line {}: more values than the header announces are not read, in {} line{}",
                       first_longer_, longer_lines_, longer_lines_ == 1 ? "" : "s");
  }

 private:
  std::string_view word() {
    if (by_lines_ && at_start_ && started_) text_.next_line();
    const std::string_view w = by_lines_ && !at_start_ ? text_.word() : text_.next_word();
    at_start_ = false;
    started_ = true;
    if (!w.empty()) return w;
    text_.fail(by_lines_ ? "fewer values on this line than the header announces"
                         : "the file ends before all announced elements are read");
  }

  TextScanner text_;
  int digits_ = 0;
  bool by_lines_ = false;
  bool at_start_ = true;  // of an element
  bool started_ = false;  // a word was read
  std::size_t longer_lines_ = 0, first_longer_ = 0;
};

class BinarySource {
 public:
  BinarySource(std::string_view bytes, const PlyHeader& header, const std::string& file)
      : in_(bytes, header.bytes,
            header.format == PlyFormat::big_endian ? std::endian::big : std::endian::little, file) {
  }

  double real(PlyType type) {
    if (type == PlyType::float32) return in_.read<float>();
    if (type == PlyType::float64) return in_.read<double>();
    return static_cast<double>(integer(type));
  }
  std::int64_t integer(PlyType type) {
    switch (type) {
      case PlyType::int8:
        return in_.read<std::int8_t>();
      case PlyType::uint8:
        return in_.read<std::uint8_t>();
      case PlyType::int16:
        return in_.read<std::int16_t>();
      case PlyType::uint16:
        return in_.read<std::uint16_t>();
      case PlyType::int32:
        return in_.read<std::int32_t>();
      case PlyType::uint32:
        return in_.read<std::uint32_t>();
      default:
        in_.fail("expected an integer type");
    }
  }
  void skip(PlyType type, std::size_t count) {
    if (count > in_.bytes_left() / size_of(type)) in_.fail("the file ends inside a list");
    in_.skip(count * size_of(type));
  }
  void end_element() {}
  std::size_t place() const { return in_.offset(); }
  [[noreturn]] void fail(const std::string& reason) const { in_.fail(reason); }
  void expect_end() {
    while (in_.bytes_left() > 0) {
      const std::size_t at = in_.offset();
      const char c = in_.read<char>();
      if (c != '\n' && c != '\r') in_.fail_at(at, "more data than the header announces");
    }
  }
  std::string remark() const { return ""; }
  static int digits() { return 0; }

 private:
  ByteReader in_;
};

template <class Source>
class PlyReader {
 public:
  PlyReader(std::string_view bytes, PlyHeader header, const std::string& file)
      : source_(bytes, header, file), header_(std::move(header)), file_(file) {}

  MeshData read() {
    for (const PlyElement& element : header_.elements) {
      if (element.properties.empty()) continue;
      if (element.name == "vertex") {
        read_vertices(element);
      } else if (element.name == "face") {
        read_lists(element, "faces", [this](const PlyProperty& p) { read_face(p); });
      } else if (element.name == "tristrips" && element.count > 0) {
        read_lists(element, "tristrips", [this](const PlyProperty& p) { read_strips(p); });
      } else {
        skip_elements(element);
      }
    }
    source_.expect_end();
    check_vertex_numbers();
    if (std::string remark = source_.remark(); !remark.empty()) mesh_.add_remark(std::move(remark));
    mesh_.set_digits(source_.digits());
    return mesh_.finish(file_);
  }

 private:
  void read_vertices(const PlyElement& element) {
    std::vector<int> axes;  // per property: 0, 1, 2 for x, y, z; -1 for others
    int found = 0;
    for (const PlyProperty& p : element.properties) {
      const int axis = p.name == "x" ? 0 : p.name == "y" ? 1 : p.name == "z" ? 2 : -1;
      if (axis >= 0 && p.is_list) fail_in_header(element, "coordinate " + p.name + " is a list");
      axes.push_back(axis);
      found |= axis >= 0 ? 1 << axis : 0;
    }
    if (found != 7) fail_in_header(element, "vertices need the properties x, y and z");
    mesh_.reserve(element.count, 0);
    double xyz[3] = {};
    for (std::size_t i = 0; i < element.count; ++i) {
      for (std::size_t k = 0; k < axes.size(); ++k) {
        if (axes[k] >= 0) {
          xyz[axes[k]] = coordinate(element.properties[k].type);
        } else {
          skip(element.properties[k]);
        }
      }
      mesh_.add_vertex(xyz[0], xyz[1], xyz[2]);
      source_.end_element();
    }
  }

  void skip_elements(const PlyElement& element) {
    for (std::size_t i = 0; i < element.count; ++i) {
      for (const PlyProperty& p : element.properties) skip(p);
      source_.end_element();
    }
    if (element.count > 0)
      mesh_.add_remark(fmt::format("line {}: {} element{} {} not read", element.line, element.count,
                                   element.count == 1 ? "" : "s", in_quotes(element.name)));
  }

  double coordinate(PlyType type) {
    const std::size_t start = source_.place();
    const double value = source_.real(type);
    if (std::abs(value) <= kMaxCoordinate) return value;
    if (header_.format == PlyFormat::ascii) source_.fail(bad_coordinate(value));
    throw LoadError(file_, "byte " + std::to_string(start), bad_coordinate(value));
  }

  // Elements that are lists of vertices.
  template <class ReadList>
  void read_lists(const PlyElement& element, const char* what, const ReadList& read_list) {
    const PlyProperty* corners = nullptr;
    for (const PlyProperty& p : element.properties) {
      if (p.name == "vertex_indices" || p.name == "vertex_index") corners = &p;
    }
    if (corners == nullptr || !corners->is_list || !is_integer(corners->type)) {
      fail_in_header(
          element, fmt::format("{} need 'property list <integer> <integer> vertex_indices'", what));
    }
    for (std::size_t i = 0; i < element.count; ++i) {
      for (const PlyProperty& p : element.properties) {
        if (&p == corners) {
          read_list(p);
        } else {
          skip(p);
        }
      }
      source_.end_element();
    }
  }

  void read_face(const PlyProperty& p) {
    const std::int64_t count = source_.integer(p.count_type);
    if (count < 3) source_.fail("a face needs 3 corners, this one has " + std::to_string(count));
    for (std::int64_t k = 0; k < count; ++k) mesh_.add_corner(vertex(source_.integer(p.type)));
    mesh_.end_face();
  }

  Index vertex(std::int64_t number) {
    if (number < 0) source_.fail("negative vertex number " + std::to_string(number));
    highest_.use(static_cast<std::uint64_t>(number), source_.place());
    return static_cast<Index>(number);
  }

  // Triangles of three vertices in a row, every second of which is turned round; -1 ends a strip
  // and another one begins. A vertex that is repeated joins two strips, without a triangle.
  void read_strips(const PlyProperty& p) {
    constexpr std::int64_t kEnd = -1, kEndUnsigned = 0xFFFFFFFF;
    const std::int64_t count = source_.integer(p.count_type);
    if (count < 0) source_.fail("a list of negative length");
    std::array<Index, 2> last{};
    std::size_t length = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t number = source_.integer(p.type);
      if (number == kEnd || number == kEndUnsigned) {
        length = 0;
        continue;
      }
      const Index v = vertex(number);
      if (length >= 2 && v != last[0] && v != last[1] && last[0] != last[1]) {
        const bool turned = length % 2 == 1;
        mesh_.add_corner(last[turned ? 1 : 0]);
        mesh_.add_corner(last[turned ? 0 : 1]);
        mesh_.add_corner(v);
        mesh_.end_face();
      }
      last = {last[1], v};
      ++length;
    }
  }

  void skip(const PlyProperty& p) {
    std::size_t count = 1;
    if (p.is_list) {
      const std::int64_t length = source_.integer(p.count_type);
      if (length < 0) source_.fail("a list of negative length");
      count = static_cast<std::size_t>(length);
    }
    source_.skip(p.type, count);
  }

  void check_vertex_numbers() const {
    if (highest_.number <= mesh_.data().vertex_count()) return;
    const bool text = header_.format == PlyFormat::ascii;
    throw LoadError(file_, (text ? "" : "byte ") + std::to_string(highest_.place),
                    "vertex number " + std::to_string(highest_.number - 1) +
                        " is out of range; the file has " +
                        std::to_string(mesh_.data().vertex_count()) + " vertices, from 0");
  }

  [[noreturn]] void fail_in_header(const PlyElement& element, const std::string& reason) const {
    throw LoadError(file_, std::to_string(element.line), reason);
  }

  Source source_;
  PlyHeader header_;
  const std::string& file_;
  MeshBuilder mesh_;
  HighestVertex highest_;
};

}  // namespace

MeshData read_ply(std::string_view bytes, const std::string& file) {
  PlyHeader header = read_ply_header(bytes, file);
  if (header.format == PlyFormat::ascii) {
    return PlyReader<TextSource>(bytes, std::move(header), file).read();
  }
  return PlyReader<BinarySource>(bytes, std::move(header), file).read();
}

}  // namespace touche::io
