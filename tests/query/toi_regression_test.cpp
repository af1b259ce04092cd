// SPDX-License-Identifier: Apache-2.0
// Cases that once went wrong, as data: tests/regression/toi.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "shapes.h"
#include "source_folder.h"
#include "toi_judge.h"
#include "touche/simd.h"

namespace touche::test::toi_regression_test {
namespace {

// All numbers of a file, without the comments.
std::vector<double> numbers(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<double> all;
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    for (double x; words >> x;) all.push_back(x);
  }
  return all;
}

TEST(ToiRegression, EveryRecordedCase) {
  const auto folder = std::filesystem::path(test::kSourceFolder) / "tests" / "regression" / "toi";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    ++files;
    const std::vector<double> x = numbers(entry.path());
    ASSERT_EQ(x.size(), 46u);
    const Index corners[] = {0, 1, 2};
    const auto pose = [&](std::size_t i) {
      return Pose::from_quaternion(x[i], x[i + 1], x[i + 2], x[i + 3],
                                   Vec3(x[i + 4], x[i + 5], x[i + 6]));
    };
    Scenario s{PolygonSoup(std::span(x).subspan(0, 9), corners),
               PolygonSoup(std::span(x).subspan(9, 9), corners),
               interpolated(pose(18), pose(25), Interpolation::slerp),
               interpolated(pose(32), pose(39), Interpolation::slerp)};
    for (const double tolerance : {1e-300, 1e-6, 1.0}) {
      s.tolerance = tolerance;
      const ToiResult r = answer(s);  // with a budget: standing still is an answer too, a wrong one
      judge(s, r, find_touch(s.a, s.ride_a, s.b, s.ride_b, r.tolerance));
    }
  }
  EXPECT_GE(files, 1);
}

// The axis of a screw without a turn lies where single precision overflows: what is computed from
// it is no number, and proves nothing.
TEST(ToiRegression, AxisOutOfSinglePrecision) {
  const Motion still = Motion::at(Pose());
  const std::string best = simd_targets().front();
  for (const std::string& target : simd_targets())
    for (const Index divisions : {1u, 2u, 3u, 4u})
      for (const double far : {1e15, 1e19, 1e20, 1e21}) {
        const Object cube(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, divisions));
        const Pose start = Pose::from_translation({0, 0, -1e9});
        const Motion through = Motion::screw(start, {far, 0, 0}, Vec3::UnitZ(), 0, 2e9);
        const ToiOptions options{.tolerance = 1e-6, .budget = {.max_work = 100000}};
        set_simd_target(target);
        const ToiResult to = time_of_impact(cube, still, cube, through, options);
        const ToiResult from = time_of_impact(cube, through, cube, still, options);
        set_simd_target(best);
        EXPECT_EQ(to.status, ToiStatus::contact) << target;
        EXPECT_EQ(from.status, ToiStatus::contact) << target;
      }
}

// A piece of the motion is shorter than the least number in single precision. A ball turns inside a
// ring, which its box overlaps.
TEST(ToiRegression, PieceShorterThanSinglePrecision) {
  const Object ball(scenes::sphere(0.3, 500)), ring(scenes::torus(1, 0.3, 40, 20));
  const Motion still = Motion::at(Pose());
  for (const double first : {1e-30, 1e-40, 1e-46, 1e-60, 1e-300, 1e-310}) {
    const Pose poses[] = {Pose(), Pose::from_axis_angle(Vec3(1, 1, 0), 1e6 * first, Vec3::Zero()),
                          Pose::from_translation({0.2, 0, 0})};
    const double times[] = {0, first, 1};
    const Motion motion = Motion::through(poses, times);
    const ToiOptions options{.tolerance = 1e-6, .budget = {.max_work = 1000000}};
    EXPECT_EQ(time_of_impact(ball, motion, ring, still, options).status, ToiStatus::free) << first;
    EXPECT_EQ(time_of_impact(ring, motion, ball, still, options).status, ToiStatus::free) << first;
  }
}

// A piece that takes the least time there is, in which a body turns: looks prove less than that,
// and time stood still.
TEST(ToiRegression, PieceOfOneUlp) {
  const Object ball(scenes::sphere(1, 500));
  const Pose start = Pose::from_translation({2.2, 0, 0}),
             turned = Pose::from_axis_angle(Vec3::UnitZ(), 0.3, {2.2, 1e-3, 0});
  for (int ulps = 1; ulps <= 64; ulps *= 2) {
    double after = 0.8;
    for (int i = 0; i < ulps; ++i) after = std::nextafter(after, 1.0);
    const Pose poses[] = {start, start, turned, turned};
    const double times[] = {0, 0.8, after, 1};
    const ToiResult r =
        time_of_impact(ball, Motion::through(poses, times), ball, Motion::at(Pose()),
                       {.tolerance = 1e-9, .budget = {.max_work = 100000}});
    EXPECT_NE(r.status, ToiStatus::undecided) << ulps;
  }
}

}  // namespace
}  // namespace touche::test::toi_regression_test
