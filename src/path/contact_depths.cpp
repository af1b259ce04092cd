// SPDX-License-Identifier: Apache-2.0
#include "path/contact_depths.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#include "base/threads.h"
#include "path/chord_error.h"
#include "path/enclosure.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "path/shift_apart.h"

namespace touche {
namespace {

constexpr int kTimes = 16;   // steps in which a contact is looked at first
constexpr int kRounds = 12;  // then, steps towards the thickest overlap

/// What is known of the overlap at one time.
struct Look {
  Thickness overlap;
  double allowed = 0;     // what counts as touching then
  bool is_touch = false;  // they come apart by no more
};

/// Compares what is no touch, then what is proved to overlap, and last what may overlap.
bool worse(const Look& x, const Look& y) {
  const Bracket &p = x.overlap.diameter, &q = y.overlap.diameter;
  if (x.is_touch != y.is_touch) return y.is_touch;
  return p.lower != q.lower ? p.lower > q.lower : p.upper > q.upper;
}

}  // namespace

Containment ContainmentTest::operator()(const Pose& pose_a, const Pose& pose_b,
                                        const Budget& budget) {
  if (!may_hold(a_, pose_a, b_, pose_b) && !may_hold(b_, pose_b, a_, pose_a))
    return Containment::none;
  if (!inside_a_) {
    inside_a_.emplace(a_);
    inside_b_.emplace(b_);
  }
  return any_part_inside(*inside_a_, pose_a, *inside_b_, pose_b, budget);
}

void ContactDepths::make_interiors() {
  if (inside_a_) return;
  inside_a_.emplace(a_);
  inside_b_.emplace(b_);
}

bool ContactDepths::closed() {
  make_interiors();
  return closed_but_for_slits(*inside_a_) && closed_but_for_slits(*inside_b_);
}

// While the bodies are apart, a closed one keeps what it holds: one time is enough. An open one is
// followed.
Containment ContactDepths::containment(double begin, double end) {
  const double t = 0.5 * (begin + end);
  const Pose pose_a = motion_a_.pose(t), pose_b = motion_b_.pose(t);
  const auto look = [&](bool a_inside) -> std::optional<bool> {
    const Motion inner_from_outer =
        a_inside ? Motion::relative(motion_b_, motion_a_) : Motion::relative(motion_a_, motion_b_);
    const Object &inner = a_inside ? a_ : b_, &outer = a_inside ? b_ : a_;
    if (!bounds_may_meet(outer, inner, inner_from_outer, begin, end)) return false;
    make_interiors();
    const Interior &in = a_inside ? *inside_a_ : *inside_b_,
                   &out = a_inside ? *inside_b_ : *inside_a_;
    if (data_of(out).ends_at_faces()) {
      const Pose &pose_in = a_inside ? pose_a : pose_b, &pose_out = a_inside ? pose_b : pose_a;
      if (!may_hold(outer, pose_out, inner, pose_in)) return false;
      return reaches_inside(in, pose_in, out, pose_out, any_work_);
    }
    const Enclosure enclosure = find_enclosure(out, in, inner_from_outer, begin, end, any_work_);
    if (enclosure == Enclosure::undecided) return std::nullopt;
    return enclosure == Enclosure::found;
  };
  const std::optional<bool> a_inside = look(true);
  if (a_inside == true) return Containment::a_in_b;
  const std::optional<bool> b_inside = look(false);
  if (b_inside == true) return Containment::b_in_a;
  return a_inside && b_inside ? Containment::none : Containment::undecided;
}

double ContactDepths::allowed_by_chords(double t) const {
  if (options_.chord_errors_a.empty() && options_.chord_errors_b.empty()) return 0;
  return chord_error_where_they_meet(a_, motion_a_.pose(t), options_.chord_errors_a, b_,
                                     motion_b_.pose(t), options_.chord_errors_b, any_work_)
      .value_or(0);
}

void ContactDepths::measure(ContactInterval& contact, double tolerance) {
  make_interiors();
  const double least_allowed = std::max(options_.max_touching_thickness, tolerance);
  const std::uint64_t whole = options_.thickness_work, glance = 1 + whole / 8;
  const auto thickness_at = [&](double t, std::uint64_t work) {
    Budget budget = options_.budget;
    budget.max_work = work;
    return overlap_thickness(
        *inside_a_, motion_a_.pose(t), *inside_b_, motion_b_.pose(t),
        {.relative_error = options_.relative_error, .absolute_error = tolerance, .budget = budget});
  };
  // Take more than a glance where the bodies may only touch.
  const auto look_at = [&](double t) {
    Look look{thickness_at(t, glance), least_allowed};
    Bracket& thickness = look.overlap.diameter;
    const auto try_to_part = [&] {
      look.is_touch = thickness.lower <= look.allowed &&
                      come_apart(*inside_a_, motion_a_.pose(t), *inside_b_, motion_b_.pose(t),
                                 look.allowed, look.overlap, any_work_);
    };
    try_to_part();
    if (!look.is_touch) {
      look.allowed = std::max(tolerance, options_.max_touching_thickness + allowed_by_chords(t));
      if (look.allowed > least_allowed) try_to_part();
    }
    if (look.is_touch)
      thickness.upper = std::min(thickness.upper, look.allowed);
    else if (thickness.lower <= look.allowed)
      look.overlap = thickness_at(t, whole);
    return look;
  };
  // Look at the contact in equal steps, and start from the worst overlap found.
  const double begin = contact.start.upper, length = contact.end.lower - begin;
  const int count = length > 0 ? kTimes : 0;
  std::vector<Look> found(static_cast<std::size_t>(count) + 1, Look{contact.deepest, 0});
  const auto time = [&](std::size_t i) {
    return count == 0 ? begin : begin + length * static_cast<double>(i) / count;
  };
  with_threads(options_.threads, [&] {
    tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t i) {
      if (!stopped()) found[i] = look_at(time(i));
    });
  });
  const std::size_t first =
      static_cast<std::size_t>(std::min_element(found.begin(), found.end(), worse) - found.begin());
  Look worst = found[first];
  contact.deepest_at = time(first);
  contact.max_thickness = contact.max_touching_thickness = 0;
  contact.only_touching = true;
  const auto count_in = [&](const Look& look) {
    contact.max_thickness = std::max(contact.max_thickness, look.overlap.diameter.upper);
    contact.max_touching_thickness = std::max(contact.max_touching_thickness, look.allowed);
    contact.only_touching = contact.only_touching && look.is_touch;
  };
  for (const Look& look : found) count_in(look);
  // Go towards where the overlap is thicker, by ever smaller steps.
  double step = count == 0 ? 0 : 0.5 * length / count;
  for (int round = 0; round < kRounds && step > 0 && !stopped(); ++round) {
    bool better = false;
    for (const double t : {contact.deepest_at - step, contact.deepest_at + step}) {
      if (t < begin || t > begin + length) continue;
      // A glance is enough once the contact is thick somewhere: it is no touch.
      const Look there = contact.only_touching ? look_at(t) : Look{thickness_at(t, glance)};
      count_in(there);
      const bool thicker = there.overlap.diameter.lower > worst.overlap.diameter.lower;
      if (there.is_touch == worst.is_touch ? !thicker : there.is_touch) continue;
      worst = there;
      contact.deepest_at = t;
      better = true;
      break;
    }
    if (!better) step *= 0.5;
  }
  // Measure the worst overlap with all of the work.
  const double known = worst.overlap.diameter.upper;
  contact.deepest = stopped() ? worst.overlap : thickness_at(contact.deepest_at, whole);
  contact.deepest.diameter.upper = std::min(contact.deepest.diameter.upper, known);
  contact.max_thickness = std::max(contact.max_thickness, contact.deepest.diameter.upper);
}

}  // namespace touche
