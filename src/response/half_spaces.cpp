// SPDX-License-Identifier: Apache-2.0
// Half-spaces are added one by one, as Seidel's algorithm adds the constraints of a linear program.
// If the nearest point so far is outside of the next half-space, the new one lies on its plane;
// this leaves the same problem in a plane, and then on a line. In three dimensions this ends after
// at most n³ tests, and the result is exact except for rounding: nothing is iterated, so nothing
// oscillates between two surfaces.
#include "response/half_spaces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace touche::response {
namespace {

constexpr double kParallel = 1e-13;  // smaller sines come from rounding of parallels

/// The point nearest to x on the line through x with direction `along`.
std::optional<Vec3> nearest_on_line(std::span<const HalfSpace3> spaces, const Vec3& x,
                                    const Vec3& along, double slack) {
  double least = -kInfinity, most = kInfinity;
  for (const HalfSpace3& space : spaces) {
    const double slope = space.normal.dot(along), gap = space.offset - space.normal.dot(x);
    if (std::abs(slope) <= kParallel) {
      if (gap > slack) return std::nullopt;
    } else if (slope > 0) {
      least = std::max(least, gap / slope);
    } else {
      most = std::min(most, gap / slope);
    }
  }
  if (least <= most) return x + std::clamp(0.0, least, most) * along;
  // The bounds may contradict each other by rounding only.
  const Vec3 between = x + 0.5 * (least + most) * along;
  for (const HalfSpace3& space : spaces)
    if (!(space.normal.dot(between) >= space.offset - slack)) return std::nullopt;
  return between;
}

/// The point nearest to x in the plane through x with that normal.
std::optional<Vec3> nearest_on_plane(std::span<const HalfSpace3> spaces, const Vec3& x,
                                     const Vec3& normal, double slack) {
  Vec3 nearest = x;
  for (std::size_t j = 0; j < spaces.size(); ++j) {
    const auto& [other, offset] = spaces[j];
    if (offset - other.dot(nearest) <= slack) continue;
    // The other normal within the plane, made orthogonal to the first up to rounding even if it is
    // short.
    Vec3 across = other - other.dot(normal) * normal;
    const double sine = across.norm();
    if (sine <= kParallel) return std::nullopt;
    across = (across - across.dot(normal) * normal).normalized();
    const Vec3 on_both = x + (offset - other.dot(x)) / sine * across;
    const auto found =
        nearest_on_line(spaces.first(j), on_both, normal.cross(across).normalized(), slack);
    if (!found) return std::nullopt;
    nearest = *found;
  }
  return nearest;
}

}  // namespace

std::optional<Vec3> nearest_in(std::span<const HalfSpace3> spaces, const Vec3& x, double slack) {
  Vec3 nearest = x;
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    const auto& [normal, offset] = spaces[i];
    const double gap = offset - normal.dot(nearest);
    if (gap <= slack) continue;
    const Vec3 on_plane = x + (offset - normal.dot(x)) * normal;
    const auto found = nearest_on_plane(spaces.first(i), on_plane, normal, slack);
    if (!found) return std::nullopt;
    nearest = *found;
  }
  return nearest;
}

std::optional<Vec3> nearest_of_any_size(std::vector<HalfSpace3> spaces, const Vec3& x,
                                        double slack) {
  double size = x.norm();
  for (const HalfSpace3& space : spaces) size = std::max(size, std::abs(space.offset));
  if (!(size > 0)) return x;
  for (HalfSpace3& space : spaces) space.offset /= size;
  const std::optional<Vec3> found = nearest_in(spaces, x / size, slack);
  return found ? std::optional<Vec3>(size * *found) : std::nullopt;
}

}  // namespace touche::response
