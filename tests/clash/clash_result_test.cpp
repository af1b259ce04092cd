// SPDX-License-Identifier: Apache-2.0
// Tests what is written down about a clash check, and how it compares with an earlier one.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "clash/describe.h"
#include "clash_scenes.h"
#include "json_schema.h"
#include "requested_cancel.h"
#include "source_folder.h"

namespace touche::clash_result_test {
namespace {

using test::Json;
using test::PartsBuilder;

Pose shifted(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

// A floor with a block that stands on it, one sunk into it, one above it and one inside of it.
struct Floor {
  Floor(double sunk = 0.5, double above = 0.25, bool inside = true) {
    PartsBuilder builder;
    const std::size_t block = builder.object(scenes::box({0, 0, 0}, {1, 1, 1}, 2));
    builder.part("house/floor", scenes::box({0, 0, -2}, {20, 20, 0}, 1));
    builder.part("house/low/stands", block, shifted(1, 1));
    builder.part("house/low/\"sunk\", <b>", block, shifted(4, 1, -sunk));
    builder.part("house/high/above", block, shifted(7, 1, above));
    if (inside) builder.part("house/high/inside", block, shifted(10, 1, -1.5));
    parts = builder.take();
    options.clearance = 0.5;
    check();
  }
  void check() { result = find_clashes(parts, options); }
  /// The result with a comparison.
  ClashResult compared(ClashComparison comparison) const {
    ClashResult with = result;
    with.comparison = std::move(comparison);
    return with;
  }

  ClashParts parts;
  ClashOptions options;
  ClashResult result;
};

ClashComparison compare(const Floor& now, const Floor& earlier, double tolerance = 0) {
  const test::StudyFolder folder("clash-compare");
  folder.write("result.json", clash_json(earlier.result));
  return compare_clashes(now.result, load_earlier_clashes(folder.path() / "result.json"),
                         tolerance);
}

std::size_t count(const ClashComparison& c, ClashChange change) {
  return c.counts[static_cast<std::size_t>(change)];
}

TEST(ClashResults, SentencesSayWhatMatters) {
  EXPECT_EQ(
      clash_sentence(Floor().result),
      "1 pair of parts clashes: house/floor and house/low/\"sunk\", <b>, which overlap by 0.5 mm; "
      "house/high/inside lies inside house/floor; 1 pair touches, 1 pair is nearer than 0.5 mm "
      "(least 0.25 "
      "mm).");
  EXPECT_NE(clash_html(Floor().result).find("<b>1</b><span>pair clashes<"), std::string::npos);
  const Floor free(0, 0.75, false);
  EXPECT_EQ(
      clash_sentence(free.result),
      "No clash, proved: of 4 parts no two overlap by more than 0.00001908 mm, the tolerance; 2 "
      "pairs touch.");
  Floor accepted;
  accepted.options.rules.accept = {{"floor", "*", "it is soft"}};
  accepted.check();
  EXPECT_EQ(clash_sentence(accepted.result),
            "No clash, proved: of 5 parts, pairs in rules aside, no two overlap; 4 are accepted by "
            "rules.");
  Floor stopped;
  const Cancel cancel = test::requested();
  stopped.options.budget.cancel = cancel;
  stopped.check();
  EXPECT_EQ(clash_sentence(stopped.result),
            "Interrupted: 4 pairs are not decided; no clash was found until then.");
  Floor given_up;
  given_up.options.budget.max_work = 0;
  given_up.check();
  EXPECT_EQ(clash_sentence(given_up.result),
            "Not decided: no clash was found, but 4 pairs of 5 parts could not be answered.");
}

// Parts that may just touch for all that is known are not said to overlap.
TEST(ClashResults, AClashThatMayBeATouchIsToldAsOne) {
  ClashParts parts;
  parts.unit = "mm";
  ClashPair pair;
  pair.verdict = ClashPairVerdict::clash;
  pair.closed = true;
  pair.max_touching_thickness = 0.1;
  const auto text = [&](double lower, double upper) {
    pair.thickness.diameter = {lower, upper};
    return clash::measure_text(parts, pair);
  };
  EXPECT_EQ(text(0.2, 0.2), "overlap by 0.2 mm");
  EXPECT_EQ(text(0, 0.3), "may overlap by up to 0.3 mm, and may do more than touch");
  EXPECT_EQ(text(0.05, 0.3), "overlap by 0.05 mm or more, and may do more than touch");
  EXPECT_EQ(text(0, kInfinity), "may do more than touch");
  pair.closed = false;  // then nothing is a touch
  EXPECT_EQ(text(0, 0.3), "overlap by no more than 0.3 mm");
}

TEST(ClashResults, JsonKeepsToItsSchema) {
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/clash-result.schema.json");
  const Floor floor, earlier(0.25, 0.75);
  Json result = Json::parse(clash_json(floor.compared(compare(floor, earlier))));
  EXPECT_EQ(test::schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(result["counts"]["clash"], 1);
  EXPECT_EQ(result["assembly"]["meshes"], 2);
  ASSERT_EQ(result["pairs"].size(), 4u);
  EXPECT_EQ(result["pairs"][1]["class"], "clash");
  EXPECT_EQ(result["comparison"]["counts"]["new"], 1);
  Floor stopped;
  const Cancel cancel = test::requested();
  stopped.options.budget.cancel = cancel;
  stopped.options.rules.accept = {{"floor", "*", "it is soft"}};
  stopped.options.tolerance = 0.001;
  stopped.options.max_touching_thickness = 0;
  stopped.check();
  EXPECT_EQ(test::schema_violation(schema, schema, Json::parse(clash_json(stopped.result)), ""),
            "");
  result["pairs"][1]["class"] = "perhaps";
  EXPECT_NE(test::schema_violation(schema, schema, result, ""), "");
}

TEST(ClashResults, RuleFilesKeepToTheirSchema) {
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/clash-rules.schema.json");
  Json rules = {{"touche_clash_rules", 1},
                {"ignore", {{{"a", "x"}, {"b", "y"}, {"reason", "z"}}}},
                {"same_group", "ignore"}};
  EXPECT_EQ(test::schema_violation(schema, schema, rules, ""), "");
  EXPECT_EQ(parse_clash_rules(rules.dump(), "rules.json").ignore.size(), 1u);
  rules["same_group"] = "perhaps";
  EXPECT_NE(test::schema_violation(schema, schema, rules, ""), "");
}

TEST(ClashResult, NotesComeBackAsTheyWereAndFollowTheirSchema) {
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/clash-notes.schema.json");
  const std::vector<ClashNote> notes = {{"a/x", "b*", "tight \"fit\"\n", true},
                                        {"a/x", "c", "", true},
                                        {"d", "e", "look again", false}};
  const std::string text = clash_notes_json(notes);
  Json json = Json::parse(text);
  EXPECT_EQ(test::schema_violation(schema, schema, json, ""), "");
  const std::vector<ClashNote> read = parse_clash_notes(text, "notes.json");
  ASSERT_EQ(read.size(), notes.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].a, notes[i].a);
    EXPECT_EQ(read[i].b, notes[i].b);
    EXPECT_EQ(read[i].text, notes[i].text);
    EXPECT_EQ(read[i].accepted, notes[i].accepted);
  }
  ClashRules rules;
  add_accepted(rules, read);
  ASSERT_EQ(rules.accept.size(), 2U);
  EXPECT_TRUE(rules.accept[0].exact);
  EXPECT_EQ(rules.accept[1].reason, "accepted by hand");

  const auto refused = [&](const char* place, const Json& value) {
    Json wrong = json;
    wrong[Json::json_pointer(place)] = value;
    EXPECT_THROW((void)parse_clash_notes(wrong.dump(), "notes.json"), LoadError) << place;
    return !test::schema_violation(schema, schema, wrong, "").empty();
  };
  EXPECT_TRUE(refused("/touche_clash_notes", 2));
  EXPECT_TRUE(refused("/notes/0/accepted", "yes"));
  EXPECT_TRUE(refused("/notes/0/more", 1));
  EXPECT_TRUE(refused("/notes", "none"));
  EXPECT_FALSE(refused("/notes/0/b", "a/x")) << "no schema says that names differ";
}

// A whole name is that of one part, where a pattern would be that of several.
TEST(ClashResult, WhatIsAcceptedByHandIsThatPairAlone) {
  ClashParts parts;
  parts.objects.emplace_back(scenes::box({0, 0, 0}, {1, 1, 1}), "box");
  parts.parts = {{"cover", "", 0, {}},
                 {"lamp/cover", "lamp", 0, Pose::from_translation({0.5, 0, 0})},
                 {"ring", "", 0, Pose::from_translation({0.25, 0, 0})}};
  ClashOptions options;
  add_accepted(options.rules, {{"cover", "ring", "snap", true}, {"gone", "ring", "", true}});
  const ClashResult result = find_clashes(parts, options);
  ASSERT_EQ(result.pairs.size(), 3U);
  for (const ClashPair& pair : result.pairs)
    EXPECT_EQ(pair.accepted.has_value(), pair.part_a == 0 && pair.part_b == 2);
  EXPECT_EQ(result.remarks, std::vector<std::string>{"notes: there is no part \"gone\""});
}

TEST(ClashResults, TheTableSaysTheSame) {
  const Floor floor;
  const auto table = test::read_csv(clash_csv(floor.result));
  ASSERT_EQ(table.size(), 5u);
  for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size());
  EXPECT_EQ(table[1][1], "house/low/\"sunk\", <b>") << "the worst first";
  EXPECT_EQ(table[1][2], "clash");
  EXPECT_NEAR(std::stod(table[1][5]), 0.5, 0.03);
  EXPECT_EQ(table[2][9], "b_in_a");
  EXPECT_EQ(table[4][2], "near");
  EXPECT_EQ(std::stod(table[4][4]), 0.25);
}

TEST(ClashResults, PagesNeedNothingFromOutside) {
  const Floor floor, earlier(0.25, 0.75);
  const ClashResult compared = floor.compared(compare(floor, earlier));
  const std::string html = clash_html(compared, {"1998-07-01", "a <remark>"});
  EXPECT_NE(html.find("Yes, parts clash"), std::string::npos);
  EXPECT_NE(html.find("low/&quot;sunk&quot;, &lt;b&gt;"), std::string::npos);
  EXPECT_EQ(html.find("<b>,"), std::string::npos);
  EXPECT_NE(html.find("a &lt;remark&gt;"), std::string::npos);
  EXPECT_NE(html.find("data:image/png;base64,"), std::string::npos);
  EXPECT_NE(html.find("Groups against groups"), std::string::npos);
  EXPECT_NE(html.find("data-change=\"new\""), std::string::npos);
  for (const char* outside : {"http:", "https:", "src=", "@import", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_EQ(clash_html(compared, {"1998-07-01", "a <remark>"}), html);
  // Nothing to show is no reason to fail.
  EXPECT_NE(clash_html(find_clashes({})).find("</html>"), std::string::npos);
}

std::size_t count_of(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST(ClashResults, ThePageShowsTheWorstBeforeTheTables) {
  const std::string html = clash_html(Floor().result);
  const std::size_t picture = html.find("id=\"picture-1\""), table = html.find("<table");
  ASSERT_NE(picture, std::string::npos);
  EXPECT_LT(picture, table);
  EXPECT_LT(html.find("class=\"note legend\""), table);
  EXPECT_EQ(count_of(html, "class=\"note legend\""), 1u);
  // Faces are no marks: they may reach across the whole part.
  EXPECT_EQ(html.find("<polygon"), std::string::npos);
}

TEST(ClashResults, RowsLeadToPicturesAndBack) {
  const std::string html = clash_html(Floor().result);
  const std::size_t list = html.find("<table id=\"pairs\"");
  ASSERT_NE(list, std::string::npos);
  const std::string rows = html.substr(list, html.find("</table>", list) - list);
  EXPECT_EQ(count_of(rows, "<tr id=\"row-"), 4u);
  EXPECT_EQ(count_of(rows, "class=\"look\""), 4u);
  EXPECT_EQ(count_of(rows, "data-sort=\""), 4u);
  std::size_t figures = 0;
  while (html.find(fmt::format("<figure class=\"pair\" id=\"picture-{}\"", figures + 1)) !=
         std::string::npos)
    ++figures;
  ASSERT_GT(figures, 1u);
  EXPECT_EQ(count_of(html, "<figure"), figures);
  for (std::size_t i = 1; i <= figures; ++i)
    EXPECT_NE(rows.find(fmt::format("href=\"#picture-{}\"", i)), std::string::npos) << i;
  for (std::size_t at = html.find("href=\"#row-"); at != std::string::npos;
       at = html.find("href=\"#row-", at + 1)) {
    const std::string row = html.substr(at + 7, html.find('"', at + 7) - at - 7);
    EXPECT_NE(rows.find("id=\"" + row + "\""), std::string::npos) << row;
  }
}

// A row of boxes that all overlap by another length: not each of them needs a picture.
TEST(ClashResults, PicturesAreLimited) {
  test::PartsBuilder builder;
  const std::size_t cube = builder.object(scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1)));
  double x = 0;
  for (int i = 0; i < 60; ++i) {
    builder.part(fmt::format("box {}", i), cube, Pose::from_translation({x, 0, 0}));
    x += 0.95 - 0.005 * i;
  }
  const ClashResult result = find_clashes(builder.take(), {.thickness_points = 500});
  EXPECT_GE(result.count(ClashPairVerdict::clash), 50u);
  const std::string html = clash_html(result);
  EXPECT_EQ(count_of(html, "<figure"), 24u);
  EXPECT_NE(html.find("the others are in the list"), std::string::npos);
}

TEST(ClashCompare, SameIsUnchanged) {
  const Floor floor;
  const ClashComparison same = compare(floor, floor);
  EXPECT_EQ(count(same, ClashChange::unchanged), 4u);
  EXPECT_EQ(same.pairs.size(), 4u);
  EXPECT_TRUE(same.remarks.empty());
  EXPECT_EQ(comparison_sentence(floor.result), "");
}

TEST(ClashCompare, NewSolvedChanged) {
  // The block above comes near, and the one inside goes.
  const ClashComparison c = compare(Floor(0.5, 0.25, false), Floor(0.25, 0.75, true));
  EXPECT_EQ(count(c, ClashChange::fresh), 1u);      // above
  EXPECT_EQ(count(c, ClashChange::changed), 1u);    // sunk deeper
  EXPECT_EQ(count(c, ClashChange::unchanged), 1u);  // stands
  EXPECT_EQ(count(c, ClashChange::gone), 1u);       // inside
  const ClashComparison back = compare(Floor(0, 0.75), Floor(0.5, 0.25));
  EXPECT_EQ(count(back, ClashChange::solved), 2u);  // above; what was sunk stands now, too
  EXPECT_EQ(count(back, ClashChange::changed), 0u);
  // Little differences count only beyond the tolerance.
  EXPECT_EQ(count(compare(Floor(0.5, 0.25), Floor(0.5, 0.27)), ClashChange::changed), 1u);
  EXPECT_EQ(count(compare(Floor(0.5, 0.25), Floor(0.5, 0.27), 0.03), ClashChange::changed), 0u);
}

// Nothing is called free without having been tested.
TEST(ClashCompare, FreeIsOnlyWhatWasAsked) {
  // That of what does not clash, before or now.
  const auto only = [](const ClashComparison& c, ClashChange change) {
    const auto found = std::ranges::find_if(c.pairs, [&](const ClashDifference& d) {
      return d.change == change && d.before < ClashPairVerdict::contains &&
             d.now < ClashPairVerdict::contains;
    });
    return found == c.pairs.end() ? ClashDifference() : *found;
  };
  const Floor all(0, 0.75), less(0.5, 0.25, false);
  const ClashDifference gone = only(compare(less, all), ClashChange::gone);
  EXPECT_NE(gone.before, ClashPairVerdict::free);
  EXPECT_EQ(gone.now, ClashPairVerdict::undecided);
  const ClashDifference added = only(compare(all, less), ClashChange::fresh);
  EXPECT_EQ(added.before, ClashPairVerdict::undecided);
  const ClashDifference solved =
      only(compare(Floor(0, 0.75), Floor(0.5, 0.25)), ClashChange::solved);
  EXPECT_EQ(solved.now, ClashPairVerdict::free);
  const ClashDifference fresh = only(compare(Floor(0.5, 0.25), Floor(0, 0.75)), ClashChange::fresh);
  EXPECT_EQ(fresh.before, ClashPairVerdict::free);
  Floor now;
  now.options.rules.ignore = {{"floor", "above", "never mind"}};
  now.check();
  EXPECT_EQ(only(compare(now, Floor()), ClashChange::not_asked).now, ClashPairVerdict::undecided);
  EXPECT_EQ(only(compare(Floor(), now), ClashChange::fresh).before, ClashPairVerdict::undecided);
  Floor one_set;
  one_set.options.between = ClashOptions::Between{.against = {.patterns = {"stands"}}};
  one_set.check();
  EXPECT_EQ(only(compare(one_set, Floor()), ClashChange::not_asked).now,
            ClashPairVerdict::undecided);
  EXPECT_EQ(only(compare(Floor(), one_set), ClashChange::fresh).before,
            ClashPairVerdict::undecided);
}

TEST(ClashCompare, RulesAndClearancesAreTold) {
  Floor now;
  now.options.rules.ignore = {{"floor", "above", "never mind"}};
  now.check();
  const ClashComparison c = compare(now, Floor());
  EXPECT_EQ(count(c, ClashChange::not_asked), 1u);
  EXPECT_EQ(count(c, ClashChange::solved), 0u);
  Floor wide;
  wide.options.clearance = 1;
  wide.check();
  EXPECT_EQ(compare(wide, Floor()).remarks.size(), 1u);

  const Floor floor;
  const test::StudyFolder folder("clash-compare-bad");
  const auto error_with = [&](const std::string& text) -> std::string {
    folder.write("r.json", text);
    try {
      (void)compare_clashes(floor.result, load_earlier_clashes(folder.path() / "r.json"));
    } catch (const LoadError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_NE(error_with("{}").find("no result of touche clash"), std::string::npos);
  EXPECT_NE(error_with("[").find("r.json:line 1"), std::string::npos) << error_with("[");
  Json other = Json::parse(clash_json(floor.result));
  other["assembly"]["unit"] = "m";
  EXPECT_NE(error_with(other.dump()).find("/assembly/unit: lengths were in m"), std::string::npos);
}

}  // namespace
}  // namespace touche::clash_result_test
