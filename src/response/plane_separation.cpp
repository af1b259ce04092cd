// SPDX-License-Identifier: Apache-2.0
// The separation of outlines is that of the objects in space that stand on them, which are shifted
// within the plane: they have the same distances, and the outlines stored in them determine what
// lies inside.
#include "plane/edge_pair.h"
#include "touche/separation.h"

namespace touche::plane {

Separation separation(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const SeparationOptions& options) {
  const touche::Separation found =
      touche::separation(Interior(a.in_space()), pose_a.in_space(), Interior(b.in_space()),
                         pose_b.in_space(), options);
  Separation result;
  result.status = found.status;
  result.distance = found.distance;
  result.direction = found.direction.head<2>();
  result.shift = found.shift.head<2>();
  result.complete = found.complete;
  result.work = found.work;
  if (found.closest) {
    result.closest =
        make_contact(a.outline(), found.closest->face_a, b.outline(), found.closest->face_b,
                     query::RelativePose(pose_a.in_space(), pose_b.in_space()), pose_a);
    result.direction = result.closest->normal;
  }
  return result;
}

Pose resolved_pose(const Separation& separation, const Pose& pose_b) {
  if (separation.status == SeparationStatus::undecided)
    throw InvalidInput("resolved_pose: it is undecided whether they overlap");
  return Pose(0, separation.shift) * pose_b;
}

}  // namespace touche::plane
