// SPDX-License-Identifier: Apache-2.0
// The path of two shapes: the analysis of src/path with queries of shapes.
#include "touche/path.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "bvh/object_data.h"
#include "math/rounding.h"
#include "path/enclosure.h"
#include "path/interior.h"
#include "shape/pairs.h"
#include "shape_path/shape_solid.h"
#include "shape_path/touch_proof.h"

namespace touche::shape_path {

using paths::Holds;

namespace {

class ShapesApart final : public paths::ApartQueries {
 public:
  explicit ShapesApart(const ShapePair& pair) : pair_(pair) {}

  ToiResult time_of_impact(const Motion& motion_a, const Motion& motion_b,
                           const ToiOptions& options) const override {
    return touche::time_of_impact(pair_.a, motion_a, pair_.b, motion_b, options);
  }
  // The bounds of round shapes may differ by more than the options allow. `complete` says here only
  // that the search was not stopped.
  DistanceResult distance(const Pose& pose_a, const Pose& pose_b,
                          const DistanceOptions& options) const override {
    DistanceResult result = touche::distance(pair_.a, pose_a, pair_.b, pose_b, options);
    result.complete = result.complete || !options.budget.expired();
    return result;
  }
  double proved(const DistanceResult& result) const override { return result.distance.lower; }
  Follower follower() const override {
    if (pair_.b.kind() == ShapeKind::half_space) return {false, pair_.a.bounds()};
    return {true, pair_.b.bounds()};
  }

 private:
  const ShapePair& pair_;
};

class ShapeOverlaps final : public paths::Overlaps {
 public:
  /// `soup` is null for two convex shapes.
  ShapeOverlaps(const ShapePair& pair, const Interior* soup)
      : pair_(pair),
        soup_(soup),
        inside_a_(pair.a.is_convex() ? Interior(pair.a) : *soup),
        inside_b_(pair.b.is_convex() ? Interior(pair.b) : *soup) {}

  bool closed() const override { return soup_ == nullptr || paths::determines_inside(*soup_); }
  Thickness thickness(const Pose& pose_a, const Pose& pose_b,
                      const ThicknessOptions& options) const override {
    return overlap_thickness(inside_a_, pose_a, inside_b_, pose_b, options);
  }
  bool apart_after_shift(const Pose& pose_a, const Pose& pose_b, double most,
                         const Budget& budget) const override {
    if (soup_ == nullptr) return depth(pair_.a, pose_a, pair_.b, pose_b).depth.upper <= most;
    if (has_slits()) return false;
    if (are_apart(pair_, soup_, pose_a, pose_b, budget)) return true;
    const double error =
        4 * math::kFormulaError *
        (reach_of(pair_.a, Motion::at(pose_a)) + reach_of(pair_.b, Motion::at(pose_b)));
    const double length = math::kRoundFarDown * most - error;
    if (!(length > 0)) return false;
    const std::vector<Vec3> ways = directions_out(pair_, pose_a, pose_b, budget);
    return std::any_of(ways.begin(), ways.end(), [&](const Vec3& way) {
      return are_apart(pair_, soup_, pose_a, Pose::from_translation(length * way) * pose_b, budget);
    });
  }
  bool come_apart(const Pose& pose_a, const Pose& pose_b, double most,
                  const Budget& budget) const override {
    return apart_after_shift(pose_a, pose_b, most, budget);
  }
  // Faces wholly inside the convex shape count, too, since it is solid.
  double chord_error(const Pose& pose_a, const Pose& pose_b, const PathOptions& options,
                     const Budget& budget) const override {
    if (soup_ == nullptr) return 0;
    const bool a_is_convex = pair_.a.is_convex();
    const std::vector<double>& errors =
        a_is_convex ? options.chord_errors_b : options.chord_errors_a;
    if (errors.empty()) return 0;
    const ShapeFacesResult met =
        intersecting_faces(pair_.convex(), a_is_convex ? pose_a : pose_b, soup_->object(),
                           a_is_convex ? pose_b : pose_a, budget);
    double largest = 0;
    if (!met.complete) return largest;
    for (const auto* faces : {&met.faces, &met.undecided})
      for (const Index face : *faces) largest = std::max(largest, errors[face]);
    return largest;
  }
  std::unique_ptr<paths::TouchProof> touch_proof(const Motion& motion_a, const Motion& motion_b,
                                                 double t_start, double t_end, double tolerance,
                                                 const Budget& budget) const override {
    return std::make_unique<ShapeTouchProof>(pair_, soup_, motion_a, motion_b, t_start, t_end,
                                             tolerance, budget);
  }

 private:
  // The proofs for two objects allow slits, these do not.
  bool has_slits() const { return closed() && soup_ != nullptr && !soup_->closed(); }

  const ShapePair& pair_;
  const Interior* const soup_;
  const Interior inside_a_, inside_b_;
};

class ShapeBodies final : public paths::Bodies {
 public:
  explicit ShapeBodies(const ShapePair& pair)
      : pair_(pair), apart_(pair), soup_inside_(pair.a.is_convex() ? pair.b : pair.a) {}

  const paths::ApartQueries& apart() const override { return apart_; }

  Containment containment_in_open(const Motion& motion_a, const Motion& motion_b, double begin,
                                  double end, double slack, const Budget& budget) override {
    if (pair_.both_are_convex() || overlaps().closed()) return Containment::none;
    return contained(motion_a, motion_b, begin, end, slack, budget);
  }

  Containment containment(const Motion& motion_a, const Motion& motion_b, double begin, double end,
                          const Budget& budget) override {
    return contained(motion_a, motion_b, begin, end, 0, budget);
  }

  bool may_reach_in(const Motion& motion_a, const Motion& motion_b, double begin, double end,
                    double apart) override {
    if (pair_.both_are_convex() || !base::data_of(soup_inside_.get()).may_be_entered(apart))
      return false;
    const Shape& convex = pair_.convex();
    if (convex.kind() == ShapeKind::half_space) return true;
    const bool a_is_convex = pair_.a.is_convex();
    const Motion in_from_out =
        a_is_convex ? Motion::relative(motion_b, motion_a) : Motion::relative(motion_a, motion_b);
    return paths::bounds_may_meet((a_is_convex ? pair_.b : pair_.a).object().bounds(),
                                  convex.bounds(), in_from_out, begin, end);
  }

  const paths::Overlaps& overlaps() override {
    if (!overlaps_)
      overlaps_.emplace(pair_, pair_.both_are_convex() ? nullptr : &soup_inside_.get());
    return *overlaps_;
  }

 private:
  // A convex shape is solid: what lies inside of it touches it. Only a convex shape inside of a
  // soup is apart from it.
  Containment contained(const Motion& motion_a, const Motion& motion_b, double begin, double end,
                        double slack, const Budget& budget) {
    const Shape& convex = pair_.convex();
    if (pair_.both_are_convex() || convex.kind() == ShapeKind::half_space) return Containment::none;
    const bool a_is_convex = pair_.a.is_convex();
    const Motion &motion_in = a_is_convex ? motion_a : motion_b,
                 &motion_out = a_is_convex ? motion_b : motion_a;
    const Object& object = (a_is_convex ? pair_.b : pair_.a).object();
    const Motion in_from_out = Motion::relative(motion_out, motion_in);
    if (!paths::bounds_may_meet(object.bounds(), convex.bounds(), in_from_out, begin, end))
      return Containment::none;
    const Interior& out = soup_inside_.get();
    const auto answer = [&](Holds holds) {
      return a_is_convex ? paths::containment_of(holds, Holds::no)
                         : paths::containment_of(Holds::no, holds);
    };
    if (base::data_of(out).tells_inside()) {
      const double t = 0.5 * (begin + end);
      const Holds held = lies_in_object(convex, motion_in.pose(t), out, motion_out.pose(t), budget);
      if (held == Holds::yes || base::data_of(out).ends_at_faces()) return answer(held);
    }
    const Witnesses witnesses = witnesses_of(convex);
    const Holds holds = paths::holds(out,
                                     paths::find_enclosure(out, witnesses.points, convex.bounds(),
                                                           in_from_out, begin, end, budget, slack),
                                     budget);
    if (holds != Holds::yes || witnesses.decide_all) return answer(holds);
    return answer(base::data_of(out).is_capped() ? Holds::open : Holds::undecided);
  }

  const ShapePair& pair_;
  const ShapesApart apart_;
  SoupInside soup_inside_;
  std::optional<ShapeOverlaps> overlaps_;
};

void check(const Shape& shape, std::span<const double> chord_errors) {
  if (shape.is_convex()) {
    if (!chord_errors.empty())
      throw InvalidInput("path: a convex shape has no faces, so no chord errors");
    return;
  }
  if (shape.radius() > 0)
    throw InvalidInput("path: a rounded soup has no inside; use its object, with a clearance");
  if (bvh::flat_of(shape.object()) != nullptr)
    throw InvalidInput(
        "path: an object that stands on an outline has no height, a shape in space has");
  paths::check_chord_errors(chord_errors, shape.object());
}

}  // namespace
}  // namespace touche::shape_path

namespace touche {

PathResult path(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                const PathOptions& options) {
  const bool are_soups = !a.is_convex() && !b.is_convex();
  if (are_soups && a.radius() + b.radius() == 0)
    return path(a.object(), motion_a, b.object(), motion_b, options);
  shape::check_time_of_impact(a, b);
  shape_path::check(a, options.chord_errors_a);
  shape_path::check(b, options.chord_errors_b);
  const shape_path::ShapePair pair{a, b};
  shape_path::ShapeBodies bodies(pair);
  return paths::follow_path(bodies, motion_a, motion_b, options);
}

}  // namespace touche
