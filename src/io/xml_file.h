// SPDX-License-Identifier: Apache-2.0
// An XML document that is wholly in memory, and the lines its elements stand on.
#pragma once

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace touche::io {

/// A name of an element or attribute: "p:path" has the prefix "p"; "path" has none.
struct XmlName {
  explicit XmlName(std::string_view text);
  std::string_view prefix, local;
};

class XmlFile {
 public:
  /// `part` comes before lines in errors, for documents inside of archives. `bytes` must stay.
  /// Throws LoadError for what is no XML.
  XmlFile(std::string_view bytes, const std::string& file, std::string part = {});

  pugi::xml_node root() const { return document_.root(); }
  /// Drops the prefix that the document's first element has, if it is one, from all elements.
  void drop_first_prefix();

  /// Calls visit(child) for the children of this name. Names without a prefix, here and below, are
  /// of the namespace of the document's first element, under whatever prefix they are in the file.
  /// Fails for prefixes that are not declared.
  template <class Visit>
  void each(pugi::xml_node parent, std::string_view name, const Visit& visit) const {
    for (const pugi::xml_node child : parent.children())
      if (is_named(child, name)) visit(child);
  }
  pugi::xml_node child(pugi::xml_node parent, std::string_view name) const;  ///< the first, or none
  bool is_named(pugi::xml_node element, std::string_view name) const;
  /// The namespace of a prefix at an element; fails if it is not declared. The empty prefix is that
  /// of elements without one, whose namespace is empty where none is declared.
  std::string_view expect_namespace(pugi::xml_node element, std::string_view prefix) const;

  std::size_t line(pugi::xml_node node) const;
  [[noreturn]] void fail(pugi::xml_node node, const std::string& reason) const;
  /// All text right below an element.
  static std::string text(pugi::xml_node element);

 private:
  using Namespaces = std::map<std::string_view, std::string_view>;  // by prefix

  std::size_t line_at(std::ptrdiff_t offset) const;
  const Namespaces& declared_at(pugi::xml_node element) const;

  static constexpr std::size_t kBlock = 4096;

  std::string_view bytes_;
  mutable std::vector<std::size_t> lines_before_;  // of each block of bytes; computed on first use
  mutable std::optional<std::string_view> core_;   // namespace of the first element; on first use
  mutable std::map<pugi::xml_node, Namespaces> declared_;  // by element; collected on first use
  const std::string& file_;
  std::string part_;
  pugi::xml_document document_;
};

}  // namespace touche::io
