// SPDX-License-Identifier: Apache-2.0
// Sliding and reflecting at several surfaces at once, against enumeration and closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "response/half_spaces.h"
#include "test_scale.h"
#include "touche/response.h"

namespace touche::response_corner_test {
namespace {

using std::numbers::pi;
using test::scaled;

/// Returns the nearest projection that lies in all half-spaces, among the projections onto the
/// planes, lines and points that up to three of them have in common.
std::optional<Vec3> enumerated(const std::vector<response::HalfSpace3>& spaces, const Vec3& x) {
  std::optional<Vec3> best;
  const auto look = [&](const Vec3& y) {
    for (const response::HalfSpace3& s : spaces)
      if (!(s.normal.dot(y) >= s.offset - 1e-9)) return;
    if (!best || (y - x).norm() < (*best - x).norm()) best = y;
  };
  // Meets the planes by least change; rows that depend on each other are left out.
  const auto meet = [&](std::initializer_list<std::size_t> which) {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(which.size()), 3);
    Eigen::VectorXd right(static_cast<Eigen::Index>(which.size()));
    Eigen::Index r = 0;
    for (const std::size_t i : which) {
      rows.row(r) = spaces[i].normal.transpose();
      right[r++] = spaces[i].offset - spaces[i].normal.dot(x);
    }
    const Eigen::MatrixXd gram = rows * rows.transpose();
    if (std::abs(gram.determinant()) > 1e-10)
      look(x + rows.transpose() * gram.partialPivLu().solve(right));
  };
  look(x);
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    meet({i});
    for (std::size_t j = 0; j < i; ++j) {
      meet({i, j});
      for (std::size_t k = 0; k < j; ++k) meet({i, j, k});
    }
  }
  return best;
}

TEST(ResponseCorner, NearestInHalfSpacesIsThatOfEnumeration) {
  base::Random random(7);
  int none = 0, inside = 0, moved = 0;
  const int cases = scaled(4000);
  for (int i = 0; i < cases; ++i) {
    std::vector<response::HalfSpace3> spaces(1 + random.below(8));
    const bool cone = random.below(2) == 0;
    for (response::HalfSpace3& s : spaces) {
      s.normal = random.direction();
      if (!cone) s.offset = random.uniform(-0.6, 0.4);
    }
    if (random.below(4) == 0) spaces.push_back(spaces[0]);
    if (random.below(4) == 0) spaces.push_back({-spaces[0].normal, -spaces[0].offset - 0.1});
    const Vec3 x = random.in_box(1);
    const auto fast = response::nearest_in(spaces, x, 1e-12);
    const auto slow = enumerated(spaces, x);
    ASSERT_EQ(fast.has_value(), slow.has_value()) << i;
    if (!fast) {
      ++none;
      continue;
    }
    ASSERT_LT((*fast - *slow).norm(), 1e-7) << i;
    (*fast == x ? inside : moved) += 1;
  }
  EXPECT_GT(none, cases / 50);
  EXPECT_GT(inside, cases / 50);
  EXPECT_GT(moved, cases / 4);
}

TEST(ResponseCorner, SlidesAlongAGrooveAndStopsInACorner) {
  const Vec3 walls[] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  EXPECT_EQ(slide({-1, -2, -3}, std::span(walls).first(2)), Vec3(0, 0, -3));
  EXPECT_EQ(slide({-1, -2, -3}, walls), Vec3::Zero());
  EXPECT_EQ(slide({-1, 2, -3}, walls), Vec3(0, 2, 0));
  EXPECT_EQ(slide({1, 2, 3}, walls), Vec3(1, 2, 3));
  EXPECT_EQ(slide({-1, -2, -3}, std::span<const Vec3>()), Vec3(-1, -2, -3));
}

// One after the other they would send it to and fro; a wedge so thin that its walls look parallel
// stops it all the same, and only along the edge it goes on.
TEST(ResponseCorner, AnAcuteWedgeStops) {
  for (const double angle : {1.0, 0.1, 1e-3, 1e-6, 1e-9, 1e-11}) {
    const Vec3 walls[] = {{std::sin(angle), std::cos(angle), 0},
                          {std::sin(angle), -std::cos(angle), 0}};
    const Vec3 slid = slide({-1, 0.25 * angle, 2}, walls);
    EXPECT_LT((slid - Vec3(0, 0, 2)).norm(), 1e-9) << angle;
    for (const Vec3& wall : walls) EXPECT_GE(wall.dot(slid), -1e-11);
    EXPECT_EQ(slide({1, 0, 2}, walls), Vec3(1, 0, 2)) << angle;
  }
  const Vec3 parallel[] = {Vec3::UnitY(), -Vec3::UnitY()};
  EXPECT_EQ(slide({-1, 7, 2}, parallel), Vec3(-1, 0, 2));
}

TEST(ResponseCorner, NeverLeadsIntoASurfaceAndIsTheLeastChange) {
  base::Random random(8);
  int stopped = 0, slid = 0;
  const int cases = scaled(5000);
  for (int i = 0; i < cases; ++i) {
    // Around one direction, so that there is a way out; some nearly or quite the same.
    const Vec3 out = random.direction();
    std::vector<Vec3> normals;
    const Index count = 1 + random.below(30);
    const double spread = std::pow(10, random.uniform(-14, 0.5));
    for (Index n = 0; n < count; ++n) {
      const Vec3 off = random.in_box(1);
      normals.push_back((out + spread * off).normalized());
    }
    const Vec3 direction = random.direction();
    const Vec3 motion = std::pow(10, random.uniform(-80, 80)) * direction;
    const Vec3 now = slide(motion, normals);
    const double size = motion.norm();
    for (const Vec3& n : normals) ASSERT_GE(n.dot(now), -2e-12 * size) << i;
    // The nearest: what was taken away is orthogonal to what is left, and leads in.
    ASSERT_NEAR((motion - now).dot(now) / size / size, 0, 1e-10) << i;
    ASSERT_LE(now.norm(), size * (1 + 1e-12)) << i;
    std::reverse(normals.begin(), normals.end());
    ASSERT_LT((slide(motion, normals) - now).norm(), 1e-4 * size) << i;
    for (const double restitution : {0.0, 0.5, 1.0}) {
      const Vec3 back = reflect(motion, normals, restitution);
      for (const Vec3& n : normals) ASSERT_GE(n.dot(back), -2e-12 * size) << i;
      ASSERT_LE(back.norm(), size * (1 + 1e-12)) << i;
      if (restitution == 0) {
        ASSERT_LT((back - now).norm(), 1e-4 * size) << i;
      }
    }
    (now.norm() < 1e-9 * size ? stopped : slid) += 1;
  }
  EXPECT_GT(stopped, 0);
  EXPECT_GT(slid, cases / 4);
}

TEST(ResponseCorner, ReflectsInCornersAsBilliards) {
  const Vec3 walls[] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  EXPECT_EQ(reflect({-1, -2, -3}, walls, 1), Vec3(1, 2, 3));
  EXPECT_EQ(reflect({-1, 2, -3}, walls, 0.5), Vec3(0.5, 2, 1.5));
  EXPECT_EQ(reflect({-1, -2, 3}, std::span(walls).first(1), 1), reflect({-1, -2, 3}, walls[0], 1));
  // In a wedge nothing is lost, and along its edge nothing changes.
  base::Random random(9);
  for (int i = 0; i < scaled(2000); ++i) {
    const double angle = random.uniform(0.05, 0.5 * pi);  // half of the wedge
    const Vec3 wedge[] = {{std::sin(angle), std::cos(angle), 0},
                          {std::sin(angle), -std::cos(angle), 0}};
    const Vec3 velocity = random.direction();
    const Vec3 back = reflect(velocity, wedge, 1);
    EXPECT_NEAR(back.norm(), 1, 1e-12) << angle;
    EXPECT_NEAR(back.z(), velocity.z(), 1e-12);
    // The mirror image of what comes is the mirror image of what goes.
    const Vec3 mirrored = reflect({velocity.x(), -velocity.y(), velocity.z()}, wedge, 1);
    EXPECT_LT((mirrored - Vec3(back.x(), -back.y(), back.z())).norm(), 1e-11);
  }
}

TEST(ResponseCorner, RefusesWhatHasNoMeaning) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vec3 up[] = {Vec3::UnitZ()}, none[] = {Vec3::Zero()}, bad[] = {{0, nan, 0}};
  EXPECT_THROW((void)slide({nan, 0, 0}, up), InvalidInput);
  EXPECT_THROW((void)slide({kInfinity, 0, 0}, up), InvalidInput);
  EXPECT_THROW((void)slide({1, 0, 0}, none), InvalidInput);
  EXPECT_THROW((void)slide({1, 0, 0}, bad), InvalidInput);
  EXPECT_THROW((void)reflect({1, 0, 0}, up, 1.5), InvalidInput);
  EXPECT_THROW((void)reflect({1, 0, 0}, none, 1), InvalidInput);
  EXPECT_EQ(slide(Vec3::Zero(), up), Vec3::Zero());
}

}  // namespace
}  // namespace touche::response_corner_test
