// SPDX-License-Identifier: Apache-2.0
// Drawings of the plane as parts: classes of closed forms, random ones against the reference
// implementations of the plane, and rejected inputs.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "clash_scenes.h"
#include "hit_share.h"
#include "plane_outlines.h"
#include "test_scale.h"
#include "touche/reference.h"

namespace touche::clash_drawings_test {
namespace {

using plane::Chain;
using plane::Outline;
using plane::Vec2;
using test::StudyFolder;

std::string svg(const std::string& content) {
  return "<svg xmlns='http://www.w3.org/2000/svg'>" + content + "</svg>";
}

std::string rect(double x, double y, double w, double h) {
  return fmt::format("<rect x='{}' y='{}' width='{}' height='{}'/>", x, y, w, h);
}

const ClashPair* pair_of(const ClashParts& parts, const ClashResult& result, const std::string& a,
                         const std::string& b) {
  for (const ClashPair& pair : result.pairs)
    if (parts.parts[pair.part_a].name == a && parts.parts[pair.part_b].name == b) return &pair;
  return nullptr;
}

std::vector<std::string> names_of(const ClashParts& parts) {
  std::vector<std::string> names;
  for (const ClashPart& part : parts.parts) names.push_back(part.name);
  return names;
}

// Two groups of a drawing that overlap by 2.
TEST(ClashDrawings, DrawingsAreSplitOnRequest) {
  using Names = std::vector<std::string>;
  const StudyFolder made("clash-drawings-split");
  const auto folder = made.path() / "sheets";  // without meshes
  std::filesystem::create_directory(folder);
  made.write("sheets/nest.svg",
             svg("<g id='left'>" + rect(10, 10, 30, 30) +
                 "<path d='M20 20H25'/></g><g id='right'>" + rect(38, 10, 30, 30) +
                 "</g><g id='note' style='display:none'>" + rect(0, 0, 1, 1) + "</g>"));
  const auto file = folder / "nest.svg";
  EXPECT_EQ(load_clash_parts({file}).parts.size(), 1u);
  for (const Split how : {Split::objects, Split::layers}) {
    const ClashParts parts = load_clash_parts({file}, {.split = how});
    EXPECT_EQ(names_of(parts), (Names{"left", "right"}));
    EXPECT_EQ(parts.unit, "mm");
    EXPECT_TRUE(has_drawings(parts));
    ASSERT_EQ(parts.remarks.size(), 2u);
    EXPECT_EQ(parts.remarks[0], file.string() + ": 1 shape not displayed (note) is left out");
    EXPECT_EQ(parts.remarks[1].find(file.string() + "#left: 1 of 2 chains is open"), 0u)
        << parts.remarks[1];
    const ClashResult result = find_clashes(parts);
    ASSERT_EQ(result.pairs.size(), 1u);
    EXPECT_EQ(result.pairs[0].verdict, ClashPairVerdict::clash);
    EXPECT_LE(result.pairs[0].thickness.diameter.lower, 2);
    EXPECT_GE(result.pairs[0].thickness.diameter.upper, 2);
    EXPECT_EQ(test::Json::parse(clash_json(result))["assembly"]["split"], std::string(name(how)));
  }

  // By their names; with several files these start with the file's.
  const std::vector<std::filesystem::path> named = {file.string() + "#right",
                                                    file.string() + "#left"};
  const ClashParts two = load_clash_parts(named);
  EXPECT_EQ(names_of(two), (Names{"right", "left"}));
  EXPECT_EQ(two.remarks.size(), 2u);  // once, although the file is given twice
  EXPECT_EQ(find_clashes(two).verdict, ClashVerdict::clash);
  made.write("sheets/pin.dxf",
             "0\nSECTION\n2\nENTITIES\n0\nCIRCLE\n8\nholes\n10\n100\n20\n0\n40\n1\n"
             "0\nENDSEC\n0\nEOF\n");
  EXPECT_EQ(names_of(load_clash_parts({file, folder / "pin.dxf"}, {.split = Split::layers})),
            (Names{"left", "right", "holes"}));
  EXPECT_EQ(names_of(load_clash_parts({folder}, {.split = Split::objects})),
            (Names{"nest.svg/left", "nest.svg/right", "pin.dxf/holes"}));
  EXPECT_EQ(names_of(load_clash_parts({file},
                                      {.drawings = {.drop_open = true}, .split = Split::objects})),
            (Names{"left", "right"}));

  EXPECT_THROW((void)load_clash_parts({file}, {.split = Split::shells}), InvalidInput);
  EXPECT_THROW((void)load_clash_parts({file.string() + "#up"}), LoadError);
  EXPECT_THROW((void)load_clash_parts(named, {.split = Split::layers}), InvalidInput);
}

TEST(ClashDrawings, StudiesNamePartsOfADrawing) {
  const StudyFolder folder("clash-drawings-study");
  folder.write("nest.svg", svg("<g id='left'>" + rect(0, 0, 2, 2) + "</g><g id='right'>" +
                               rect(1, 0, 2, 2) + "</g>"));
  test::Json study = test::box_study();
  study["unit"] = "mm";
  study["parts"][0]["file"] = "nest.svg#left";
  study["parts"][1]["file"] = "nest.svg#right";
  folder.write("study.json", study.dump());
  const ClashParts parts = clash_parts(load_study(folder.path() / "study.json"));
  ASSERT_EQ(parts.parts.size(), 2u);
  EXPECT_EQ(parts.objects[0].bounds().hi.x(), 2);
  EXPECT_EQ(parts.objects[1].bounds().lo.x(), 1);
  study["parts"][1]["file"] = "nest.svg#centre";
  folder.write("study.json", study.dump());
  EXPECT_THROW((void)clash_parts(load_study(folder.path() / "study.json")), LoadError);
}

TEST(ClashDrawings, EveryPairHasItsClass) {
  const StudyFolder folder("clash-drawings");
  folder.write("plate.svg", svg("<path d='M0 0H40V20H0Z M5 5H15V15H5Z'/>"));
  folder.write("in-hole.svg", svg(rect(7, 7, 6, 6)));    // 2 from the border of the hole
  folder.write("in-plate.svg", svg(rect(20, 5, 2, 2)));  // on the material
  folder.write("across.svg", svg(rect(38, 5, 10, 3)));   // overlaps by 2 × 3
  folder.write("beside.svg", svg(rect(40, 18, 10, 1)));  // shares a piece of the border
  folder.write("apart.svg", svg(rect(50, 20.5, 5, 5)));  // √(10² + 0.5²) from the plate
  const std::string line = svg("<line x1='-5' y1='10' x2='3' y2='10'/>");
  folder.write("line.svg", line);  // ends in the plate
  std::vector<std::filesystem::path> files;
  for (const char* name : {"plate", "in-hole", "in-plate", "across", "beside", "apart", "line"})
    files.push_back(folder.path() / (std::string(name) + ".svg"));
  const ClashParts parts = load_clash_parts(files);
  EXPECT_EQ(parts.unit, "mm");
  EXPECT_TRUE(has_drawings(parts));
  ASSERT_EQ(parts.remarks.size(), 1u);
  EXPECT_NE(parts.remarks[0].find("1 of 1 chains is open"), std::string::npos);
  const ClashResult result = find_clashes(parts, {.clearance = 2.5});
  EXPECT_EQ(result.verdict, ClashVerdict::clash);
  const auto at = [&](const char* b) {
    return pair_of(parts, result, "plate.svg", std::string(b) + ".svg");
  };
  ASSERT_TRUE(at("in-hole") && at("in-plate") && at("across") && at("beside") && at("line"));
  EXPECT_EQ(at("in-hole")->verdict, ClashPairVerdict::near);
  EXPECT_NEAR(at("in-hole")->distance.upper, 2, 1e-12);
  EXPECT_EQ(at("in-plate")->verdict, ClashPairVerdict::contains);
  EXPECT_EQ(at("in-plate")->containment, Containment::b_in_a);
  EXPECT_NEAR(at("in-plate")->thickness.diameter.lower, 2, 0.3);
  EXPECT_GE(at("in-plate")->thickness.diameter.upper, 2);
  EXPECT_EQ(at("across")->verdict, ClashPairVerdict::clash);
  EXPECT_LE(at("across")->thickness.diameter.lower, 2);
  EXPECT_GE(at("across")->thickness.diameter.upper, 2);
  EXPECT_NEAR(at("across")->thickness.diameter.lower, 2, 0.3);
  EXPECT_EQ(at("across")->thickness.centre.z(), 0);
  EXPECT_EQ(at("beside")->verdict, ClashPairVerdict::touching);
  EXPECT_EQ(at("line")->verdict, ClashPairVerdict::clash);
  EXPECT_FALSE(at("line")->closed);
  EXPECT_EQ(at("apart"), nullptr);
  // Contacts are in the plane: y is turned upwards.
  for (const ClashPair& pair : result.pairs) {
    EXPECT_TRUE(pair.contact || pair.verdict == ClashPairVerdict::contains);
    if (!pair.contact) continue;
    EXPECT_EQ(pair.contact->point_a.z(), 0);
    EXPECT_EQ(pair.contact->normal.z(), 0);
    EXPECT_NEAR(pair.contact->normal.norm(), 1, 1e-12);
  }
  // An overlap that is allowed touches.
  EXPECT_EQ(pair_of(parts, find_clashes(parts, {.max_touching_thickness = 2.1}), "plate.svg",
                    "across.svg")
                ->verdict,
            ClashPairVerdict::touching);
  // All results are written.
  const test::Json json = test::Json::parse(clash_json(result));
  EXPECT_EQ(json["counts"]["near"], result.count(ClashPairVerdict::near));
  EXPECT_EQ(test::read_csv(clash_csv(result)).size(), result.pairs.size() + 1);
  EXPECT_NE(clash_html(result).find("</html>"), std::string::npos);
}

// The class of two outlines at poses, by the reference implementations of the plane.
ClashPairVerdict expected_class(const plane::Object& a, const plane::Pose& pose_a,
                                const plane::Object& b, const plane::Pose& pose_b,
                                double clearance) {
  if (plane::brute_force::intersects(a, pose_a, b, pose_b)) return ClashPairVerdict::clash;
  for (const bool swapped : {false, true}) {
    const plane::Region outer(swapped ? a : b);
    const Outline& inner = (swapped ? b : a).outline();
    const plane::Pose to_outer = swapped ? pose_a.inverse() * pose_b : pose_b.inverse() * pose_a;
    for (Index c = 0; c < inner.chain_count(); ++c)
      if (plane::brute_force::place(outer, to_outer * inner.vertex(inner.first_vertex(c))) ==
          plane::Place::inside)
        return ClashPairVerdict::contains;
  }
  const double apart = plane::brute_force::distance(a, pose_a, b, pose_b).distance.upper;
  return apart < clearance ? ClashPairVerdict::near : ClashPairVerdict::free;
}

TEST(ClashDrawings, AgreeWithTheTwinsOfThePlane) {
  base::Random random(51);
  const int cases = test::scaled(40);
  int meet = 0, total = 0, contains = 0, near = 0;
  for (int n = 0; n < cases; ++n) {
    ClashParts parts;
    std::vector<plane::Object> objects;
    std::vector<plane::Pose> poses;
    const double size = std::pow(10.0, random.uniform(-3, 3));
    for (int k = 0; k < 6; ++k) {
      const double own = k % 2 == 0 ? size : 0.2 * size;
      std::vector<Chain> chains = {test::star_polygon(random, 3 + random.below(12), own)};
      if (random.below(2) == 0) chains.push_back(test::star_polygon(random, 5, 0.3 * own));
      objects.emplace_back(Outline(chains), std::to_string(k));
      poses.emplace_back(random.uniform(-3, 3), test::random_vec2(random, 0.8 * size));
      parts.objects.push_back(objects.back().in_space());
      parts.parts.push_back(
          {std::to_string(k), "", static_cast<std::size_t>(k), poses.back().in_space()});
    }
    const ClashOptions options{
        .clearance = 0.2 * size, .max_touching_thickness = 0, .tolerance = 1e-9 * size};
    const ClashResult result = find_clashes(parts, options);
    const ClashResult slow = brute_force::find_clashes(parts, options);
    EXPECT_EQ(result.counts, slow.counts) << n;
    EXPECT_EQ(clash_csv(result), clash_csv(slow)) << n;
    for (std::size_t a = 0; a < 6; ++a)
      for (std::size_t b = a + 1; b < 6; ++b) {
        const ClashPairVerdict truth =
            expected_class(objects[a], poses[a], objects[b], poses[b], options.clearance);
        const ClashPair* found = pair_of(parts, result, parts.parts[a].name, parts.parts[b].name);
        EXPECT_EQ(found != nullptr ? found->verdict : ClashPairVerdict::free, truth)
            << n << ": " << a << ", " << b;
        meet += truth == ClashPairVerdict::clash;
        contains += truth == ClashPairVerdict::contains;
        near += truth == ClashPairVerdict::near;
        ++total;
      }
  }
  test::expect_about_half(meet, total);
  EXPECT_GT(contains, 0);
  EXPECT_GT(near, total / 50);
}

TEST(ClashDrawings, WhatIsOddWithDrawingsIsTold) {
  const StudyFolder folder("clash-drawings-remarks");
  // A circle of radius 5, and its two arcs; a disc in the middle lies inside of it.
  const std::string arcs =
      "0\nARC\n10\n0\n20\n0\n40\n5\n50\n0\n51\n180\n0\nARC\n10\n0\n20\n0\n40\n5\n50\n180\n51\n0\n";
  folder.write("twice.dxf", "0\nSECTION\n2\nENTITIES\n0\nCIRCLE\n10\n0\n20\n0\n40\n5\n" + arcs +
                                "0\nENDSEC\n0\nEOF\n");
  folder.write("disc.svg", svg("<circle r='1'/>"));
  const ClashParts parts =
      load_clash_parts({folder.path() / "twice.dxf", folder.path() / "disc.svg"});
  ASSERT_EQ(parts.remarks.size(), 2u);
  EXPECT_EQ(parts.remarks[1],
            "curves are drawn by chords, which are off by up to 0.001395 mm: answers are about the "
            "chords");
  EXPECT_NE(parts.remarks[0].find("twice.dxf: chain 1 is drawn over chain 0"), std::string::npos)
      << parts.remarks[0];
  const ClashOptions options;
  const ClashResult result = find_clashes(parts, options);
  ASSERT_EQ(result.pairs.size(), 1u);
  EXPECT_EQ(result.pairs[0].verdict, ClashPairVerdict::contains);
  EXPECT_EQ(test::Json::parse(clash_json(result))["remarks"], test::Json(parts.remarks));
  std::string words = clash_html(result);
  EXPECT_NE(words.find("is drawn over chain 0"), std::string::npos);
  for (std::size_t at; (at = words.find("base64,")) != std::string::npos;)
    words.erase(at, words.find('"', at) - at);
  for (const char* word : {" face", "faces", "mesh", "urface", " ball"})
    EXPECT_EQ(words.find(word), std::string::npos)
        << word << ": " << words.substr(words.find(word) - 100, 200);
  // The same of the parts of a study.
  test::Json study = test::box_study();
  study["parts"][0]["file"] = "disc.svg";
  study["parts"][1]["file"] = "twice.dxf";
  folder.write("study.json", study.dump());
  const ClashParts moved = clash_parts(load_study(folder.path() / "study.json"));
  ASSERT_EQ(moved.remarks.size(), 2u);
  EXPECT_EQ(moved.remarks[1], parts.remarks[1]);
  EXPECT_EQ(moved.remarks[0].rfind("wall: chain 1 is drawn over chain 0", 0), 0u);
}

TEST(ClashDrawings, FoldersAndWhatIsRefused) {
  const StudyFolder folder("clash-drawings-refused");
  std::filesystem::create_directories(folder.path() / "sheet" / "left");
  folder.write("sheet/a.svg", svg(rect(0, 0, 1, 1)));
  folder.write("sheet/left/b.DXF",
               "0\nSECTION\n2\nENTITIES\n0\nCIRCLE\n10\n5\n20\n0\n40\n1\n0\nENDSEC\n0\nEOF\n");
  folder.write("sheet/readme.txt", "a text");
  const ClashParts sheet = load_clash_parts({folder.path() / "sheet"});
  ASSERT_EQ(sheet.parts.size(), 2u);
  EXPECT_EQ(sheet.parts[1].name, "left/b.DXF");
  EXPECT_EQ(sheet.parts[1].group, "left");
  EXPECT_EQ(sheet.remarks.size(), 2u);
  // Beside meshes they are reported and left out.
  folder.write("sheet/cube.off", test::box_off(0, 0, 0, 1, 1, 1));
  const ClashParts mixed = load_clash_parts({folder.path() / "sheet"});
  EXPECT_EQ(mixed.parts.size(), 1u);
  EXPECT_EQ(mixed.remarks.size(), 3u);
  EXPECT_FALSE(has_drawings(mixed));

  const auto path = [&](const char* name) { return folder.path() / "sheet" / name; };
  const auto refused = [&](const std::vector<std::filesystem::path>& files,
                           const ClashLoadOptions& options = {}) {
    try {
      (void)load_clash_parts(files, options);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("it was read");
  };
  EXPECT_NE(refused({path("a.svg"), path("cube.off")}).find("one kind"), std::string::npos);
  EXPECT_NE(refused({path("a.svg")}, {.unit = "in"}).find("millimetres"), std::string::npos);
  EXPECT_NE(refused({path("cube.off")}, {.drawings = {.chord_error = 1}}).find("drawings"),
            std::string::npos);
  EXPECT_NE(refused({path("a.svg#layer")}).find("no object or layer"), std::string::npos);
  EXPECT_NE(refused({path("none.svg")}).find("none.svg"), std::string::npos);

  ClashParts turned = sheet;
  turned.parts[0].pose = Pose::from_axis_angle({1, 0, 0}, 0.1, {0, 0, 0});
  EXPECT_THROW((void)find_clashes(turned), InvalidInput);
  ClashParts with_mesh = sheet;
  with_mesh.objects.push_back(mixed.objects[0]);
  with_mesh.parts.push_back({"cube", "", 2, Pose()});
  EXPECT_THROW((void)find_clashes(with_mesh), InvalidInput);
}

// A strip right through a disc is no touch, however thin it is; a pin that is a hair too thick for
// its hole is one where the hair is allowed, and meets it within the accuracy where a hair less is.
TEST(ClashDrawings, OnlyWhatComesApartTouches) {
  const StudyFolder folder("clash-drawings-apart");
  folder.write("disc.svg", svg("<circle cx='0' cy='0' r='1000'/>"));
  folder.write("strip.svg", svg(rect(-1500, 0, 3000, 0.1)));
  folder.write("plate.svg", svg("<path d='M-9 -9H9V9H-9Z'/><path d='M-5 -5H5V5H-5Z'/>"));
  folder.write("pin.svg", svg(rect(-5.01, -4.99, 10.02, 9.98)));
  const auto verdict = [&](const char* a, const char* b, std::optional<double> allowed) {
    const ClashParts parts = load_clash_parts({folder.path() / a, folder.path() / b});
    return find_clashes(parts, {.max_touching_thickness = allowed}).pairs.at(0).verdict;
  };
  EXPECT_EQ(verdict("disc.svg", "strip.svg", std::nullopt), ClashPairVerdict::clash);
  EXPECT_EQ(verdict("disc.svg", "strip.svg", 0.3), ClashPairVerdict::clash);
  EXPECT_EQ(verdict("plate.svg", "pin.svg", 0.05), ClashPairVerdict::touching);
  EXPECT_EQ(verdict("plate.svg", "pin.svg", 0.01), ClashPairVerdict::within_accuracy);
  EXPECT_EQ(verdict("plate.svg", "pin.svg", 0.002), ClashPairVerdict::clash);
}

}  // namespace
}  // namespace touche::clash_drawings_test
