// SPDX-License-Identifier: Apache-2.0
#include "path/soup_bodies.h"

#include "path/chord_error.h"
#include "path/enclosure.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "path/shift_apart.h"
#include "path/touch_proof.h"

namespace touche::paths {

bool SoupOverlaps::closed() const {
  return base::data_of(a_).bounds_inside() && base::data_of(b_).bounds_inside();
}

Thickness SoupOverlaps::thickness(const Pose& pose_a, const Pose& pose_b,
                                  const ThicknessOptions& options) const {
  return overlap_thickness(a_, pose_a, b_, pose_b, options);
}

bool SoupOverlaps::apart_after_shift(const Pose& pose_a, const Pose& pose_b, double most,
                                     const Budget& budget) const {
  return paths::apart_after_shift(a_, pose_a, b_, pose_b, most, budget);
}

bool SoupOverlaps::come_apart(const Pose& pose_a, const Pose& pose_b, double most,
                              const Budget& budget) const {
  return paths::come_apart(a_, pose_a, b_, pose_b, most, budget);
}

double SoupOverlaps::chord_error(const Pose& pose_a, const Pose& pose_b, const PathOptions& options,
                                 const Budget& budget) const {
  return chord_error_where_they_meet(a_.object(), pose_a, options.chord_errors_a, b_.object(),
                                     pose_b, options.chord_errors_b, budget)
      .value_or(0);
}

std::unique_ptr<TouchProof> SoupOverlaps::touch_proof(const Motion& motion_a,
                                                      const Motion& motion_b, double t_start,
                                                      double t_end, double tolerance,
                                                      const Budget& budget) const {
  return std::make_unique<SoupTouchProof>(a_, motion_a, b_, motion_b, t_start, t_end, tolerance,
                                          budget);
}

// While the bodies are apart, the containment in a closed body or in closed chains cannot change,
// so one time is enough. Otherwise that proves what is inside then, and the motion is followed.
Containment SoupBodies::containment(const Motion& motion_a, const Motion& motion_b, double begin,
                                    double end, const Budget& budget) {
  const double t = 0.5 * (begin + end);
  const Pose pose_a = motion_a.pose(t), pose_b = motion_b.pose(t);
  const auto look = [&](bool a_inside) {
    const Motion inner_from_outer =
        a_inside ? Motion::relative(motion_b, motion_a) : Motion::relative(motion_a, motion_b);
    LazyInterior &inner = a_inside ? inside_a_ : inside_b_,
                 &outer = a_inside ? inside_b_ : inside_a_;
    if (!bounds_may_meet(outer.object().bounds(), inner.object().bounds(), inner_from_outer, begin,
                         end))
      return Holds::no;
    const Interior& in = inner.get();
    const Interior& out = outer.get();
    const Interior::Data& data = base::data_of(out);
    if (data.tells_inside()) {
      const Pose &pose_in = a_inside ? pose_a : pose_b, &pose_out = a_inside ? pose_b : pose_a;
      const Holds held = may_hold(outer.object(), pose_out, inner.object(), pose_in)
                             ? holds_part(out, pose_out, in, pose_in, budget)
                             : Holds::no;
      if (held == Holds::yes || inner_from_outer.is_still() ||
          (data.ends_at_faces() && (held != Holds::no || !data.is_open())))
        return held;
    }
    return holds(out, find_enclosure(out, in, inner_from_outer, begin, end, budget), budget);
  };
  const Holds a_inside = look(true);
  if (a_inside == Holds::yes) return Containment::a_in_b;
  return containment_of(a_inside, look(false));
}

Containment SoupBodies::containment_in_open(const Motion& motion_a, const Motion& motion_b,
                                            double begin, double end, double slack,
                                            const Budget& budget) {
  const auto held = [&](LazyInterior& inner, const Motion& motion_inner, LazyInterior& outer,
                        const Motion& motion_outer) {
    const Motion inner_from_outer = Motion::relative(motion_outer, motion_inner);
    if (!bounds_may_meet(outer.object().bounds(), inner.object().bounds(), inner_from_outer, begin,
                         end) ||
        base::data_of(outer.get()).bounds_inside())
      return Holds::no;
    return holds(
        outer.get(),
        find_enclosure(outer.get(), inner.get(), inner_from_outer, begin, end, budget, slack),
        budget);
  };
  return containment_of(held(inside_a_, motion_a, inside_b_, motion_b),
                        held(inside_b_, motion_b, inside_a_, motion_a));
}

bool SoupBodies::may_reach_in(const Motion& motion_a, const Motion& motion_b, double begin,
                              double end, double apart) {
  const auto may_enter = [&](LazyInterior& inner, const Motion& motion_inner, LazyInterior& outer,
                             const Motion& motion_outer) {
    return bounds_may_meet(outer.object().bounds(), inner.object().bounds(),
                           Motion::relative(motion_outer, motion_inner), begin, end) &&
           base::data_of(outer.get()).may_be_entered(apart);
  };
  return may_enter(inside_a_, motion_a, inside_b_, motion_b) ||
         may_enter(inside_b_, motion_b, inside_a_, motion_a);
}

}  // namespace touche::paths
