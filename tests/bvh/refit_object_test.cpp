// SPDX-License-Identifier: Apache-2.0
// Refitting changes bounds and leaves other things as they are.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>

#include "moved_vertices.h"
#include "random.h"
#include "shapes.h"
#include "temporary_folder.h"
#include "touche/hierarchy_file.h"
#include "touche/touche.h"

namespace touche {
namespace {

namespace fs = std::filesystem;
using scenes::Random;
using test::Coordinates;
using test::coordinates_of;
using test::expect_same_bits;
using test::moved;
using test::randomly_moved;
using test::rebuilt;

TEST(Refit, ThreadsAndHistoryDoNotMatter) {
  const PolygonSoup soup = scenes::bumpy_sphere(60000, 3);
  base::Random random(24);
  const Coordinates wild = randomly_moved(soup, random, 1), end = randomly_moved(soup, random, 0.1);
  const Object before(soup);
  const Object one = before.refitted(end, {.threads = 1});
  for (const int threads : {2, 0}) {
    Object other = before.refitted(wild, {.threads = threads});
    other.refit(end, {.threads = threads});
    expect_same_bits(one, other);
    EXPECT_EQ(one.area_ratio(), other.area_ratio());
  }
  expect_same_bits(before.refitted(coordinates_of(soup)), before);
}

TEST(Refit, CopiesKeepTheirVertices) {
  const PolygonSoup soup = scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1), 4);
  const Coordinates away = moved(soup, [](const Vec3& v) { return Vec3(v + Vec3(5, 0, 0)); });
  Object object(soup, "box");
  const Object copy = object, other = object.refitted(away);
  EXPECT_EQ(object.bounds().hi.x(), 1);
  EXPECT_EQ(other.bounds().hi.x(), 6);
  EXPECT_EQ(other.name(), "box");
  object.refit(away);
  EXPECT_EQ(object.bounds().lo.x(), 5);
  EXPECT_EQ(copy.bounds().lo.x(), 0);
  copy.validate();
  expect_same_bits(object, other);
  object.refit(coordinates_of(soup));
  EXPECT_EQ(object.bounds().lo.x(), 0);
  // Its own vertices are as good as any.
  object.refit({object.soup().vertices().front().data(), 3 * object.soup().vertices().size()});
  expect_same_bits(object, copy);
}

TEST(Refit, MappedHierarchiesToo) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "saved.bvh";
  const PolygonSoup soup = scenes::bumpy_sphere(2000, 3);
  const Object built(soup);
  base::Random random(26);
  const Coordinates away = randomly_moved(soup, random, 0.1);
  save_hierarchy(built, file);
  const Object mapped = load_hierarchy(soup, file);
  const Object after = mapped.refitted(away);
  fs::remove(file);
  after.validate();
  expect_same_bits(after, built.refitted(away));
  EXPECT_EQ(after.area_ratio(), built.refitted(away).area_ratio());
  expect_same_bits(mapped, built);
  // Saved in turn, it keeps how loose it is.
  save_hierarchy(after, file);
  const Object again = load_hierarchy(after.soup(), file);
  EXPECT_EQ(again.area_ratio(), after.area_ratio());
  expect_same_bits(again.refitted(coordinates_of(soup)), built);
  EXPECT_EQ(again.refitted(coordinates_of(soup)).area_ratio(), 1);
}

TEST(Refit, KeepsFacesAndTheirTriangles) {
  // Folded along a diagonal; a new object might cut it along the other one.
  const PolygonSoup flat(Coordinates{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
                         std::vector<Index>{0, 1, 2, 3}, std::vector<Index>{4});
  const Object folded = Object(flat).refitted(Coordinates{0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0});
  EXPECT_EQ(folded.soup().face_count(), 1u);
  EXPECT_TRUE(std::equal(flat.triangles().begin(), flat.triangles().end(),
                         folded.soup().triangles().begin(), folded.soup().triangles().end()));
  EXPECT_EQ(folded.bounds().hi.z(), 1);
  const PolygonSoup ball = scenes::sphere(1, 200);
  const Object large =
      Object(ball).refitted(moved(ball, [](const Vec3& v) { return Vec3(2 * v); }));
  for (Index c = 0; c < ball.corner_count(); ++c)
    EXPECT_EQ(large.soup().opposite(c), ball.opposite(c));
}

TEST(Refit, BadInputChangesNothing) {
  const PolygonSoup soup = scenes::sphere(1, 200);
  Object object(soup), before = object.refitted(coordinates_of(soup));
  const Coordinates good = moved(soup, [](const Vec3& v) { return Vec3(3 * v); });
  const auto expect_refused = [&](const Coordinates& bad, const std::string& says) {
    const auto check = [&](const std::function<void()>& work) {
      try {
        work();
        ADD_FAILURE() << "not refused: " << says;
      } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
      }
    };
    check([&] { object.refit(bad); });
    check([&] { (void)object.refitted(bad); });
    object.validate();
    expect_same_bits(object, before);
  };
  for (const double number : {std::nan(""), kInfinity, -kInfinity, 1.1e90}) {
    Coordinates bad = good;
    bad[3 * 17 + 1] = number;
    expect_refused(bad, std::string("vertex 17: coordinate y is ") +
                            (std::isfinite(number) ? "larger than 1e90" : "not finite"));
  }
  Coordinates bad = good;
  bad.pop_back();
  expect_refused(bad, std::to_string(bad.size()) + " numbers are not three for each of " +
                          std::to_string(soup.vertex_count()) + " vertices");
  expect_refused({}, "0 numbers");
  bad = good;
  bad.insert(bad.end(), {0, 0, 0});
  expect_refused(bad, std::to_string(bad.size()) + " numbers");
}

TEST(Refit, AreaRatioTellsWhenToRebuild) {
  const PolygonSoup soup = scenes::bumpy_sphere(20000, 5);
  Object object(soup);
  EXPECT_EQ(object.area_ratio(), 1);
  const Pose turn = Pose::from_axis_angle(Vec3(1, 2, 3).normalized(), 1, Vec3(4, 5, 6));
  object.refit(moved(soup, [&](const Vec3& v) { return Vec3(1e3 * (turn * v)); }));
  EXPECT_NEAR(object.area_ratio(), 1, 0.02);
  EXPECT_FALSE(object.needs_rebuild());

  // All triangles are permuted: nothing of the old order is usable.
  std::vector<Index> order(soup.triangle_count());
  std::iota(order.begin(), order.end(), Index{0});
  base::Random random(25);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<Index>(i))]);
  Coordinates loose, shuffled;
  std::vector<Index> corners;
  for (const Index t : order)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &from = soup.vertex(soup.triangle(static_cast<Index>(corners.size() / 3))[k]),
                 &to = soup.vertex(soup.triangle(t)[k]);
      loose.insert(loose.end(), from.begin(), from.end());
      shuffled.insert(shuffled.end(), to.begin(), to.end());
      corners.push_back(static_cast<Index>(corners.size()));
    }
  const Object mixed = Object(PolygonSoup(loose, corners)).refitted(shuffled);
  EXPECT_TRUE(mixed.needs_rebuild());
  const Object anew = rebuilt(mixed);
  EXPECT_FALSE(anew.needs_rebuild());
  const Object still(soup);
  const Pose beside = Pose::from_translation(Vec3(1.7, 0.1, 0.2));
  EXPECT_GT(intersecting_faces(mixed, Pose(), still, beside).stats.node_pairs,
            2 * intersecting_faces(anew, Pose(), still, beside).stats.node_pairs);
}

}  // namespace
}  // namespace touche
