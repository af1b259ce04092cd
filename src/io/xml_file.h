// SPDX-License-Identifier: Apache-2.0
// An XML document that is wholly in memory, and the lines its elements stand on.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace touche::io {

class XmlFile {
 public:
  /// `part` comes before lines in errors, for documents inside of archives. `bytes` must stay.
  /// Throws LoadError for what is no XML.
  XmlFile(std::string_view bytes, const std::string& file, std::string part = {});

  pugi::xml_node root() const { return document_.root(); }
  std::size_t line(pugi::xml_node node) const;
  [[noreturn]] void fail(pugi::xml_node node, const std::string& reason) const;
  /// All text right below an element.
  static std::string text(pugi::xml_node element);

 private:
  std::size_t line_at(std::ptrdiff_t offset) const;

  static constexpr std::size_t kBlock = 4096;

  std::string_view bytes_;
  mutable std::vector<std::size_t> lines_before_;  // of each block of bytes; computed on first use
  const std::string& file_;
  std::string part_;
  pugi::xml_document document_;
};

}  // namespace touche::io
