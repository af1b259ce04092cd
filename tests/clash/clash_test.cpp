// SPDX-License-Identifier: Apache-2.0
// Clash checks of pairs whose answer is known in closed form.
#include <gtest/gtest.h>

#include <numbers>

#include "clash_scenes.h"
#include "mesh_builder.h"
#include "path/shift_apart.h"
#include "progress_record.h"
#include "requested_cancel.h"
#include "touche/path.h"

namespace touche::clash_test {
namespace {

using test::class_of;
using test::cube;
using test::only_pair;
using test::PartsBuilder;
using test::shifted;

TEST(Clash, TwoCubes) {
  const auto at = [](double x) {
    return PartsBuilder().part("a", cube(0, 1)).part("b", cube(0, 1), shifted(x)).take();
  };
  const ClashOptions options = {.clearance = 0.5};
  const ClashPair thick = only_pair(at(0.75), options);
  EXPECT_EQ(thick.verdict, ClashPairVerdict::clash);
  EXPECT_LE(thick.thickness.diameter.lower, 0.25);
  EXPECT_GE(thick.thickness.diameter.upper, 0.25);
  EXPECT_LT(thick.thickness.diameter.upper - thick.thickness.diameter.lower, 0.03);
  EXPECT_NEAR(thick.thickness.centre.x(), 0.875, 0.02);

  EXPECT_EQ(only_pair(at(1), options).verdict, ClashPairVerdict::touching);
  EXPECT_EQ(only_pair(at(1 - 1e-7), options).verdict, ClashPairVerdict::touching);
  EXPECT_EQ(only_pair(at(1 + 1e-7), options).verdict, ClashPairVerdict::touching);
  const ClashPair near = only_pair(at(1.25), options);
  EXPECT_EQ(near.verdict, ClashPairVerdict::near);
  EXPECT_EQ(near.distance.upper, 0.25);
  EXPECT_NEAR(near.distance.lower, 0.25, 1e-9);
  EXPECT_TRUE(find_clashes(at(1.5), options).pairs.empty());
  EXPECT_EQ(find_clashes(at(1.5), options).verdict, ClashVerdict::free);
  EXPECT_EQ(find_clashes(at(1.25), options).verdict, ClashVerdict::free);
  EXPECT_EQ(find_clashes(at(1.25)).count(ClashPairVerdict::free), 1u);
}

TEST(Clash, OneInsideTheOther) {
  const PolygonSoup outer = cube(0, 10), inner = cube(4, 6);
  const ClashPair pair = only_pair(PartsBuilder().part("outer", outer).part("inner", inner).take());
  EXPECT_EQ(pair.verdict, ClashPairVerdict::contains);
  EXPECT_EQ(pair.containment, Containment::b_in_a);
  EXPECT_NEAR(pair.thickness.diameter.lower, 2, 0.1);
  EXPECT_EQ(only_pair(PartsBuilder().part("inner", inner).part("outer", outer).take()).containment,
            Containment::a_in_b);

  // One of two loose pieces lies inside: that is a clash.
  const PolygonSoup pieces[] = {cube(4, 6), cube(20, 21)};
  const PolygonSoup* both[] = {&pieces[1], &pieces[0]};
  EXPECT_EQ(only_pair(PartsBuilder().part("a", outer).part("b", merged(both)).take()).verdict,
            ClashPairVerdict::contains);
  // Inside a hollow body is outside.
  scenes::MeshBuilder hollow;
  hollow.add(outer);
  const PolygonSoup shell = hollow.soup();
  std::vector<double> coordinates;
  std::vector<Index> corners, sizes;
  for (const double size : {10.0, 8.0})
    for (const Vec3& v : shell.vertices())
      for (const double x : v) coordinates.push_back(5 + (x - 5) * size / 10);
  for (const bool turned : {false, true})
    for (Index f = 0; f < shell.face_count(); ++f) {
      const auto face = shell.face(f);
      for (std::size_t k = 0; k < face.size(); ++k)
        corners.push_back(face[turned ? face.size() - 1 - k : k] + (turned ? 8 : 0));
      sizes.push_back(static_cast<Index>(face.size()));
    }
  const ClashParts nested = PartsBuilder()
                                .part("shell", PolygonSoup(coordinates, corners, sizes))
                                .part("inner", inner)
                                .take();
  EXPECT_TRUE(find_clashes(nested).pairs.empty());
}

// The same part twice at the same pose: all faces meet, and none crosses another.
TEST(Clash, CopiesInOnePlaceClash) {
  for (const PolygonSoup& soup :
       {cube(0, 1), scenes::sphere(1, 400), scenes::torus(2, 0.5, 24, 12)}) {
    const Pose turned = Pose::from_fixed_xyz(0.1, 0.2, 0.3, {5, 6, 7});
    PartsBuilder builder;
    const std::size_t object = builder.object(soup);
    const ClashPair pair =
        only_pair(builder.part("a", object, turned).part("b", object, turned).take());
    EXPECT_EQ(pair.verdict, ClashPairVerdict::clash);
    EXPECT_GT(pair.thickness.diameter.lower, 0.9);
  }
}

// A block just as large as its hole: inside, not merely touching.
TEST(Clash, WhatFitsExactlyInsideASolidIsInsideOrClashes) {
  const PolygonSoup outer = cube(0, 4);
  for (const double gap : {1e-7, 0.0})
    EXPECT_GE(
        only_pair(PartsBuilder().part("outer", outer).part("inner", cube(gap, 4 - gap)).take())
            .verdict,
        ClashPairVerdict::contains)
        << gap;
}

// A plate on which another stands, all of it turned: rounding must not make a clash of it.
TEST(Clash, TouchesStayTouchesWhenTurned) {
  int listed = 0;
  for (int i = 0; i < 20; ++i) {
    const Pose turn = Pose::from_fixed_xyz(0.3 * i, 0.7 * i, 0.2 * i, {10.0 * i, -3, 7});
    PartsBuilder builder;
    builder.part("plate", scenes::box({0, 0, 0}, {10, 10, 1}, 3), turn);
    builder.part("block", scenes::box({2, 3, 0}, {5, 6, 4}, 2), turn * shifted(0, 0, 1));
    builder.part("sunk", scenes::box({6, 3, 0}, {8, 6, 4}, 2), turn * shifted(0, 0, 0.9));
    const ClashParts parts = builder.take();
    const ClashResult result = find_clashes(parts);
    EXPECT_EQ(class_of(parts, result, "plate", "block"), ClashPairVerdict::touching) << i;
    EXPECT_EQ(class_of(parts, result, "plate", "sunk"), ClashPairVerdict::clash) << i;
    listed += static_cast<int>(result.pairs.size());
  }
  EXPECT_EQ(listed, 40);
}

// A pin of the same polygon as its bore, then one that is thicker, by more and less than allowed.
TEST(Clash, APinInItsBore) {
  constexpr Index kAround = 32;
  const auto ring = [](double inner) {
    const scenes::Vec2 profile[] = {{inner, 0}, {5, 0}, {5, 3}, {inner, 3}};
    const scenes::Vec2 runs_up[] = {profile[1], profile[2], profile[3], profile[0]};
    scenes::MeshBuilder mesh;
    mesh.lathe(runs_up, kAround, true);
    return mesh.soup();
  };
  const PolygonSoup pin = scenes::cylinder(2, 10, kAround);
  const double chord = chord_error(pin);
  EXPECT_GT(chord, 0.005);
  for (const double more : {-0.5 * chord, 0.0, 0.4 * chord, 3 * chord, 0.5}) {
    const ClashParts parts =
        PartsBuilder().part("pin", pin, shifted(0, 0, -3)).part("ring", ring(2 - more)).take();
    const ClashResult result = find_clashes(parts);
    const ClashPairVerdict expected = more < 0             ? ClashPairVerdict::free
                                      : more > 1.5 * chord ? ClashPairVerdict::clash
                                                           : ClashPairVerdict::touching;
    EXPECT_EQ(class_of(parts, result, "pin", "ring"), expected) << more << " of " << chord;
    if (expected == ClashPairVerdict::clash) {
      EXPECT_LE(result.pairs[0].thickness.diameter.lower, more);
    }
  }
}

// Two pins that meet edge to edge: each may be off by its own chord error.
TEST(Clash, ChordErrorsOfBothPartsAddUp) {
  const PolygonSoup pin = scenes::cylinder(2, 10, 32);
  const double chord = chord_error(pin);
  const auto overlapping_by = [&](double depth) {
    return only_pair(PartsBuilder().part("a", pin).part("b", pin, shifted(4 - depth, 0, 0)).take())
        .verdict;
  };
  EXPECT_EQ(overlapping_by(1.5 * chord), ClashPairVerdict::touching);
  EXPECT_EQ(overlapping_by(3 * chord), ClashPairVerdict::clash);
}

// A house whose roof bends by 25 degrees as a coarse round does: its wall is flat all the same.
PolygonSoup house() {
  scenes::MeshBuilder mesh;
  constexpr double kEaves = 20, kRidge = 31.0847;
  Index corner[2][5];
  for (const int end : {0, 1}) {
    const double x = 200.0 * end;
    corner[end][0] = mesh.vertex({x, 0, 0});
    corner[end][1] = mesh.vertex({x, 100, 0});
    corner[end][2] = mesh.vertex({x, 100, kEaves});
    corner[end][3] = mesh.vertex({x, 50, kRidge});
    corner[end][4] = mesh.vertex({x, 0, kEaves});
  }
  for (int i = 0; i < 5; ++i) {
    const int j = (i + 1) % 5;
    mesh.face({corner[0][i], corner[0][j], corner[1][j], corner[1][i]});
  }
  mesh.face({corner[1][0], corner[1][1], corner[1][2], corner[1][3], corner[1][4]});
  mesh.face({corner[0][4], corner[0][3], corner[0][2], corner[0][1], corner[0][0]});
  return mesh.soup();
}

TEST(Clash, OnlyFacesThatMeetMayBeOffFromSmoothSurfaces) {
  const PolygonSoup walls = house();
  EXPECT_TRUE(Interior(Object(walls)).closed());
  EXPECT_GT(chord_error(walls), 1.3);
  const PolygonSoup beside = scenes::box({198.8, 20, 2}, {240, 80, 15});
  const ClashPair wall =
      only_pair(PartsBuilder().part("house", walls).part("beside", beside).take());
  EXPECT_EQ(wall.verdict, ClashPairVerdict::clash);
  EXPECT_LE(wall.thickness.diameter.lower, 1.2);
  EXPECT_GE(wall.thickness.diameter.upper, 1.2);

  // On the roof they may be; and then the answer says by how much.
  const PolygonSoup above = scenes::box({70, 20, 29.8}, {130, 80, 59});
  const ClashParts parts = PartsBuilder().part("house", walls).part("above", above).take();
  const ClashResult roof = find_clashes(parts);
  ASSERT_EQ(roof.pairs.size(), 1u);
  EXPECT_EQ(roof.pairs[0].verdict, ClashPairVerdict::touching);
  EXPECT_GT(roof.pairs[0].max_touching_thickness, 1.3);
  const std::string said = clash_sentence(roof);
  EXPECT_NE(said.find("of 2 parts no two overlap by more than 1."), said.npos) << said;
  EXPECT_NE(said.find("mm, the deviation of meshes from smooth surfaces (an estimate)"), said.npos)
      << said;
  EXPECT_NE(clash_html(roof).find("overlap by no more than 1."), std::string::npos);
}

// Edges that are cut on one side only leave slits, which make no clash of a touch.
TEST(Clash, SlitsMakeNoClashOfATouch) {
  const PolygonSoup whole = scenes::box({0, 0, 0}, {10, 10, 10}, 4);
  std::vector<double> xyz;
  for (const Vec3& v : whole.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  std::vector<Index> corners;
  for (Index t = 0; t < whole.triangle_count(); ++t) {
    const auto& [a, b, c] = whole.triangle(t);
    if (t % 24 != 0) {
      corners.insert(corners.end(), {a, b, c});
      continue;
    }
    const auto middle = static_cast<Index>(xyz.size() / 3);
    const Vec3 m = whole.vertex(a) + (whole.vertex(b) - whole.vertex(a)) / 3;
    xyz.insert(xyz.end(), m.begin(), m.end());
    corners.insert(corners.end(), {a, middle, c, middle, b, c});
  }
  const PolygonSoup slits(xyz, corners);
  const Interior cut{Object(slits)}, box{Object(scenes::box({0, 0, 0}, {4, 3, 3}, 2))};
  EXPECT_FALSE(cut.closed());
  for (int i = 0; i < 10; ++i) {
    const Pose turn = Pose::from_fixed_xyz(0.3 * i, 0.7 * i, 0.2 * i, {0.1 * i, -3, 7});
    const auto sunk = [&](double depth) { return turn * shifted(10 - depth, 4, 3); };
    const ClashParts parts = PartsBuilder()
                                 .part("cut", slits, turn)
                                 .part("box", scenes::box({0, 0, 0}, {4, 3, 3}, 2), sunk(0))
                                 .take();
    EXPECT_EQ(only_pair(parts).verdict, ClashPairVerdict::touching) << i;
    // Thinness is proved where there is some, and nowhere else.
    for (const double depth : {0.003, 0.1, 1.0}) {
      EXPECT_TRUE(paths::apart_after_shift(cut, turn, box, sunk(depth), 1.01 * depth + 0.001, {}))
          << depth;
      EXPECT_FALSE(paths::apart_after_shift(cut, turn, box, sunk(depth), 0.99 * depth, {}))
          << depth;
    }
  }
}

// An overlap that shrinking takes apart is no thicker than it says; a thicker one it does not take
// apart.
TEST(Clash, ShrinkingProvesNothingWrong) {
  int proved = 0, refused = 0;
  for (int i = 0; i < 60; ++i) {
    const double depth = 0.01 * (i % 20 + 1);
    const Pose turn = Pose::from_fixed_xyz(0.1 * i, 0.2 * i, 0.3 * i, {1, 2, 3});
    const Interior a(Object(scenes::box({0, 0, 0}, {4, 4, 4}, 2)));
    const Interior b(Object(i % 3 == 0 ? scenes::box({0, 0, 0}, {4, 4, 4}, 3)
                                       : scenes::box({1, 1, 0}, {3, 3, 2}, 2)));
    const Pose on_top = turn * shifted(0, 0, 4 - depth);
    for (const double most : {0.5, 0.9, 1.5, 3.0}) {
      const bool apart = paths::apart_after_shrinking(a, turn, b, on_top, most * depth, {});
      if (most < 1) {
        EXPECT_FALSE(apart) << depth;
      }
      ++(apart ? proved : refused);
    }
  }
  EXPECT_GT(proved, 50);
  EXPECT_GT(refused, 100);
  // The same body twice overlaps as thickly as it is.
  const Interior twice(Object(cube(0, 1)));
  for (const double most : {0.1, 0.5, 0.9})
    EXPECT_FALSE(paths::apart_after_shrinking(twice, {}, twice, {}, most, {}));
}

// A cube stands on a sheet, or goes through it.
TEST(Clash, SurfacesThatAreOpenTouchOrClash) {
  scenes::MeshBuilder sheet;
  sheet.face({sheet.vertex({0, 0, 0}), sheet.vertex({4, 0, 0}), sheet.vertex({4, 4, 0}),
              sheet.vertex({0, 4, 0})});
  const auto with_cube = [&](double z) {
    return only_pair(PartsBuilder()
                         .part("sheet", sheet.soup())
                         .part("cube", cube(0, 1), shifted(1, 1, z))
                         .take());
  };
  for (const double z : {0.0, -1.0, -0.5}) {
    const ClashPair pair = with_cube(z);
    EXPECT_EQ(pair.verdict, z == -0.5 ? ClashPairVerdict::clash : ClashPairVerdict::touching);
    EXPECT_EQ(pair.containment, Containment::none);
    EXPECT_FALSE(pair.closed);
    EXPECT_EQ(pair.distance, (Bracket{0, 0}));
  }
}

// A rod through a wall of 0.2: no shift by so little separates them, but no ball of 0.2 fits.
TEST(Clash, OverlapsThatAreProvedThinCanBeIgnored) {
  const ClashParts parts = PartsBuilder()
                               .part("wall", scenes::box({-5, -5, 0}, {5, 5, 0.2}))
                               .part("rod", scenes::box({-1, -1, -5}, {1, 1, 5}))
                               .take();
  const auto with = [&](const ClashOptions& options) { return only_pair(parts, options); };
  EXPECT_EQ(with({}).verdict, ClashPairVerdict::clash);
  EXPECT_EQ(with({.max_touching_thickness = 0.25}).verdict, ClashPairVerdict::clash);
  EXPECT_EQ(with({.ignore_thinner = 0.19}).verdict, ClashPairVerdict::clash);
  const ClashPair ignored = with({.ignore_thinner = 0.25});
  EXPECT_EQ(ignored.verdict, ClashPairVerdict::touching);
  EXPECT_EQ(ignored.allowance, ClashAllowance::ignored);
  EXPECT_NEAR(ignored.thickness.diameter.upper, 0.2, 0.03);
  // Far from the origin thicknesses are measured coarsely, but shifts prove a bound.
  const ClashParts far = PartsBuilder()
                             .part("a", scenes::box({1e6, 0, 0}, {1.001e6, 1000, 1000}))
                             .part("b", scenes::box({1.000997e6, 0, 0}, {1.002e6, 1000, 1000}))
                             .take();
  EXPECT_EQ(only_pair(far, {.max_touching_thickness = 0.1}).verdict, ClashPairVerdict::clash);
  EXPECT_EQ(only_pair(far, {.max_touching_thickness = 0.1, .ignore_thinner = 4}).verdict,
            ClashPairVerdict::touching);
  EXPECT_EQ(only_pair(far, {.max_touching_thickness = 0.1, .ignore_thinner = 2.9}).verdict,
            ClashPairVerdict::clash);
  EXPECT_THROW(with({.ignore_thinner = -1}), InvalidInput);
  EXPECT_THROW(with({.ignore_thinner = std::nan("")}), InvalidInput);
}

// The default tolerance is almost 1 at such coordinates.
TEST(Clash, AGivenLimitOfTouchingIsNotWidenedFarAway) {
  const ClashParts parts = PartsBuilder()
                               .part("a", scenes::box({1e6, 0, 0}, {1.001e6, 1000, 1000}))
                               .part("b", scenes::box({1.0009995e6, 0, 0}, {1.002e6, 1000, 1000}))
                               .take();
  EXPECT_EQ(only_pair(parts).verdict, ClashPairVerdict::touching);
  const ClashPair given = only_pair(parts, {.max_touching_thickness = 0.1});
  EXPECT_EQ(given.verdict, ClashPairVerdict::clash);
  EXPECT_EQ(given.max_touching_thickness, 0.1);
  EXPECT_EQ(only_pair(parts, {.max_touching_thickness = 0.6}).verdict, ClashPairVerdict::touching);
  EXPECT_EQ(only_pair(parts, {.max_touching_thickness = 0.1, .tolerance = 0.6}).verdict,
            ClashPairVerdict::touching);
}

// A cube in a box without a lid, which it touches or not.
TEST(Clash, WhatIsInAnOpenPartIsUnknown) {
  scenes::MeshBuilder tray;
  const PolygonSoup whole = cube(0, 10);
  for (const Vec3& v : whole.vertices()) tray.vertex(v);
  for (Index f = 1; f < whole.face_count(); ++f) tray.face(whole.face(f));
  for (const double at : {4.0, 0.0, 1e-9}) {
    SCOPED_TRACE(at);
    const ClashResult result = find_clashes(PartsBuilder()
                                                .part("tray", tray.soup())
                                                .part("cube", cube(0, 1), shifted(at, at, at))
                                                .take());
    ASSERT_EQ(result.pairs.size(), 1u);
    EXPECT_EQ(result.pairs[0].verdict, ClashPairVerdict::open);
    EXPECT_EQ(result.pairs[0].containment, Containment::open);
    EXPECT_EQ(result.verdict, ClashVerdict::open);
    const std::string sentence = clash_sentence(result);
    EXPECT_EQ(sentence.find("No surfaces clash, proved"), 0u) << sentence;
    EXPECT_NE(sentence.find("Whether cube lies inside tray is unknown: tray is open"),
              std::string::npos)
        << sentence;
  }
}

TEST(Clash, RulesLeaveOutOrAccept) {
  PartsBuilder builder;
  const std::size_t object = builder.object(cube(0, 1));
  builder.part("engine/bolt 1", object).part("engine/nut 1", object, shifted(0.5));
  builder.part("engine/bolt 1/washer", object, shifted(0.25))
      .part("frame", object, shifted(0, 0.5));
  const ClashParts parts = builder.take();
  const auto with = [&](const ClashRules& rules) {
    ClashOptions options;
    options.rules = rules;
    return find_clashes(parts, options);
  };
  EXPECT_EQ(with({}).open(ClashPairVerdict::clash), 6u);
  const ClashResult ignored = with({.ignore = {{"bolt*", "nut*", "thread"}}, .accept = {}});
  EXPECT_EQ(ignored.open(ClashPairVerdict::clash), 5u);
  EXPECT_EQ(ignored.ignored, 1u);
  EXPECT_EQ(ignored.count(ClashPairVerdict::free), 0u);  // what is ignored is not called free
  EXPECT_EQ(class_of(parts, ignored, "engine/nut 1", "engine/bolt 1"), ClashPairVerdict::free);
  const ClashResult accepted = with({.ignore = {}, .accept = {{"engine/*", "frame", "soft"}}});
  EXPECT_EQ(accepted.count(ClashPairVerdict::clash), 6u);
  EXPECT_EQ(accepted.open(ClashPairVerdict::clash), 3u);
  for (const ClashPair& pair : accepted.pairs)
    EXPECT_EQ(pair.accepted.has_value(), pair.part_b == 3) << pair.part_a;
  EXPECT_FALSE(accepted.pairs[worst_first(accepted)[0]].accepted);
  EXPECT_EQ(with({.ignore = {}, .accept = {}, .same_group = ClashRuling::ignore}).ignored, 1u);
  EXPECT_EQ(with({.ignore = {}, .accept = {}, .parent_and_child = ClashRuling::accept})
                .accepted[static_cast<std::size_t>(ClashPairVerdict::clash)],
            1u);
  const ClashResult all = with({.ignore = {}, .accept = {{"*", "*", "all"}}});
  EXPECT_EQ(all.verdict, ClashVerdict::free);
  EXPECT_EQ(with({.ignore = {{"screw*", "nut*", ""}}, .accept = {}}).remarks,
            std::vector<std::string>{"rules: /ignore/0/a: \"screw*\" matches no part"});
}

TEST(Clash, Patterns) {
  for (const auto& [pattern, name] :
       std::vector<std::pair<const char*, const char*>>{{"bolt*", "bolt"},
                                                        {"bolt*", "a/b/bolt 3"},
                                                        {"*", "x"},
                                                        {"a/*", "a/b/c"},
                                                        {"b?lt", "bolt"},
                                                        {"*o*t*", "bolt"},
                                                        {"*/bolt", "a/b/bolt"},
                                                        {"M8\\*20", "M8*20"},
                                                        {"", ""}})
    EXPECT_TRUE(matches(pattern, name)) << pattern << " " << name;
  for (const auto& [pattern, name] :
       std::vector<std::pair<const char*, const char*>>{{"bolt", "bolts"},
                                                        {"bolt*", "bolt/nut"},
                                                        {"a/*", "b/a/c"},
                                                        {"b?lt", "blt"},
                                                        {"M8\\*20", "M8x20"},
                                                        {"?", ""},
                                                        {"Bolt", "bolt"}})
    EXPECT_FALSE(matches(pattern, name)) << pattern << " " << name;
}

TEST(Clash, WhatIsGivenUpIsNotFree) {
  PartsBuilder builder;
  const std::size_t object = builder.object(scenes::sphere(1, 800));
  for (int i = 0; i < 5; ++i) builder.part(std::string(1, char('a' + i)), object, shifted(1.9 * i));
  const ClashParts parts = builder.take();
  const Cancel cancel = test::requested();
  test::ProgressRecord of_stopped, progress;
  ClashOptions options;
  options.budget = {.cancel = cancel, .progress = of_stopped.function()};
  const ClashResult stopped = find_clashes(parts, options);
  EXPECT_EQ(stopped.verdict, ClashVerdict::interrupted);
  EXPECT_EQ(stopped.count(ClashPairVerdict::undecided), 4u);
  EXPECT_EQ(stopped.parts.parts.size(), 5u);
  EXPECT_FALSE(stopped.options.budget.expired()) << "a result keeps no flag of the caller";
  options.budget = {.max_work = 0};
  const ClashResult given_up = find_clashes(parts, options);
  EXPECT_EQ(given_up.verdict, ClashVerdict::undecided);
  EXPECT_EQ(given_up.count(ClashPairVerdict::undecided), 4u);
  EXPECT_EQ(given_up.options.budget.max_work, 0u);
  options.budget = {.progress = progress.function()};
  EXPECT_EQ(find_clashes(parts, options).count(ClashPairVerdict::clash), 4u);
  EXPECT_EQ(progress.done, progress.total);
}

TEST(Clash, LengthsMustMakeSense) {
  const ClashParts parts = PartsBuilder().part("a", cube(0, 1)).take();
  for (const double bad : {-1.0, kInfinity, std::nan("")}) {
    EXPECT_THROW((void)find_clashes(parts, {.clearance = bad}), InvalidInput);
    EXPECT_THROW((void)find_clashes(parts, {.max_touching_thickness = bad}), InvalidInput);
    EXPECT_THROW((void)find_clashes(parts, {.tolerance = bad}), InvalidInput);
  }
  EXPECT_EQ(find_clashes(parts).verdict, ClashVerdict::free);
  EXPECT_EQ(find_clashes({}).verdict, ClashVerdict::free);
}

}  // namespace
}  // namespace touche::clash_test
