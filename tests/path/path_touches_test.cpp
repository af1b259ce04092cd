// SPDX-License-Identifier: Apache-2.0
// Paths on which parts touch all the time: it is proved that they do no more than that, also
// between the tested times.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "path_judge.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/path.h"
#include "workload_meshes.h"

namespace touche::path_touches_test {
namespace {

using scenes::Random;
using test::box;
using test::scaled;
using test::shifted;

const Motion kFixed = test::still();
const Object kTable = box({-5, -5, -1}, {5, 5, 0});

double log_uniform(base::Random& random, double lo, double hi) {
  return lo * std::pow(hi / lo, random.uniform());
}

void expect_proved(const PathResult& r) {
  EXPECT_EQ(r.verdict, PathVerdict::touching);
  for (const ContactInterval& c : r.contacts) {
    EXPECT_TRUE(c.only_touching);
    EXPECT_EQ(c.touching_until, c.end.upper);
  }
}

// A block slides along a table and through a wall on it; the contact with the wall lasts for a few
// thousandths of the path.
TEST(PathTouches, AThinWallOnATableIsFound) {
  base::Random random(71);
  for (int run = 0; run < scaled(24); ++run) {
    SCOPED_TRACE(run);
    const double wall = log_uniform(random, 1e-3, 2e-2), block = log_uniform(random, 5e-3, 5e-2);
    const double at = random.uniform(0.1, 0.9);
    const PolygonSoup table = scenes::box({-1, -0.5, -0.2}, {2, 0.5, 0}),
                      standing = scenes::box({at, -0.2, 0}, {at + wall, 0.2, 0.3});
    const PolygonSoup* const both[] = {&table, &standing};
    const Object obstacle(merged(both)),
        slider = box({0, -block / 2, 0}, {block, block / 2, block});
    const PathResult r = path(slider, shifted({0, 0, 0}, {1, 0, 0}), obstacle, kFixed,
                              {.tolerance = 1e-5, .profile = false, .thickness_points = 2000});
    EXPECT_EQ(r.verdict, PathVerdict::clash);
    ASSERT_EQ(r.contacts.size(), 1U);
    EXPECT_FALSE(r.contacts[0].only_touching);
    EXPECT_LT(r.contacts[0].touching_until, at);
    EXPECT_GT(r.contacts[0].deepest.diameter.lower, 0.5 * std::min(wall, block));
  }
}

// A block goes over a table in many short legs. In one it dips by less than is allowed, or by more.
TEST(PathTouches, AShortDipCounts) {
  base::Random random(72);
  const double allowed = 1e-3;
  int touches = 0;
  const int runs = scaled(40);
  for (int run = 0; run < runs; ++run) {
    SCOPED_TRACE(run);
    const bool too_deep = random.uniform() < 0.5;
    const double dip = allowed * (too_deep ? random.uniform(1.1, 3) : random.uniform(0, 0.9));
    const int legs = 40, deep = 1 + static_cast<int>(random.uniform(0, legs - 1));
    std::vector<Pose> poses;
    for (int k = 0; k <= legs; ++k) {
      const double turn = run % 2 == 0 ? 0 : 0.1 * k;
      poses.push_back(
          Pose::from_axis_angle(Vec3::UnitZ(), turn, {0.05 * k - 1, 0, k == deep ? -dip : 0}));
    }
    const PathResult r =
        path(box({-0.3, -0.2, 0}, {0.3, 0.2, 0.4}), Motion::through(poses), kTable, kFixed,
             {.tolerance = 1e-6,
              .max_touching_thickness = allowed,
              .profile = false,
              .thickness_points = 2000});
    if (too_deep) {
      EXPECT_EQ(r.verdict, PathVerdict::clash);
    } else {
      expect_proved(r);
    }
    touches += r.verdict == PathVerdict::touching ? 1 : 0;
  }
  EXPECT_GT(touches, runs / 10);
  EXPECT_LT(touches, runs - runs / 10);
}

// A pin that is a hair too thick turns in its bore and goes along it: only shrinking takes them
// apart. With less than it is too thick by, they clash.
TEST(PathTouches, APinTurnsInItsBore) {
  const Object plate(scenes::bored_plate(24)), pin(scenes::cylinder(0.201, 0.3, 24));
  const Motion turns =
      Motion::screw(Pose::from_translation({0, 0, -0.2}), Vec3::Zero(), Vec3::UnitZ(), 2, 0.1);
  const auto with = [&](double allowed) {
    return path(pin, turns, plate, kFixed,
                {.tolerance = 1e-5,
                 .max_touching_thickness = allowed,
                 .profile = false,
                 .thickness_points = 2000});
  };
  expect_proved(with(0.01));
  EXPECT_EQ(with(2e-4).verdict, PathVerdict::clash);
}

// Where the work does not suffice for the proof, that is no touch, and no clash either.
TEST(PathTouches, WithoutProofItIsUndecided) {
  // Because of the post, the box around the table contains the slider, so the faces must be tested.
  const PolygonSoup top = scenes::box({-5, -5, -1}, {5, 5, 0}),
                    post = scenes::box({-5, -5, 0}, {-4, -4, 1});
  const PolygonSoup* const both[] = {&top, &post};
  const Object table(merged(both));
  const Object slider = box({0, -0.1, 0}, {0.2, 0.1, 0.2});
  PathOptions options{.tolerance = 1e-5, .profile = false, .thickness_points = 2000};
  const auto slides = [&] {
    return path(slider, shifted({0, 0, 0}, {1, 0, 0}), table, kFixed, options);
  };
  expect_proved(slides());
  options.budget.max_work = 15;  // enough to find the contact, and that it does not end
  const PathResult r = slides();
  EXPECT_EQ(r.verdict, PathVerdict::undecided);
  EXPECT_EQ(r.decided_until, 1);
  ASSERT_EQ(r.contacts.size(), 1U);
  EXPECT_TRUE(r.contacts[0].only_touching);
  EXPECT_LT(r.contacts[0].touching_until, 1);
}

}  // namespace
}  // namespace touche::path_touches_test
