// SPDX-License-Identifier: Apache-2.0
// k-DOPs of directions that a user gives: as volumes, in trees and in files. That they hold what
// they should is tested with all other volumes, in bounds_test.cpp.
#include "touche/methods/kdop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/checked_file.h"
#include "bounds_sets.h"
#include "exact.h"
#include "hit_share.h"
#include "methods/bounds/kdop.h"
#include "study_files.h"
#include "temporary_folder.h"
#include "test_scale.h"
#include "touche/methods/measure_costs.h"
#include "touche/methods/volume_tree.h"
#include "touche/reference.h"
#include "tree_cases.h"

namespace touche {
namespace {

namespace fs = std::filesystem;
using test::Sets;
using test::TreeCases;

std::vector<Vec3> given_directions(int count) {
  std::vector<Vec3> out;
  for (int k = 0; k < count; ++k) {
    const double z = (k + 0.5) / count, r = std::sqrt(1 - z * z), angle = 2.4 * k;
    out.emplace_back(7 * r * std::cos(angle), 7 * r * std::sin(angle), 7 * z);
  }
  return out;
}

TEST(GivenKdop, OfACubesNormalsIsItsBox) {
  const std::vector<Vec3> axes = {4 * Vec3::UnitX(), 0.5 * Vec3::UnitY(), -Vec3::UnitZ()};
  const std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 2, 0.1), Vec3(0.5, 1, -3)};
  const Kdop box = Kdop::fit(points, axes);
  const std::vector<Kdop::Slab> slabs = box.slabs();
  ASSERT_EQ(slabs.size(), 3u);
  EXPECT_EQ(slabs[0].normal, Vec3::UnitX());
  EXPECT_EQ(slabs[1].normal, Vec3::UnitY());
  EXPECT_EQ(slabs[2].normal, -Vec3::UnitZ());
  EXPECT_EQ(slabs[0].lo, 0);
  EXPECT_EQ(slabs[0].hi, 1);
  EXPECT_EQ(slabs[2].lo, -0.1);
  EXPECT_EQ(slabs[2].hi, 3);
  EXPECT_NEAR(box.volume(), 6.2, 1e-12);
  EXPECT_NEAR(box.surface_area(), 2 * (2 + 3.1 + 6.2), 1e-12);
  EXPECT_NEAR(box.diameter(), std::sqrt(5 + 3.1 * 3.1), 1e-12);
  EXPECT_EQ(box.faces().size(), 6u);
  EXPECT_TRUE(box.contains(points[1]));
  EXPECT_FALSE(box.contains(Vec3(0.5, 1, 0.2)));
  // Two of them, a half apart, and touching.
  EXPECT_NEAR(lower_bound(box, box, Pose::from_translation(Vec3(1.5, 0, 0))), 0.5, 1e-12);
  EXPECT_FALSE(overlap(box, box, Pose::from_translation(Vec3(1.5, 0, 0))));
  EXPECT_TRUE(overlap(box, box, Pose::from_translation(Vec3(1, 2, 0))));
  EXPECT_NEAR(box.moved(Pose::from_translation(Vec3(1, 2, 3))).volume(), 6.2, 1e-9);
}

// The same set computed by two methods.
TEST(GivenKdop, AgreesWithThatOfFixedDirections) {
  Sets sets(41);
  const int n = test::scaled(400);
  int hits = 0;
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const std::vector<Vec3> of_a = sets.cloud(8), of_b = sets.cloud(8);
    const Kdop a = Kdop::fit(of_a, bounds::kdop_directions(18));
    const Kdop b = Kdop::fit(of_b, bounds::kdop_directions(18));
    const auto fixed_a = bounds::Kdop<18>::fit(of_a), fixed_b = bounds::Kdop<18>::fit(of_b);
    EXPECT_NEAR(a.volume() / fixed_a.volume(), 1, 1e-9);
    EXPECT_NEAR(a.surface_area() / fixed_a.surface_area(), 1, 1e-9);
    EXPECT_NEAR(a.diameter() / fixed_a.diameter(), 1, 1e-9);
    const Pose pose = sets.pose(sets.real(0.1, 2) * sets.direction());
    // On fewer directions less is seen apart.
    const double bound = lower_bound(a, b, pose);
    EXPECT_GE(bound, bounds::lower_bound(fixed_a, fixed_b, pose) - 1e-9);
    EXPECT_EQ(overlap(a, b, pose), bound == 0);
    hits += bound == 0;
    for (const Vec3& p : of_a)
      for (const Vec3& q : of_b) EXPECT_LE(bound, (p - pose * q).norm());
  }
  test::expect_about_half(hits, n);
}

TEST(GivenKdop, OfDifferentDirectionsMeetWhereTheyDo) {
  Sets sets(42);
  const int n = test::scaled(400);
  int hits = 0;
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const std::vector<Vec3> of_a = sets.cloud(8), of_b = sets.cloud(8);
    const Kdop a = Kdop::fit(of_a, given_directions(5 + i % 4));
    const Kdop b = Kdop::fit(of_b, given_directions(13));
    const Pose pose = sets.pose(sets.real(0.1, 2) * sets.direction());
    const bool met = overlap(a, b, pose);
    EXPECT_EQ(met, overlap(b, a, pose.inverse()));
    // The moved k-DOP contains the moved set.
    const Kdop moved = b.moved(pose);
    for (const Vec3& q : of_b) EXPECT_TRUE(moved.contains(pose * q));
    if (!met) {
      for (int k = 0; k < 20; ++k) EXPECT_FALSE(a.contains(pose * sets.inside(of_b)));
    }
    hits += met;
  }
  test::expect_about_half(hits, n);
}

// Lengths of directions do not matter, even near the limits of doubles.
TEST(GivenKdop, TakesDirectionsOfAnyLength) {
  Sets sets(43);
  const std::vector<Vec3> directions = given_directions(6), points = sets.cloud(12);
  const double volume = Kdop::fit(points, directions).volume();
  for (const double factor : {5e-324 * 0x1p60, 1e-200, 3.0, 1e200, 1e307}) {
    std::vector<Vec3> longer = directions;
    longer[0] *= factor / 7;
    longer[3] *= -factor / 7;
    const Kdop dop = Kdop::fit(points, longer);
    EXPECT_NEAR(dop.volume() / volume, 1, 1e-9) << factor;
    for (const Kdop::Slab& slab : dop.slabs()) {
      EXPECT_GE(slab.normal.cwiseAbs().maxCoeff(), 1);
      EXPECT_LT(slab.normal.cwiseAbs().maxCoeff(), 2);
      for (const Vec3& p : points) {
        const test::Rational x = dot(test::RVec(slab.normal), test::RVec(p));
        EXPECT_TRUE(x >= test::Rational(slab.lo) && x <= test::Rational(slab.hi));
      }
    }
  }
}

// Twice the same face would count twice, and the corners of two that are nearly the same are none.
TEST(GivenKdop, TakesOneOfThoseThatAreAlike) {
  Sets sets(47);
  const std::vector<Vec3> directions = given_directions(6), points = sets.cloud(12);
  const Kdop once = Kdop::fit(points, directions);
  for (const double off : {0.0, 1e-12, 1e-9, 1e-7, 3e-5}) {
    std::vector<Vec3> more = directions;
    for (const Vec3& d : directions) more.emplace_back(-3 * (d + off * sets.direction()));
    const Kdop dop = Kdop::fit(points, more);
    EXPECT_EQ(dop.slabs().size(), 6u);
    EXPECT_EQ(dop.volume(), once.volume());
    EXPECT_EQ(dop.surface_area(), once.surface_area());
  }
  std::vector<Vec3> more = directions;
  for (const Vec3& d : directions) more.emplace_back(d + 0.01 * sets.direction());
  const Kdop tight = Kdop::fit(points, more);
  EXPECT_EQ(tight.slabs().size(), 12u);
  EXPECT_LE(tight.volume(), once.volume());
  EXPECT_GT(tight.volume(), 0.9 * once.volume());
}

TEST(GivenKdop, RefusesWhatMakesNone) {
  const std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 1, 1)};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<Vec3>> bad = {
      {},
      {Vec3::UnitX(), Vec3::UnitY()},
      {Vec3::UnitX(), Vec3::UnitY(), Vec3::Zero()},
      {Vec3::UnitX(), Vec3::UnitY(), Vec3(0, nan, 1)},
      {Vec3::UnitX(), Vec3::UnitY(), Vec3(0, kInfinity, 1)},
      {Vec3::UnitX(), Vec3::UnitY(), Vec3(1, 1, 0), Vec3(2, 1, 1e-6)},
      std::vector<Vec3>(121, Vec3(1, 2, 3))};
  const PolygonSoup soup = TreeCases(1).cloud(5);
  for (const std::vector<Vec3>& directions : bad) {
    EXPECT_THROW((void)Kdop::fit(points, directions), InvalidInput);
    EXPECT_THROW(VolumeTree(soup, {.volume = "dop", .directions = directions}), InvalidInput);
  }
  EXPECT_THROW((void)Kdop::fit({}, given_directions(5)), InvalidInput);
  EXPECT_THROW(VolumeTree(soup, {.volume = "obb", .directions = given_directions(5)}),
               InvalidInput);
  EXPECT_EQ(volume_of_name("dop"), "dop");
}

TEST(GivenKdop, TreesGiveTheAnswersOfBruteForce) {
  TreeCases cases(44);
  int hits = 0;
  const int n = test::scaled(28, 8);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const PolygonSoup a = cases.cloud(60), b = cases.cloud(40);
    TreeOptions options{.volume = "dop", .directions = given_directions(4 + i % 8)};
    options.method = i % 2 == 0 ? SplitMethod::surface_area : SplitMethod::moving_centres;
    options.degree = 2 + i % 7;
    const VolumeTree tree_a(a, options);
    options.directions = given_directions(7);  // the directions of both may differ
    const VolumeTree tree_b(b, options);
    tree_a.validate();
    tree_b.validate();
    EXPECT_EQ(tree_a.volume(), "dop");
    const Pose pose = cases.near(0.7);
    const auto truth = brute_force::intersecting_faces(Object(a), {}, Object(b), pose).pairs;
    const TreeResult found = intersects(
        tree_a, {}, tree_b, pose, {.expansion = static_cast<Expansion>(i % 4), .all_pairs = true});
    EXPECT_EQ(found.pairs, truth);
    hits += found.intersects;
    std::vector<double> coordinates;
    for (const Vec3& p : a.vertices())
      for (const double x : Vec3(2 * p.x(), p.y() + p.z(), p.z())) coordinates.push_back(x);
    tree_a.refitted(coordinates).validate();
  }
  test::expect_about_half(hits, n);
}

TEST(GivenKdop, TreesComeBackFromFiles) {
  TreeCases cases(45);
  const PolygonSoup soup = cases.cloud(50);
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "given.tree";
  const VolumeTree tree(soup, {.volume = "dop", .directions = given_directions(5)});
  save_tree(tree, file);
  const VolumeTree loaded = load_tree(soup, file);
  loaded.validate();
  EXPECT_EQ(loaded.volume(), "dop");
  EXPECT_EQ(loaded.shape().bytes, tree.shape().bytes);
  EXPECT_EQ(loaded.shape().quality, tree.shape().quality);
  const Pose pose = cases.near(0.4);
  EXPECT_EQ(intersects(loaded, {}, tree, pose, {.all_pairs = true}).pairs,
            intersects(tree, {}, loaded, pose, {.all_pairs = true}).pairs);
  // Saved and refitted again it is the same: it has kept its directions.
  const std::string bytes = test::read_text(file);
  save_tree(loaded.refitted({&soup.vertices().data()->x(), 3 * soup.vertex_count()}), file);
  EXPECT_EQ(test::read_text(file), bytes);

  // Volumes of one tree have the same directions, or the file is refused.
  const double normal = given_directions(5)[0].x();
  std::string forged = bytes;
  const double even =
      std::scalbn(normal, -std::ilogb(given_directions(5)[0].cwiseAbs().maxCoeff()));
  std::string pattern(sizeof even, '\0');
  std::memcpy(pattern.data(), &even, sizeof even);
  const std::size_t at = forged.rfind(pattern);
  ASSERT_NE(at, std::string::npos);
  forged[at] = static_cast<char>(forged[at] ^ 1);
  const auto all = std::as_bytes(std::span(forged));
  const std::uint64_t sum =
      base::checked_file::checksum(all.subspan(sizeof(base::checked_file::Prefix)));
  std::memcpy(forged.data() + offsetof(base::checked_file::Prefix, checksum), &sum, sizeof sum);
  fs::remove(file);
  std::ofstream(file, std::ios::binary) << forged;
  EXPECT_THROW((void)load_tree(soup, file), LoadError);
}

TEST(GivenKdop, HasItsCostMeasured) {
  const PolygonSoup soup = TreeCases(46).cloud(400);
  const MeasureOptions quick{.repetitions = 1, .seconds = 0, .directions = given_directions(5)};
  const CostMatrix costs = measure_costs(soup, quick);
  EXPECT_TRUE(costs.cost.contains("dop dop"));
  EXPECT_GT(costs.of("dop", "dop"), 0);
}

}  // namespace
}  // namespace touche
