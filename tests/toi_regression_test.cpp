// SPDX-License-Identifier: Apache-2.0
// Cases that once went wrong, as data: tests/regression/toi.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "toi_judge.h"

namespace touche::test {
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
  const auto folder = std::filesystem::path(TOUCHE_SOURCE_DIR) / "tests" / "regression" / "toi";
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

}  // namespace
}  // namespace touche::test
