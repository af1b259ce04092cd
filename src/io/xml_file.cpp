// SPDX-License-Identifier: Apache-2.0
#include "io/xml_file.h"

#include <algorithm>

#include "touche/types.h"

namespace touche::io {

XmlFile::XmlFile(std::string_view bytes, const std::string& file, std::string part)
    : bytes_(bytes), file_(file), part_(part.empty() ? "" : std::move(part) + " line ") {
  const pugi::xml_parse_result result = document_.load_buffer(bytes.data(), bytes.size());
  if (!result)
    throw LoadError(file_, part_ + std::to_string(line_at(result.offset)), result.description());
}

std::size_t XmlFile::line_at(std::ptrdiff_t offset) const {
  const auto count = [&](std::size_t begin, std::size_t end) {
    const std::string_view part = bytes_.substr(begin, end - begin);
    return static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
  };
  if (lines_before_.empty()) {
    lines_before_.push_back(0);
    for (std::size_t at = 0; at + kBlock <= bytes_.size(); at += kBlock)
      lines_before_.push_back(lines_before_.back() + count(at, at + kBlock));
  }
  const std::size_t at = std::min(static_cast<std::size_t>(offset), bytes_.size());
  return 1 + lines_before_[at / kBlock] + count(at / kBlock * kBlock, at);
}

std::size_t XmlFile::line(pugi::xml_node node) const {
  return line_at(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

void XmlFile::fail(pugi::xml_node node, const std::string& reason) const {
  throw LoadError(file_, part_ + std::to_string(line(node)), reason);
}

std::string XmlFile::text(pugi::xml_node element) {
  std::string all;
  for (const pugi::xml_node child : element.children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) all += child.value();
  return all;
}

}  // namespace touche::io
