// SPDX-License-Identifier: Apache-2.0
// Reads a rule file (docs/clash-rules.schema.json).
#include <fmt/core.h>

#include <algorithm>

#include "io/json_cursor.h"
#include "io/readers.h"
#include "touche/clash.h"

namespace touche {
namespace {

using io::JsonCursor;

std::vector<ClashRule> read_list(const JsonCursor& root, std::string_view key) {
  std::vector<ClashRule> rules;
  const auto list = root.find(key);
  if (!list) return rules;
  for (const JsonCursor& entry : list->items(0)) {
    entry.expect_keys({"a", "b", "reason"});
    rules.push_back({entry.at("a").text(), entry.at("b").text(), entry.at("reason").text()});
  }
  return rules;
}

ClashRuling read_ruling(const JsonCursor& root, std::string_view key) {
  const auto value = root.find(key);
  if (!value) return ClashRuling::none;
  const auto all = names<ClashRuling>();
  const auto found = std::find(all.begin(), all.end(), value->text());
  if (found == all.end())
    value->fail(fmt::format("\"{}\", expected \"ignore\", \"accept\" or \"none\"", value->text()));
  return static_cast<ClashRuling>(found - all.begin());
}

}  // namespace

ClashRules parse_clash_rules(std::string_view json, const std::filesystem::path& file) {
  const JsonCursor root = JsonCursor::parse(json, file.string());
  root.expect_keys({"$schema", "touche_clash_rules", "comment", "ignore", "accept", "same_group",
                    "parent_and_child"});
  if (const auto version = root.at("touche_clash_rules"); version.number() != 1)
    version.fail(fmt::format("format version {}, expected 1", version.number()));
  if (const auto comment = root.find("comment")) comment->text();
  return {read_list(root, "ignore"), read_list(root, "accept"), read_ruling(root, "same_group"),
          read_ruling(root, "parent_and_child")};
}

ClashRules load_clash_rules(const std::filesystem::path& file) {
  return parse_clash_rules(io::read_file(file), file);
}

}  // namespace touche
