// SPDX-License-Identifier: Apache-2.0
#include "clash/ruling.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "clash/part_names.h"

namespace touche {

namespace {

// Wildcard matching: on a mismatch, lets the last star match one more character.
bool matches_text(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    const bool escaped = p + 1 < pattern.size() && pattern[p] == '\\';
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
    } else if (escaped ? pattern[p + 1] == name[n]
                       : p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      p += escaped ? 2 : 1;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  if (clash::ends_with_steps(name, pattern)) return true;
  const bool of_last_step = pattern.find('/') == std::string_view::npos;
  return matches_text(pattern, of_last_step ? name.substr(name.rfind('/') + 1) : name);
}

namespace clash {

std::vector<bool> parts_named(const ClashParts& parts, std::string_view name) {
  std::vector<bool> found(parts.parts.size());
  for (std::size_t p = 0; p < found.size(); ++p) found[p] = parts.parts[p].name == name;
  if (std::find(found.begin(), found.end(), true) != found.end()) return found;
  for (std::size_t p = 0; p < found.size(); ++p)
    found[p] = ends_with_steps(long_name(parts.parts[p]), name) ||
               ends_with_steps(parts.parts[p].name, name) ||
               ends_with_steps(name, parts.parts[p].name);
  if (std::count(found.begin(), found.end(), true) > 1) found.assign(found.size(), false);
  return found;
}

std::vector<bool> parts_matching(const ClashParts& parts, std::string_view pattern) {
  std::vector<bool> found(parts.parts.size());
  for (std::size_t p = 0; p < found.size(); ++p) found[p] = parts.parts[p].name == pattern;
  if (std::find(found.begin(), found.end(), true) != found.end()) return found;
  for (std::size_t p = 0; p < found.size(); ++p) {
    const ClashPart& part = parts.parts[p];
    found[p] = matches(pattern, part.name) || matches(pattern, own_name(part)) ||
               matches(pattern, long_name(part));
  }
  return found;
}

std::vector<Rulings::Sides> Rulings::sides_of(const ClashParts& parts,
                                              const std::vector<ClashRule>& rules,
                                              const char* list) {
  std::vector<Sides> result;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    Sides sides{{}, {}, &rules[r].reason};
    const auto look_up = [&](const std::string& pattern, std::vector<bool>& side, char which) {
      side = rules[r].exact ? parts_named(parts, pattern) : parts_matching(parts, pattern);
      if (std::find(side.begin(), side.end(), true) != side.end()) return;
      remarks_.push_back(rules[r].exact ? fmt::format("notes: there is no part \"{}\"", pattern)
                                        : fmt::format("rules: /{}/{}/{}: \"{}\" matches no part",
                                                      list, r, which, pattern));
    };
    look_up(rules[r].a, sides.a, 'a');
    look_up(rules[r].b, sides.b, 'b');
    result.push_back(std::move(sides));
  }
  return result;
}

Rulings::Rulings(const ClashParts& parts, const ClashRules& rules) : rules_(rules) {
  ignore_ = sides_of(parts, rules.ignore, "ignore");
  accept_ = sides_of(parts, rules.accept, "accept");
  std::unordered_map<std::string_view, Index> numbers = {{"", 0}};
  const auto number = [&](std::string_view text) {
    return numbers.emplace(text, static_cast<Index>(numbers.size())).first->second;
  };
  std::vector<std::string> names;  // with the file, as groups have it
  for (const ClashPart& part : parts.parts) names.push_back(long_name(part));
  for (std::size_t p = 0; p < names.size(); ++p) {
    group_.push_back(number(parts.parts[p].group));
    name_.push_back(number(names[p]));
  }
  for (const AllowedContact& allowed : parts.allowed_contacts)
    allowed_[{allowed.part_a, allowed.part_b}] = &allowed.reason;
}

const std::string* Rulings::find(const std::vector<Sides>& rules, std::size_t a, std::size_t b) {
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Sides& s) {
    return (s.a[a] && s.b[b]) || (s.a[b] && s.b[a]);
  });
  return rule == rules.end() ? nullptr : rule->reason;
}

Rulings::Ruling Rulings::of(std::size_t a, std::size_t b) const {
  using enum ClashRuling;
  const bool same_group = group_[a] != 0 && group_[a] == group_[b];
  const bool parent_and_child = name_[a] == group_[b] || name_[b] == group_[a];
  if (const std::string* reason = find(ignore_, a, b)) return {ignore, *reason};
  if (same_group && rules_.same_group == ignore) return {ignore, "same group"};
  if (parent_and_child && rules_.parent_and_child == ignore) return {ignore, "parent and child"};
  if (const std::string* reason = find(accept_, a, b)) return {accept, *reason};
  if (const auto found = allowed_.find(std::minmax(a, b)); found != allowed_.end())
    return {accept, *found->second};
  if (same_group && rules_.same_group == accept) return {accept, "same group"};
  if (parent_and_child && rules_.parent_and_child == accept) return {accept, "parent and child"};
  return {};
}

}  // namespace clash
}  // namespace touche
