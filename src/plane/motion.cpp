// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "math/keeps_plane.h"
#include "math/motion_data.h"
#include "touche/plane.h"

namespace touche::plane {
namespace {

template <class Plane, class Result>
std::vector<Result> all_in_space(std::span<const Plane> items) {
  std::vector<Result> result;
  result.reserve(items.size());
  for (const Plane& item : items) result.push_back(item.in_space());
  return result;
}

/// Functions of the plane are marked by their type, also if they are derived from other ones.
touche::Motion marked(const touche::Motion& motion) {
  detail::MotionData data;
  for (detail::Piece piece : math::pieces_of(motion)) {
    if (piece.kind == detail::PieceKind::function)
      piece.function = std::make_shared<const std::function<touche::Pose(double)>>(
          math::PlanePoses{*piece.function});
    data.add(std::move(piece));
  }
  return detail::MotionData::motion(std::move(data));
}

}  // namespace

Motion Motion::at(const Pose& pose) { return Motion(touche::Motion::at(pose.in_space())); }

Motion Motion::interpolated(const Pose& start, const Pose& end) {
  return Motion(touche::Motion::interpolated(start.in_space(), end.in_space()));
}

Motion Motion::turning(const Pose& start, double angle, const Vec2& pivot, const Vec2& travel) {
  if (!std::isfinite(angle) || !pivot.allFinite() || !travel.allFinite())
    throw InvalidInput("motion: angle, pivot or travel is not finite");
  detail::Piece piece;
  piece.centre = {pivot.x(), pivot.y(), 0};
  piece.start = start.in_space() * piece.centre;
  piece.travel = {travel.x(), travel.y(), 0};
  piece.turn(start.in_space().matrix(), Vec3::UnitZ(), angle);
  detail::MotionData data;
  data.add(std::move(piece));
  return Motion(detail::MotionData::motion(std::move(data)));
}

Motion Motion::through(std::span<const Pose> poses, std::span<const double> times) {
  return Motion(touche::Motion::through(all_in_space<Pose, touche::Pose>(poses), times));
}

Motion Motion::chain(std::span<const Motion> motions, std::span<const double> times) {
  return Motion(touche::Motion::chain(all_in_space<Motion, touche::Motion>(motions), times));
}

Motion Motion::function(std::function<Pose(double)> pose, double max_speed,
                        double max_angular_speed, const Vec2& reference) {
  if (!pose) throw InvalidInput("motion: no function given");
  return Motion(marked(
      touche::Motion::function([inner = std::move(pose)](double t) { return inner(t).in_space(); },
                               max_speed, max_angular_speed, {reference.x(), reference.y(), 0})));
}

Pose Motion::pose(double t) const { return Pose::from_space(motion_.pose(t)); }

Motion Motion::part(double t0, double t1) const { return Motion(motion_.part(t0, t1)); }

Motion Motion::reversed() const { return Motion(marked(motion_.reversed())); }

}  // namespace touche::plane
