// SPDX-License-Identifier: Apache-2.0
// The answer must not change when a and b are swapped, both are moved rigidly or mirrored, a free
// motion is reversed, a motion is cut into parts, or the reference implementation is used; a budget
// may only cut it short.
//
// Any answer may report contact when they are within the tolerance, so two right answers need not
// be equal. All are judged by the same truth.
#include <gtest/gtest.h>

#include "hit_share.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "toi_judge.h"
#include "touche/reference.h"

namespace touche::test::toi_property_test {
namespace {

using scenes::Random;

Pose pose_at(base::Random& random, const Vec3& at) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-1.5, 1.5), at);
}

// Both bodies move, a little or a lot; `both` moves the world.
struct Recipe {
  Pose start_a, end_a, start_b, end_b;
  Vec3 point, axis;
  double angle, travel;
  bool screws;

  explicit Recipe(base::Random& random) {
    const Vec3 from = 2.4 * random.direction();
    start_a = pose_at(random, Vec3::Zero());
    end_a = pose_at(random, random.in_box(0.5));
    start_b = pose_at(random, from);
    end_b = pose_at(random, -random.uniform(0, 1) * from + random.in_box(1.8));
    point = 0.5 * from;
    axis = from.cross(random.direction());
    angle = random.uniform(-6, 6);
    travel = random.uniform(-0.5, 0.5);
    screws = random.below(2);
  }

  Ride a(const Pose& both) const {
    return interpolated(both * start_a, both * end_a, Interpolation::slerp);
  }
  Ride b(const Pose& both) const {
    return screws ? screw(both * start_b, both * point, both.rotate(axis), angle, travel)
                  : interpolated(both * start_b, both * end_b, Interpolation::slerp);
  }
  Scenario scenario(const PolygonSoup& soup_a, const PolygonSoup& soup_b,
                    const Pose& both = Pose()) const {
    return {soup_a, soup_b, a(both), b(both), 1e-5};
  }
};

// Everything seen in a mirror, in which z points the other way.
Vec3 mirrored(const Vec3& x) { return {x.x(), x.y(), -x.z()}; }
Pose mirrored(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  return Pose::from_quaternion_unchecked({q.w(), -q.x(), -q.y(), q.z()},
                                         mirrored(pose.translation()));
}
PolygonSoup mirrored(const PolygonSoup& soup) {
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const Vec3& v : soup.vertices()) xyz.insert(xyz.end(), {v.x(), v.y(), -v.z()});
  for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  return {xyz, corners};
}
Recipe mirrored(Recipe recipe) {
  for (Pose* pose : {&recipe.start_a, &recipe.end_a, &recipe.start_b, &recipe.end_b})
    *pose = mirrored(*pose);
  recipe.point = mirrored(recipe.point);
  // A rotation to the left becomes one to the right, while the translation is mirrored.
  recipe.axis = -mirrored(recipe.axis);
  recipe.travel = -recipe.travel;
  return recipe;
}

PolygonSoup few(std::uint64_t seed) {
  return scenes::random_soup(seed, {.faces = 4, .extent = 0.5, .face_size = 0.6});
}

// Calls `check` for random scenarios, of which 30 to 70 % touch.
template <class Check>
void for_random_scenarios(int cases, Check&& check) {
  base::Random random(77 + first_seed());
  int touched = 0;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(case_of_seed(i));
    const PolygonSoup a = few(random.next()), b = few(random.next());
    const Recipe recipe(random);
    const Scenario s = recipe.scenario(a, b);
    const Truth truth = find_touch(a, s.ride_a, b, s.ride_b, s.tolerance);
    touched += truth.touch.has_value();
    check(s, truth, recipe, random);
    if (testing::Test::HasFailure()) return;
  }
  expect_about_half(touched, cases);
}

TEST(ToiProperties, SwappingMovingAndTheTwin) {
  for_random_scenarios(scaled(250, 250), [](const Scenario& s, const Truth& truth,
                                            const Recipe& recipe, base::Random& random) {
    const Object a(s.a), b(s.b);
    judge(s, time_of_impact(a, s.ride_a.motion, b, s.ride_b.motion, {.tolerance = s.tolerance}),
          truth);
    judge(s,
          brute_force::time_of_impact(a, s.ride_a.motion, b, s.ride_b.motion,
                                      {.tolerance = s.tolerance}),
          truth);
    const Scenario swapped{s.b, s.a, s.ride_b, s.ride_a, s.tolerance};
    judge(swapped, answer(swapped), truth);
    // Moved, the same numbers are rounded otherwise: far less than the tolerance.
    const Pose both = pose_at(random, random.in_box(10));
    const Scenario moved = recipe.scenario(s.a, s.b, both);
    Truth nearly = truth;
    if (nearly.touch) *nearly.touch += 1e-11;
    nearly.near_from -= 1e-11;
    judge(moved, answer(moved), nearly);
    const Scenario mirror = mirrored(recipe).scenario(mirrored(s.a), mirrored(s.b));
    judge(mirror, answer(mirror), nearly);
  });
}

TEST(ToiProperties, AFreeMotionIsFreeBackwards) {
  for_random_scenarios(
      scaled(250), [](const Scenario& s, const Truth&, const Recipe& recipe, base::Random&) {
        const Pose end_b = s.ride_b.motion.pose(1);
        const Motion back_a = Motion::interpolated(recipe.end_a, recipe.start_a);
        const Motion back_b = recipe.screws ? Motion::screw(end_b, recipe.point, recipe.axis,
                                                            -recipe.angle, -recipe.travel)
                                            : Motion::interpolated(recipe.end_b, recipe.start_b);
        const Object a(s.a), b(s.b);
        const ToiResult there = answer(s);
        const ToiResult back = time_of_impact(a, back_a, b, back_b, {.tolerance = s.tolerance});
        // A search reports contact at the tolerance at the latest, so a free motion may come as
        // near as that: the reversed motion must not come nearer, up to a small allowance.
        if (there.status == ToiStatus::free && back.status != ToiStatus::free) {
          const Real t = 1 - Real{back.time.upper};
          EXPECT_GE(static_cast<double>(soup_distance(s.a, s.ride_a, s.b, s.ride_b, t)), 1e-12)
              << "free in one order, touching in the other";
        }
        if (back.status == ToiStatus::free && there.status != ToiStatus::free) {
          EXPECT_GT(there.contact->distance, 0);
        }
      });
}

TEST(ToiProperties, PartsGiveTheAnswerOfTheWhole) {
  for_random_scenarios(
      scaled(250), [](const Scenario& s, const Truth& truth, const Recipe&, base::Random& random) {
        const Object a(s.a), b(s.b);
        const double cuts[] = {0, random.uniform(0.1, 0.5), random.uniform(0.5, 0.9), 1};
        ToiResult first;
        first.status = ToiStatus::free;
        first.tolerance = s.tolerance;
        first.time.lower = 1;
        for (int i = 0; i < 3; ++i) {
          const double begin = cuts[i], length = cuts[i + 1] - cuts[i];
          const ToiResult r = time_of_impact(a, s.ride_a.motion.part(cuts[i], cuts[i + 1]), b,
                                             s.ride_b.motion.part(cuts[i], cuts[i + 1]),
                                             {.tolerance = s.tolerance});
          if (r.status == ToiStatus::free) continue;
          first = r;
          first.time.lower = begin + r.time.lower * length;
          first.time.upper = begin + r.time.upper * length;
          if (first.time.upper > 0) first.status = ToiStatus::contact;
          break;
        }
        Truth nearly = truth;
        if (nearly.touch) *nearly.touch += 1e-12;
        nearly.near_from -= 1e-12;
        judge(s, first, nearly);
      });
}

TEST(ToiProperties, ABudgetCutsShortButNeverLies) {
  for_random_scenarios(scaled(150), [](const Scenario& s, const Truth& truth, const Recipe&,
                                       base::Random&) {
    const Object a(s.a), b(s.b);
    double before = 0;
    for (const std::uint64_t work : {0, 1, 3, 10, 30, 100, 100000}) {
      const ToiResult r = time_of_impact(a, s.ride_a.motion, b, s.ride_b.motion,
                                         {.tolerance = s.tolerance, .budget = {.max_work = work}});
      if (r.status != ToiStatus::undecided) {
        judge(s, r, truth);
      } else {
        EXPECT_LT(work, 100000u);
        EXPECT_FALSE(r.contact);
        EXPECT_GE(r.time.lower, 0);
        EXPECT_LE(r.time.lower, truth.touch.value_or(1));
      }
      EXPECT_GE(r.time.lower, before) << "more work proves more";
      before = r.time.lower;
      const ToiResult slow =
          brute_force::time_of_impact(a, s.ride_a.motion, b, s.ride_b.motion,
                                      {.tolerance = s.tolerance, .budget = {.max_work = work}});
      if (slow.status == ToiStatus::undecided) {
        EXPECT_LE(slow.time.lower, truth.touch.value_or(1));
      }
    }
  });
}

// In many small bites: each goes on where the last one stopped, and the last one is right.
TEST(ToiProperties, ASearchGoesOnWhereItStopped) {
  for_random_scenarios(scaled(150), [](const Scenario& s, const Truth& truth, const Recipe&,
                                       base::Random&) {
    const Object a(s.a), b(s.b);
    ToiOptions options{.tolerance = s.tolerance, .budget = {.max_work = 40}};
    ToiResult r;
    for (int bite = 0; bite < 100'000; ++bite) {
      r = time_of_impact(a, s.ride_a.motion, b, s.ride_b.motion, options);
      if (r.status != ToiStatus::undecided) break;
      EXPECT_GE(r.time.lower, options.t_start);
      // Each bite has to get somewhere.
      options.budget.max_work = r.time.lower > options.t_start ? 40 : 2 * options.budget.max_work;
      options.t_start = r.time.lower;
    }
    judge(s, r, truth);
  });
}

TEST(ToiProperties, ADeadlineCutsShort) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const Motion motion =
      Motion::interpolated(Pose::from_translation({-4, 0, 0}), Pose::from_translation({0, 0, 0}));
  const ToiOptions options{.tolerance = 1e-9, .budget = {.deadline = Budget::Clock::now()}};
  const ToiResult r = time_of_impact(a, motion, b, Motion::at(Pose()), options);
  EXPECT_EQ(r.status, ToiStatus::undecided);
  EXPECT_LT(r.time.lower, 1);
  EXPECT_THROW((void)time_of_impact(a, motion, b, motion, {.tolerance = 1e-9, .t_start = 1}),
               InvalidInput);
  EXPECT_THROW((void)time_of_impact(a, motion, b, motion, {.tolerance = 1e-9, .t_start = -0.1}),
               InvalidInput);
}

}  // namespace
}  // namespace touche::test::toi_property_test
