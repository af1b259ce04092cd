// SPDX-License-Identifier: Apache-2.0
#include "io/ply_header.h"

#include <array>
#include <utility>

#include "io/text_scanner.h"
#include "touche/types.h"

namespace touche::io {
namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> kTypes = {{
    {"char", PlyType::int8},
    {"int8", PlyType::int8},
    {"uchar", PlyType::uint8},
    {"uint8", PlyType::uint8},
    {"short", PlyType::int16},
    {"int16", PlyType::int16},
    {"ushort", PlyType::uint16},
    {"uint16", PlyType::uint16},
    {"int", PlyType::int32},
    {"int32", PlyType::int32},
    {"uint", PlyType::uint32},
    {"uint32", PlyType::uint32},
    {"float", PlyType::float32},
    {"float32", PlyType::float32},
    {"double", PlyType::float64},
    {"float64", PlyType::float64},
}};

class HeaderReader {
 public:
  HeaderReader(std::string_view header, const std::string& file) : text_(header, file) {}

  PlyHeader read() {
    format();
    for (;;) {
      next();
      const std::string_view keyword = text_.word();
      if (keyword == "end_header") break;
      if (keyword == "element") {
        element();
      } else if (keyword == "property") {
        property();
      } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
        text_.fail("unknown header statement " + in_quotes(keyword));
      }
    }
    header_.lines = text_.line();
    return std::move(header_);
  }

 private:
  void next() {
    if (!text_.next_line()) text_.fail("the header has no 'end_header'");
  }

  void format() {
    std::string_view keyword;
    do {
      next();
      keyword = text_.word();
    } while (keyword == "comment" || keyword == "obj_info" || keyword.empty());
    if (keyword != "format") text_.fail("expected 'format', found " + in_quotes(keyword));
    const std::string_view name = text_.word();
    if (name == "ascii") {
      header_.format = PlyFormat::ascii;
    } else if (name == "binary_little_endian") {
      header_.format = PlyFormat::little_endian;
    } else if (name == "binary_big_endian") {
      header_.format = PlyFormat::big_endian;
    } else {
      text_.fail("unknown format " + in_quotes(name));
    }
  }

  void element() {
    PlyElement element;
    element.name = text_.word();
    const std::int64_t count = text_.integer(text_.word());
    if (count < 0) text_.fail("a negative number of elements");
    element.count = static_cast<std::size_t>(count);
    element.line = text_.line();
    for (const PlyElement& other : header_.elements) {
      if (other.name == element.name) text_.fail("a second element " + in_quotes(element.name));
    }
    header_.elements.push_back(std::move(element));
  }

  void property() {
    if (header_.elements.empty()) text_.fail("a property before any element");
    PlyProperty property;
    std::string_view word = text_.word();
    property.is_list = word == "list";
    if (property.is_list) {
      property.count_type = type(text_.word());
      if (!is_integer(property.count_type)) text_.fail("the length of a list must be an integer");
      word = text_.word();
    }
    property.type = type(word);
    property.name = text_.word();
    header_.elements.back().properties.push_back(std::move(property));
  }

  PlyType type(std::string_view name) const {
    for (const auto& [known, value] : kTypes) {
      if (known == name) return value;
    }
    text_.fail("unknown property type " + in_quotes(name));
  }

  TextScanner text_;
  PlyHeader header_;
};

// The line ending of the first line holds for the header: after "end_header\r" a byte of value
// 10 may already be data. Without the last line the header is all there is.
std::size_t find_end(std::string_view bytes) {
  const std::string_view start = bytes.substr(3, 2);
  const std::string line_end = start == "\r\n" ? "\r\n" : std::string(start.substr(0, 1));
  const std::string last = line_end + "end_header";
  const std::size_t at = bytes.find(last);
  if (at == std::string_view::npos) return bytes.size();
  const std::size_t end = bytes.find(line_end, at + last.size());
  return end == std::string_view::npos ? bytes.size() : end + line_end.size();
}

// Rejects a header that announces e.g. 10^18 vertices before memory is allocated.
void check_counts(const PlyHeader& header, std::size_t bytes_left, const std::string& file) {
  for (const PlyElement& element : header.elements) {
    std::size_t smallest = 0;  // bytes of one element
    for (const PlyProperty& p : element.properties) {
      const PlyType type = p.is_list ? p.count_type : p.type;
      smallest += header.format == PlyFormat::ascii ? 2 : size_of(type);
    }
    // The last number of a text needs no blank after it.
    if (smallest > 0 && element.count > (bytes_left + 1) / smallest) {
      throw LoadError(file, std::to_string(element.line),
                      std::to_string(element.count) + " elements " + in_quotes(element.name) +
                          " announced, but only " + std::to_string(bytes_left) +
                          " bytes follow the header");
    }
  }
}

}  // namespace

std::size_t size_of(PlyType type) {
  constexpr std::array<std::size_t, 8> kSizes = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

PlyHeader read_ply_header(std::string_view bytes, const std::string& file) {
  const bool is_ply =
      bytes.starts_with("ply") && bytes.size() > 3 && (bytes[3] == '\n' || bytes[3] == '\r');
  if (!is_ply) throw LoadError(file, "1", "not a PLY file: the first line is not 'ply'");
  const std::size_t end = find_end(bytes);
  PlyHeader header = HeaderReader(bytes.substr(0, end), file).read();
  header.bytes = end;
  check_counts(header, bytes.size() - end, file);
  return header;
}

}  // namespace touche::io
