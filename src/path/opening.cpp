// SPDX-License-Identifier: Apache-2.0
#include "touche/overlap.h"

#include <cmath>
#include <vector>

#include "base/budget_part.h"
#include "math/rounding.h"
#include "path/contact_depths.h"
#include "path/face_normal.h"

namespace touche {
namespace {

std::vector<Vec3> directions(const Object& a, const Pose& pose_a, const Object& b,
                             const Pose& pose_b, const Contact& contact) {
  const Vec3 out_of_b =
      pose_b.matrix() * math::unit_or_zero(paths::face_normal(b.soup(), contact.face_b));
  const Vec3 out_of_a =
      pose_a.matrix() * math::unit_or_zero(paths::face_normal(a.soup(), contact.face_a));
  const Vec3 given[] = {-contact.normal, out_of_b, -out_of_a};
  std::vector<Vec3> ways;
  const auto add = [&](const Vec3& way) {
    if (way.isZero()) return;
    ways.push_back(way);
    ways.emplace_back(-way);
  };
  for (const Vec3& way : given) add(way);
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) add(math::unit_or_zero(given[i] + given[j]));
  return ways;
}

}  // namespace

OpeningResult opening(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const Contact& contact, double shift, const Budget& budget) {
  if (!(shift > 0) || !std::isfinite(shift))
    throw InvalidInput("opening: the shift must be a length > 0");
  if (!contact.normal.allFinite()) throw InvalidInput("opening: the normal is not finite");
  if (contact.face_a >= a.soup().face_count() || contact.face_b >= b.soup().face_count())
    throw InvalidInput("opening: the contact names no face of both objects");
  OpeningResult result{.best = {}, .complete = true};
  paths::LazyInterior inside_a(a), inside_b(b);
  paths::ContainmentTest part_inside(inside_a, inside_b);
  for (const Vec3& way : directions(a, pose_a, b, pose_b, contact)) {
    const Pose moved = Pose::from_translation(shift * way) * pose_a;
    const DistanceResult apart = distance(a, moved, b, pose_b, {.budget = base::for_part(budget)});
    if (!apart.complete) result.complete = false;
    const double least = result.best ? result.best->clearance.lower : 0;
    if (!(apart.distance.lower > least)) continue;
    const Containment inside = part_inside(moved, pose_b, budget);
    if (inside == Containment::undecided) result.complete = false;
    if (inside != Containment::none && inside != Containment::open) continue;
    result.best = Opening{way, shift, apart.distance};
  }
  return result;
}

}  // namespace touche
