// SPDX-License-Identifier: Apache-2.0
#include "io/xml_file.h"

#include <algorithm>

#include "io/text_scanner.h"
#include "touche/types.h"

namespace touche::io {

XmlName::XmlName(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != text.npos) prefix = text.substr(0, colon);
  local = colon == text.npos ? text : text.substr(colon + 1);
}

namespace {

// Calls visit(prefix, namespace) for what an element declares.
template <class Visit>
void each_declared(pugi::xml_node element, const Visit& visit) {
  for (const pugi::xml_attribute a : element.attributes()) {
    const XmlName name(a.name());
    if (name.prefix == "xmlns") visit(name.local, a.value());
    if (name.prefix.empty() && name.local == "xmlns") visit(name.prefix, a.value());
  }
}

}  // namespace

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

void XmlFile::drop_first_prefix() {
  const std::string prefix(XmlName(document_.document_element().name()).prefix);
  if (prefix.empty()) return;
  struct Walker : pugi::xml_tree_walker {
    std::string_view prefix;
    bool for_each(pugi::xml_node& node) override {
      const XmlName name(node.name());
      if (node.type() != pugi::node_element) return true;
      const bool drops = name.prefix == prefix, hides = name.prefix.empty() && !default_is_core;
      if (!drops && !hides) return true;
      std::string plain(drops ? "" : ":");
      plain += name.local;
      node.set_name(plain.c_str());
      return true;
    }
    bool default_is_core = false;
  } walker;
  walker.prefix = prefix;
  const pugi::xml_node first = document_.document_element();
  walker.default_is_core = expect_namespace(first, "") == expect_namespace(first, prefix);
  document_.traverse(walker);
}

std::size_t XmlFile::line(pugi::xml_node node) const {
  return line_at(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

void XmlFile::fail(pugi::xml_node node, const std::string& reason) const {
  throw LoadError(file_, part_ + std::to_string(line(node)), reason);
}

const XmlFile::Namespaces& XmlFile::declared_at(pugi::xml_node element) const {
  const auto entry = declared_.try_emplace(element);
  Namespaces& found = entry.first->second;
  if (entry.second)
    each_declared(element, [&](std::string_view prefix, std::string_view its_namespace) {
      found.emplace(prefix, its_namespace);
    });
  return found;
}

std::string_view XmlFile::expect_namespace(pugi::xml_node element, std::string_view prefix) const {
  if (prefix == "xml") return "http://www.w3.org/XML/1998/namespace";
  // Elements are many, and each is met a few times; the elements above them are few.
  std::optional<std::string_view> own;
  each_declared(element, [&](std::string_view declared, std::string_view its_namespace) {
    if (declared == prefix && !own) own = its_namespace;
  });
  if (own) return *own;
  for (pugi::xml_node at = element.parent(); at; at = at.parent()) {
    const Namespaces& known = declared_at(at);
    if (const auto found = known.find(prefix); found != known.end()) return found->second;
  }
  if (prefix.empty()) return "";
  fail(element, "no namespace is declared for the prefix " + in_quotes(prefix));
}

bool XmlFile::is_named(pugi::xml_node element, std::string_view name) const {
  const XmlName own(element.name());
  if (own.local != name) return false;
  if (!core_) {
    const pugi::xml_node first = document_.document_element();
    core_ = expect_namespace(first, XmlName(first.name()).prefix);
  }
  return expect_namespace(element, own.prefix) == *core_;
}

pugi::xml_node XmlFile::child(pugi::xml_node parent, std::string_view name) const {
  for (const pugi::xml_node child : parent.children())
    if (is_named(child, name)) return child;
  return {};
}

std::string XmlFile::text(pugi::xml_node element) {
  std::string all;
  for (const pugi::xml_node child : element.children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) all += child.value();
  return all;
}

}  // namespace touche::io
