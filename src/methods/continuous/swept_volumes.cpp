// SPDX-License-Identifier: Apache-2.0
#include "methods/continuous/swept_volumes.h"

namespace touche::continuous {
namespace {

using bounds::Mixed;

Mixed::Kind kind_of(SweptBy by, const Mixed& volume) {
  switch (by) {
    case SweptBy::own:
      return volume.kind;
    case SweptBy::sphere:
      return Mixed::Kind::sphere;
    case SweptBy::aabb:
      return Mixed::Kind::aabb;
    case SweptBy::obb:
      return Mixed::Kind::obb;
  }
  return volume.kind;
}

Ball ball_around(const Mixed& volume) {
  const Mixed sphere = as_kind(volume, Mixed::Kind::sphere);
  return {sphere.box.centre, sphere.box.half.x()};
}

}  // namespace

SweptVolumes::SweptVolumes(const Motion& motion, Sweep sweep, SweptBy by, double slack)
    : motion_(motion), sweep_(sweep), by_(by) {
  const Pose start = motion.pose(0), end = motion.pose(1);
  start_ = start;
  end_ = end;
  start_.slack = end_.slack = slack;
  travel_ = end * start.inverse();
}

Mixed SweptVolumes::of(const Mixed& volume) const {
  const Mixed::Kind kind = kind_of(by_, volume);
  switch (sweep_) {
    case Sweep::start_end:
      return around_both(volume, start_, end_, kind);
    case Sweep::start_end_enclosing:
      return enlarged(around_both(volume, start_, end_, kind),
                      motion_.bulge_bound(ball_around(volume)));
    case Sweep::motion_length: {
      const Mixed at_start = moved(volume, start_);
      return as_kind(enlarged(at_start, motion_length(at_start, travel_)), kind);
    }
    case Sweep::motion_length_enclosing: {
      const double length = motion_.displacement_bound(ball_around(volume), 0, 0, 1);
      return as_kind(enlarged(moved(volume, start_), length), kind);
    }
  }
  return volume;
}

}  // namespace touche::continuous
