// SPDX-License-Identifier: Apache-2.0
#include "touche/opening.h"

#include <cmath>
#include <vector>

#include "path/contact_depths.h"
#include "path/face_normal.h"

namespace touche {
namespace {

std::vector<Vec3> directions(const Object& a, const Pose& pose_a, const Object& b,
                             const Pose& pose_b, const Contact& contact) {
  const Vec3 out_of_b = pose_b.matrix() * face_normal(b.soup(), contact.face_b).stableNormalized();
  const Vec3 out_of_a = pose_a.matrix() * face_normal(a.soup(), contact.face_a).stableNormalized();
  const Vec3 given[] = {-contact.normal, out_of_b, -out_of_a};
  std::vector<Vec3> ways;
  const auto add = [&](const Vec3& way) {
    if (!way.allFinite() || !(way.norm() > 0.5)) return;
    ways.push_back(way);
    ways.emplace_back(-way);
  };
  for (const Vec3& way : given) add(way);
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) add((given[i] + given[j]).stableNormalized());
  return ways;
}

}  // namespace

std::optional<Opening> opening(const Object& a, const Pose& pose_a, const Object& b,
                               const Pose& pose_b, const Contact& contact, double shift) {
  if (!(shift > 0) || !std::isfinite(shift))
    throw InvalidInput("opening: the shift must be a length > 0");
  std::optional<Opening> best;
  for (const Vec3& way : directions(a, pose_a, b, pose_b, contact)) {
    const Pose moved = Pose::from_translation(shift * way) * pose_a;
    const Bracket clearance = distance(a, moved, b, pose_b).distance;
    const double least = best ? best->clearance.lower : 0;
    if (!(clearance.lower > least)) continue;
    if (part_inside(a, moved, b, pose_b) != Containment::none) continue;
    best = Opening{way, shift, clearance};
  }
  return best;
}

}  // namespace touche
