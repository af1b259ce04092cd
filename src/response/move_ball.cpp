// SPDX-License-Identifier: Apache-2.0
#include "touche/response.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "response/cast_ball.h"
#include "response/obstacles.h"
#include "shape/point_gap.h"
#include "touche/shape.h"

namespace touche {
namespace {

void check(const Ball& ball, const Vec3& motion, const BallMoveOptions& options) {
  if (!ball.centre.allFinite() || !motion.allFinite())
    throw InvalidInput("move_ball: a coordinate is not finite");
  if (!(ball.radius >= 0 && std::isfinite(ball.radius)))
    throw InvalidInput("move_ball: the radius must be a length >= 0");
  if (!(options.tolerance > 0 && std::isfinite(options.tolerance)))
    throw InvalidInput("move_ball: the tolerance must be a length > 0");
  if (!(options.clearance >= 0 && std::isfinite(options.clearance)))
    throw InvalidInput("move_ball: the clearance must be a length >= 0");
  if (!(options.restitution >= 0 && options.restitution <= 1))
    throw InvalidInput("move_ball: the restitution must be in [0, 1]");
  if (options.max_contacts < 1) throw InvalidInput("move_ball: max_contacts must be 1 or more");
}

/// Carries out a motion piece by piece.
class BallMover {
 public:
  BallMover(const Ball& ball, const Vec3& motion, const BallMoveOptions& options,
            response::Obstacles obstacles)
      : at_(ball.centre),
        size_(motion.norm()),
        radius_(ball.radius + options.clearance),
        options_(options),
        obstacles_(std::move(obstacles)) {
    move_.motion = motion;
    move_.path = {at_};
    const Segment way = {at_, at_ + motion};
    for (const response::Obstacle& o : around(way))
      probe_ =
          std::max(probe_, response::raised_tolerance(*o.shape, o.pose, way, options.tolerance));
  }

  BallMove run() {
    if (touches()) return ended(MoveStatus::initially_touching);
    while (static_cast<int>(move_.contacts.size()) < options_.max_contacts) {
      const Vec3 rest = (1 - move_.t) * move_.motion;
      const std::optional<BallContact> contact = first_contact({at_, at_ + rest});
      if (contact && has_no_normal(*contact)) {
        const bool began = move_.contacts.empty() && contact->t == 0;
        return ended(began ? MoveStatus::initially_touching : MoveStatus::stopped);
      }
      go(contact ? contact->t : 1, rest);
      if (!contact) return ended(MoveStatus::arrived);
      move_.contacts.push_back(*contact);
      move_.contacts.back().t = move_.t;
      if (!respond(contact->normal)) return ended(MoveStatus::stopped);
    }
    return ended(MoveStatus::unfinished);
  }

 private:
  const std::vector<response::Obstacle>& around(const Segment& way) {
    // Wide enough for raised tolerances.
    const double size = way.start.norm() + way.end.norm();
    const Vec3 reach = Vec3::Constant(radius_ + options_.tolerance + 1e-11 * size);
    return obstacles_.in(
        {way.start.cwiseMin(way.end) - reach, way.start.cwiseMax(way.end) + reach});
  }

  bool touches() {
    for (const response::Obstacle& o : around({at_, at_}))
      if (touches(o)) return true;
    return false;
  }

  bool touches(const response::Obstacle& o) const {
    const Shape& shape = *o.shape;
    if (closest_point(shape, o.pose, at_, radius_).distance <= radius_) return true;
    if (!shape.is_convex()) return false;
    // That is an upper bound, which may be more than 0 at and below a surface. Casts need a proof.
    return !(shape::point_gap(shape, o.pose.inverse() * at_).lower > 0);
  }

  /// No plane separates the centre from what it meets: no response can find the direction outwards.
  static bool has_no_normal(const BallContact& contact) { return contact.normal.isZero(0); }

  /// t is the fraction of the path.
  std::optional<BallContact> first_contact(const Segment& way) {
    std::optional<BallContact> first;
    for (const response::Obstacle& o : around(way)) {
      const auto hit = cast_ball(*o.shape, o.pose, way, radius_, options_.tolerance);
      if (hit && (!first || hit->t < first->t))
        first = BallContact{hit->t, o.body, hit->face, hit->point, hit->normal};
    }
    return first;
  }

  void go(double t, const Vec3& rest) {
    at_ += t * rest;
    move_.t = t < 1 ? move_.t + t * (1 - move_.t) : 1;
    move_.path.push_back(at_);
  }

  /// Turns the motion; returns false if nothing of it is left.
  bool respond(const Vec3& normal) {
    if (options_.response == Response::stop) return false;
    Vec3 turned;
    if (options_.response == Response::reflect) {
      turned = reflect(move_.motion, normal, options_.restitution);
    } else {
      keep_surfaces();
      surfaces_.push_back(normal);
      turned = slide(move_.motion, surfaces_);
    }
    if (turned == move_.motion || turned.norm() <= 1e-12 * size_) return false;
    move_.motion = turned;
    return true;
  }

  /// Keeps the surfaces of earlier slides that are still there: a short path into such a surface
  /// meets something, whose normal may have turned.
  void keep_surfaces() {
    kept_.clear();
    for (const Vec3& normal : surfaces_) {
      const auto below = first_contact({at_, at_ - probe_ * normal});
      if (below && !has_no_normal(*below) &&
          std::find(kept_.begin(), kept_.end(), below->normal) == kept_.end())
        kept_.push_back(below->normal);
    }
    surfaces_.swap(kept_);
  }

  BallMove ended(MoveStatus status) {
    move_.status = status;
    if (status == MoveStatus::stopped || status == MoveStatus::initially_touching)
      move_.motion.setZero();
    return std::move(move_);
  }

  Vec3 at_;
  double size_, radius_;
  const BallMoveOptions& options_;
  response::Obstacles obstacles_;
  BallMove move_;
  double probe_ = 0;                   // length of a path into a surface
  std::vector<Vec3> surfaces_, kept_;  // normals
};

}  // namespace

BallMove move_ball(const Ball& ball, const Vec3& motion, const Shape& shape, const Pose& pose,
                   const BallMoveOptions& options) {
  check(ball, motion, options);
  if (!shape.is_convex() && shape.radius() > 0)
    throw InvalidInput("move_ball: a rounded soup; give its object, and a clearance");
  return BallMover(ball, motion, options, {shape, pose}).run();
}

BallMove move_ball(const Ball& ball, const Vec3& motion, World& world,
                   const BallMoveOptions& options) {
  check(ball, motion, options);
  return BallMover(ball, motion, options, {world, options.mask}).run();
}

}  // namespace touche
