// SPDX-License-Identifier: Apache-2.0
// Reads a rule file (docs/clash-rules.schema.json).
#include <fmt/core.h>

#include <algorithm>

#include "clash/units.h"
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

std::vector<std::string> read_patterns(const JsonCursor& test, std::string_view key) {
  std::vector<std::string> patterns;
  const auto list = test.find(key);
  if (!list) return patterns;
  if (list->is_text()) return {list->text()};
  for (const JsonCursor& pattern : list->items(1)) patterns.push_back(pattern.text());
  return patterns;
}

ClashTestKind read_kind(const JsonCursor& where) {
  const auto all = names<ClashTestKind>();
  const auto found = std::find(all.begin(), all.end(), where.text());
  if (found == all.end())
    where.fail(
        fmt::format("\"{}\", expected \"hard\", \"clearance\" or \"duplicates\"", where.text()));
  return static_cast<ClashTestKind>(found - all.begin());
}

ClashTest read_test(const JsonCursor& entry) {
  ClashTest test;
  test.name = entry.at("name").text();
  test.kind = read_kind(entry.at("type"));
  test.a.patterns = read_patterns(entry, "a");
  test.b.patterns = read_patterns(entry, "b");
  switch (test.kind) {
    case ClashTestKind::hard:
      entry.expect_keys({"name", "type", "a", "b", "tolerance"});
      if (const auto tolerance = entry.find("tolerance")) {
        test.length = tolerance->number();
        if (test.length < 0) tolerance->fail("expected a length >= 0");
      }
      break;
    case ClashTestKind::clearance:
      entry.expect_keys({"name", "type", "a", "b", "clearance"});
      test.length = entry.at("clearance").positive_number();
      break;
    case ClashTestKind::duplicates:
      entry.expect_keys({"name", "type", "a", "b"});
      break;
  }
  return test;
}

std::vector<ClashTest> read_tests(const JsonCursor& root) {
  std::vector<ClashTest> tests;
  const auto list = root.find("tests");
  if (!list) return tests;
  for (const JsonCursor& entry : list->items(1)) {
    tests.push_back(read_test(entry));
    if (std::any_of(tests.begin(), tests.end() - 1,
                    [&](const ClashTest& other) { return other.name == tests.back().name; }))
      entry.at("name").fail(fmt::format("two tests are named \"{}\"", tests.back().name));
  }
  return tests;
}

// Lengths of tests have a unit, so that they do not depend on the files that are checked.
std::string read_unit(const JsonCursor& root, const std::vector<ClashTest>& tests) {
  const auto unit = root.find("unit");
  if (!unit) {
    if (std::any_of(tests.begin(), tests.end(), [](const ClashTest& t) { return t.length > 0; }))
      root.fail("the lengths of tests need a \"unit\"");
    return "";
  }
  try {
    return std::string(clash::length_unit(unit->text()).name);
  } catch (const InvalidInput& error) {
    unit->fail(error.what());
  }
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
                    "parent_and_child", "unit", "tests"});
  if (const auto version = root.at("touche_clash_rules"); version.number() != 1)
    version.fail(fmt::format("format version {}, expected 1", version.number()));
  if (const auto comment = root.find("comment")) comment->text();
  ClashRules rules{read_list(root, "ignore"), read_list(root, "accept"),
                   read_ruling(root, "same_group"), read_ruling(root, "parent_and_child"),
                   read_tests(root)};
  rules.unit = read_unit(root, rules.tests);
  return rules;
}

ClashRules load_clash_rules(const std::filesystem::path& file) {
  return parse_clash_rules(io::read_file(file), file);
}

}  // namespace touche
