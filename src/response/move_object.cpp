// SPDX-License-Identifier: Apache-2.0
// A motion is cut where it meets something. From there the free motion goes on, which is the wanted
// one as the responses changed it. The motion that is carried out is the free motion with an
// opening: a shift below the tolerance, away from faces that are too near to slide along. The
// opening is no part of the free motion, so openings do not add up.
#include "touche/response.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/budget_part.h"
#include "math/motion_data.h"
#include "math/moved_box.h"
#include "response/half_spaces.h"
#include "response/obstacles.h"
#include "response/shifted_motion.h"
#include "shape/round_feature.h"
#include "touche/near_faces.h"
#include "world/pair_questions.h"

namespace touche {
namespace {

// Surfaces within kNear tolerances beyond the clearance bar the motion, which opens them to kOpen.
// An object stops between a half and one tolerance beyond the clearance.
constexpr double kNear = 1.5, kOpen = 0.75, kMostOpening = 4, kHardlyAny = 1.0 / 32;
// A motion that turns is examined in parts from its beginning on, each half as long as the last,
// until a point moves no farther in one than this fraction of the tolerance.
constexpr double kShort = 1.0 / 16;
constexpr int kMostParts = 30;
constexpr double kProjectionSlack = 1e-12;  // relative to what is projected
constexpr double kNothingLeft = 1e-9;       // relative to the wanted translation
constexpr double kLeastTurn = 1e-6;         // turn of near features, if nothing turns
constexpr int kMostImpacts = 64;

void require_of_move(bool holds, const char* what) {
  if (!holds) throw InvalidInput(std::string("move_object: ") + what);
}

void check(const ObjectMoveOptions& options) {
  require_of_move(options.tolerance > 0 && std::isfinite(options.tolerance),
                  "the tolerance must be a length > 0");
  require_of_move(options.clearance >= 0 && std::isfinite(options.clearance),
                  "the clearance must be a length >= 0");
  require_of_move(options.restitution >= 0 && options.restitution <= 1,
                  "the restitution must be in [0, 1]");
  require_of_move(options.max_contacts >= 1, "max_contacts must be 1 or more");
}

Motion translation(const Pose& start, const Vec3& motion) {
  require_of_move(motion.allFinite(), "a coordinate of the motion is not finite");
  const Vec3 end = start.translation() + motion;
  require_of_move(end.allFinite(), "a coordinate is not finite");
  return Motion::interpolated(start, Pose::from_quaternion_unchecked(start.rotation(), end));
}

void require_features(const Shape& shape) {
  require_of_move(shape.is_convex() || shape.radius() == 0,
                  "a rounded soup has no features; give its object, and a clearance");
}

bool may_turn(const Motion& motion) {
  const auto pieces = math::pieces_of(motion);
  return std::any_of(pieces.begin(), pieces.end(), [](const detail::Piece& piece) {
    return piece.kind == detail::PieceKind::function || piece.angle != 0;
  });
}

/// The point of the half-spaces' intersection that is nearest to x, if there is one.
std::optional<Vec3> nearest(const std::vector<response::HalfSpace3>& spaces, const Vec3& x) {
  return response::nearest_of_any_size(spaces, x, kProjectionSlack);
}

/// Carries out a motion piece by piece.
class ObjectMover {
 public:
  ObjectMover(const Shape& moved, const Motion& wanted, const ObjectMoveOptions& options,
              response::Obstacles obstacles)
      : moved_(moved),
        options_(options),
        obstacles_(std::move(obstacles)),
        turns_(may_turn(wanted)),
        free_(wanted),
        leg_(wanted),
        left_(base::for_part(options.budget)) {
    move_.pose = wanted.pose(0);
    move_.motion = wanted.pose(1).translation() - move_.pose.translation();
    size_ = move_.motion.norm();
  }

  ObjectMove run() {
    if (!measure_start()) return std::move(move_);
    while (static_cast<int>(move_.contacts.size()) < options_.max_contacts) {
      const Stop stop = first_stop();
      go(stop.t);
      if (stop.undecided) return ended(MoveStatus::unfinished);
      if (!stop.contact) return ended(MoveStatus::arrived);
      record(stop);
      if (options_.response == Response::stop) return ended(MoveStatus::stopped);
      if (!(move_.t < 1)) return ended(MoveStatus::arrived);
      if (!look_around()) return ended(MoveStatus::unfinished);
      if (!respond(*stop.contact)) return ended(MoveStatus::stopped);
    }
    return ended(MoveStatus::unfinished);
  }

 private:
  /// The end of a leg, in the leg's time.
  struct Stop {
    double t = 1;
    bool undecided = false;
    std::optional<response::Obstacle> by = {};
    std::optional<Contact> contact = {};
  };

  const std::vector<response::Obstacle>& around(const Motion& way) {
    const Aabb box = world::swept_box(moved_, way);
    const double size = box.lo.cwiseAbs().maxCoeff() + box.hi.cwiseAbs().maxCoeff();
    const Vec3 reach =
        Vec3::Constant(options_.clearance + 2 * options_.tolerance + math::kMovedBoxError * size);
    return obstacles_.in({box.lo - reach, box.hi + reach});
  }

  void spend(const QueryStats& stats) {
    move_.stats += stats;
    if (left_.max_work != Budget::kUnlimited)
      left_.max_work -= std::min(left_.max_work, stats.work());
  }

  DistanceResult measure(const response::Obstacle& o) {
    DistanceResult result = distance(moved_, move_.pose, *o.shape, o.pose,
                                     {.max_distance = options_.clearance + 2 * options_.tolerance,
                                      .budget = left_,
                                      .workspace = &workspace_});
    spend(result.stats);
    return result;
  }

  // Returns false if the motion cannot begin.
  bool measure_start() {
    for (const response::Obstacle& o : around(Motion::at(move_.pose))) {
      const DistanceResult start = measure(o);
      if (start.distance.lower > options_.clearance) continue;
      const bool known = start.complete || start.distance.upper <= options_.clearance;
      move_.status = known ? MoveStatus::initially_touching : MoveStatus::unfinished;
      if (known) move_.motion.setZero();
      return false;
    }
    return true;
  }

  Stop first_stop() {
    Stop first;
    for (const response::Obstacle& o : around(leg_)) {
      if (!(first.t > 0)) break;
      const Motion way = first.t < 1 ? leg_.part(0, first.t) : leg_, still = Motion::at(o.pose);
      const world::PairAnswer answer = world::ask_pair({.a = moved_,
                                                        .motion_a = way,
                                                        .b = *o.shape,
                                                        .motion_b = still,
                                                        .tolerance = options_.tolerance,
                                                        .clearance = options_.clearance,
                                                        .budget = left_},
                                                       workspace_);
      spend(answer.stats);
      if (answer.status == ToiStatus::free) continue;
      first = {first.t * answer.time.lower, answer.status == ToiStatus::undecided, o,
               answer.contact};
    }
    return first;
  }

  // Carries out the leg until its time t.
  void go(double t) {
    if (t > 0) move_.path.push_back(t < 1 ? leg_.part(0, t) : leg_);
    move_.pose = leg_.pose(t);
    if (t < 1) {
      if (t > 0) free_ = response::shifted(free_.part(t, 1), t * opening_, t * opening_);
      move_.t += t * (1 - move_.t);
    } else {
      move_.t = 1;
    }
  }

  void record(const Stop& stop) {
    const DistanceResult here = measure(*stop.by);
    move_.contacts.push_back(
        {move_.t, stop.by->body, here.closest ? *here.closest : *stop.contact});
  }

  // Rounding may leave the distance of round shapes open, but their lower bound is proved.
  bool is_known(const response::Obstacle& o, const DistanceResult& here) const {
    return here.complete || (!world::are_soups(moved_, *o.shape) && here.distance.lower > 0);
  }

  // Finds near contacts; returns false if the budget ended.
  bool look_around() {
    near_.clear();
    const double margin = options_.clearance + kNear * options_.tolerance;
    for (const response::Obstacle& o : around(Motion::at(move_.pose))) {
      NearOptions options{.max_distance = margin, .budget = left_, .workspace = &workspace_};
      if (!turns_) options.turn = kLeastTurn;
      near_features(moved_, move_.pose, *o.shape, o.pose, options, found_);
      spend(found_.stats);
      near_.insert(near_.end(), found_.contacts.begin(), found_.contacts.end());
      const DistanceResult here = measure(o);
      if (!found_.complete || !is_known(o, here)) return false;
      if (here.closest && here.closest->distance <= margin) near_.push_back(*here.closest);
    }
    return true;
  }

  // How far a point of the object, given in the world, moves along a direction in the rest of the
  // motion: extrapolated from the part, from the beginning on, in which it advances least.
  double advance(const Vec3& point, const Vec3& direction) const {
    const Vec3 local = move_.pose.inverse() * point;
    double least = kInfinity, part = 1;
    for (int i = 0; i < (turns_ ? kMostParts : 1); ++i, part /= 2) {
      const Vec3 way = free_.pose(part) * local - point;
      least = std::min(least, direction.dot(way) / part);
      if (way.norm() <= kShort * options_.tolerance) break;
    }
    return least;
  }

  // The same for a whole shape: a round one comes down with other points than the one that is
  // lowest now.
  double advance_of_all(const Vec3& point, const Vec3& direction) const {
    const auto lowest = [&](const Pose& pose) {
      const Vec3 local = pose.inverse().rotate(-direction);
      return direction.dot(pose * moved_.support(local));
    };
    const Vec3 local = move_.pose.inverse() * point;
    const double now = lowest(move_.pose);
    double least = kInfinity, part = 1;
    for (int i = 0; i < kMostParts; ++i, part /= 2) {
      const Pose pose = free_.pose(part);
      least = std::min(least, (lowest(pose) - now) / part);
      if ((pose * local - point).norm() <= kShort * options_.tolerance) break;
    }
    return least;
  }

  void bar(const Contact& contact) {
    const Vec3 away = -contact.normal;
    const bool rolls = turns_ && moved_.is_convex() && shape::is_round(contact.feature_a);
    const double advance_of =
        rolls ? advance_of_all(contact.point_a, away) : advance(contact.point_a, away);
    cone_.push_back({away, -advance_of});
    const double open = options_.clearance + kOpen * options_.tolerance;
    openings_.push_back({away, std::max(0.0, open - contact.distance)});
  }

  bool is_barred() const {
    return std::any_of(cone_.begin(), cone_.end(), [&](const response::HalfSpace3& space) {
      return space.offset > kProjectionSlack * size_;
    });
  }

  // The shift that responds; empty if all directions are barred.
  std::optional<Vec3> answer() const {
    std::optional<Vec3> along = nearest(cone_, Vec3::Zero());
    if (!along || options_.response == Response::slide) return along;
    // A shift that would lead into the next surface is the next impact, as in reflect().
    Vec3 shift = Vec3::Zero();
    for (int impact = 0; along && impact < kMostImpacts; ++impact) {
      const Vec3 before = shift;
      shift = *along + options_.restitution * (*along - before);
      along = nearest(cone_, shift);
      if (along && (*along - shift).norm() <= kProjectionSlack * (size_ + shift.norm()))
        return shift;
    }
    return along;
  }

  // Returns false if there is no opening and hardly any room is left.
  bool choose_opening() {
    opening_.setZero();
    double most = 0;
    for (const response::HalfSpace3& space : openings_) most = std::max(most, space.offset);
    if (!(most > 0)) return true;
    for (const double share : {1.0, 0.5}) {
      std::vector<response::HalfSpace3> spaces = openings_;
      for (response::HalfSpace3& space : spaces) space.offset *= share;
      const std::optional<Vec3> found = nearest(spaces, Vec3::Zero());
      if (!found || found->norm() > kMostOpening * options_.tolerance) continue;
      opening_ = *found;
      return true;
    }
    return most < (kOpen - kHardlyAny) * options_.tolerance;
  }

  // Turns the motion; returns false if nothing of it is left.
  bool respond(const Contact& met) {
    cone_.clear();
    openings_.clear();
    for (const Contact& contact : near_) bar(contact);
    if (!is_barred()) bar(met);
    const bool barred = is_barred();
    const std::optional<Vec3> shift = answer();
    if (!shift || !choose_opening()) return false;
    if (!barred && opening_.isZero(0)) return false;
    move_.motion += *shift / (1 - move_.t);
    if (!turns_ && move_.motion.norm() <= kNothingLeft * size_) return false;
    free_ = response::shifted(free_, Vec3::Zero(), *shift);
    leg_ = opening_.isZero(0) ? free_ : response::shifted(free_, Vec3::Zero(), opening_);
    return true;
  }

  ObjectMove ended(MoveStatus status) {
    move_.status = status;
    if (status == MoveStatus::stopped) move_.motion.setZero();
    return std::move(move_);
  }

  const Shape& moved_;
  const ObjectMoveOptions& options_;
  response::Obstacles obstacles_;
  const bool turns_;
  Motion free_, leg_;  // from the object's pose on
  Vec3 opening_ = Vec3::Zero();
  Budget left_;
  ObjectMove move_;
  double size_ = 0;  // of the wanted translation
  NearResult found_;
  std::vector<Contact> near_;
  std::vector<response::HalfSpace3> cone_, openings_;  // half-spaces of shifts
  Workspace workspace_;
};

}  // namespace

ObjectMove move_object(const Shape& moved, const Motion& wanted, const Shape& shape,
                       const Pose& pose, const ObjectMoveOptions& options) {
  check(options);
  require_features(moved);
  require_features(shape);
  require_of_move(!world::is_half_space(moved) || !world::is_half_space(shape),
                  "two half spaces have no distance");
  return ObjectMover(moved, wanted, options, {shape, pose}).run();
}

ObjectMove move_object(const Shape& moved, const Motion& wanted, World& world,
                       const ObjectMoveOptions& options) {
  check(options);
  require_features(moved);
  require_of_move(!world::is_half_space(moved), "a half space does not move in a world");
  return ObjectMover(moved, wanted, options, {world, options.mask, options.ignored}).run();
}

ObjectMove move_object(const Shape& moved, const Pose& start, const Vec3& motion,
                       const Shape& shape, const Pose& pose, const ObjectMoveOptions& options) {
  return move_object(moved, translation(start, motion), shape, pose, options);
}

ObjectMove move_object(const Shape& moved, const Pose& start, const Vec3& motion, World& world,
                       const ObjectMoveOptions& options) {
  return move_object(moved, translation(start, motion), world, options);
}

}  // namespace touche
