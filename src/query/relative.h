// SPDX-License-Identifier: Apache-2.0
// The relative pose of two objects: every query takes two poses and works in a's frame internally.
#pragma once

#include <optional>

#include "base/budget_meter.h"
#include "bvh/bvh.h"
#include "geometry/triangle_pair.h"
#include "math/pose_bits.h"
#include "touche/query.h"

namespace touche::query {

/// x_a = rotation x_b + translation.
struct RelativePose {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();

  RelativePose() = default;
  [[gnu::always_inline]] RelativePose(const Pose& a, const Pose& b) {
    PoseBits::relative(a, b, rotation, translation);
  }

  /// The transformation whose rounding defines the positions of b's vertices; all queries share it.
  Vec3 operator*(const Vec3& x) const {
    const auto row = [&](int i) {
      return ((rotation(i, 0) * x[0] + rotation(i, 1) * x[1]) + rotation(i, 2) * x[2]) +
             translation[i];
    };
    return {row(0), row(1), row(2)};
  }
};

inline Triangle triangle_of(const PolygonSoup& soup, Index t) {
  const auto& [i, j, k] = soup.triangle(t);
  return {soup.vertex(i), soup.vertex(j), soup.vertex(k)};
}

inline Triangle triangle_of(const PolygonSoup& soup, Index t, const RelativePose& pose) {
  const auto& [i, j, k] = soup.triangle(t);
  return {pose * soup.vertex(i), pose * soup.vertex(j), pose * soup.vertex(k)};
}

struct TriangleIds {
  Index a, b;
};

/// One pair of intersecting triangles; empty if there is none or the budget ends before one is
/// found. Needs LocalMap::representable.
std::optional<TriangleIds> any_intersecting_pair(const Object& a, const Object& b,
                                                 const RelativePose& pose, base::BudgetMeter& meter,
                                                 QueryStats& stats, Workspace* workspace);

/// The contact of two triangles given in a's frame; pose_a takes points and normal to the world.
Contact make_contact(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                     const Triangle& at_a, const Triangle& at_b,
                     const geometry::ClosestPoints& closest, const Pose& pose_a);

}  // namespace touche::query
