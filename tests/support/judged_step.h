// SPDX-License-Identifier: Apache-2.0
// Steps of rigid bodies that are judged as they are taken.
#pragma once

#include "shapes.h"
#include "touche/dynamics.h"
#include "way_judge.h"

namespace touche::test {

inline Object block(const Vec3& half) { return Object(scenes::box(-half, half, 1)); }
inline Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

/// Takes a step and judges it.
inline const DynamicsResult& judged_step(World& world, Dynamics& dynamics, double dt,
                                         double tolerance) {
  WayJudge judge(world);
  for (const JointId id : dynamics.joints())
    if (const Joint& joint = dynamics.joint(id); !joint.contacts) judge.exempt(joint.a, joint.b);
  const DynamicsResult& result = dynamics.step(dt);
  judge.expect_disjoint(
      [&](NodeId body) {
        try {
          return dynamics.last_motion(body);
        } catch (const InvalidInput&) {  // neither forces nor a motion moved it
          return Motion::at(world.pose(body));
        }
      },
      1e-3 * tolerance);
  return result;
}

}  // namespace touche::test
