// SPDX-License-Identifier: Apache-2.0
#include "path/contact_depths.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#include "base/threads.h"

namespace touche {
namespace {

constexpr int kTimes = 16;   // at which a contact is looked at first
constexpr int kRounds = 12;  // then, towards the thickest

// What lies inside has all its vertices in the other's bounds.
bool may_hold(const Object& outer, const Pose& pose_outer, const Object& inner,
              const Pose& pose_inner) {
  const PolygonSoup& soup = inner.soup();
  const Vec3 x = pose_outer.inverse() * (pose_inner * soup.vertex(soup.triangle(0)[0]));
  const Aabb& box = outer.bounds();
  return (x.array() >= box.lo.array()).all() && (x.array() <= box.hi.array()).all();
}

/// Where nothing is proved to overlap, what may overlap most counts.
bool thicker(const Thickness& x, const Thickness& y) {
  return x.lower != y.lower ? x.lower > y.lower : x.upper > y.upper;
}

}  // namespace

void ContactDepths::make_interiors() {
  if (inside_a_) return;
  inside_a_.emplace(a_);
  inside_b_.emplace(b_);
}

bool ContactDepths::closed() {
  make_interiors();
  return inside_a_->closed() && inside_b_->closed();
}

Containment ContactDepths::containment(double begin, double end) {
  const double t = 0.5 * (begin + end);
  const Pose pose_a = motion_a_.pose(t), pose_b = motion_b_.pose(t);
  if (!may_hold(a_, pose_a, b_, pose_b) && !may_hold(b_, pose_b, a_, pose_a))
    return Containment::none;
  make_interiors();
  return touche::containment(*inside_a_, pose_a, *inside_b_, pose_b);
}

void ContactDepths::measure(ContactInterval& contact, double tolerance) {
  make_interiors();
  const auto thickness_at = [&](double t, std::uint64_t work) {
    return overlap_thickness(
        *inside_a_, motion_a_.pose(t), *inside_b_, motion_b_.pose(t),
        {.relative_error = options_.relative_error, .absolute_error = tolerance, .max_work = work});
  };
  const std::uint64_t whole = options_.thickness_work, glance = 1 + whole / 8;
  const double touching = std::max(options_.touching, tolerance);
  const double begin = contact.touched_at, length = contact.touched_until - begin;
  const int count = length > 0 ? kTimes : 0;
  std::vector<Thickness> found(static_cast<std::size_t>(count) + 1);
  const auto time = [&](std::size_t i) {
    return count == 0 ? begin : begin + length * static_cast<double>(i) / count;
  };
  with_threads(options_.threads, [&] {
    tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t i) {
      if (stopped()) return;
      found[i] = thickness_at(time(i), glance);
      // May it only touch? Then a glance is not enough.
      if (found[i].lower <= touching && found[i].upper > touching)
        found[i] = thickness_at(time(i), whole);
    });
  });
  const std::size_t best = static_cast<std::size_t>(
      std::min_element(found.begin(), found.end(), thicker) - found.begin());
  contact.deepest = found[best];
  contact.deepest_at = time(best);
  for (const Thickness& t : found) contact.at_most = std::max(contact.at_most, t.upper);
  // Towards where it is thicker, by ever smaller steps.
  double step = count == 0 ? 0 : 0.5 * length / count;
  for (int round = 0; round < kRounds && step > 0 && !stopped(); ++round) {
    bool better = false;
    for (const double t : {contact.deepest_at - step, contact.deepest_at + step}) {
      if (t < begin || t > begin + length) continue;
      const Thickness there = thickness_at(t, glance);
      if (!(there.lower > contact.deepest.lower)) continue;
      contact.deepest = there;
      contact.deepest_at = t;
      better = true;
      break;
    }
    if (!better) step *= 0.5;
  }
  if (!stopped()) contact.deepest = thickness_at(contact.deepest_at, whole);
  contact.at_most = std::max(contact.at_most, contact.deepest.upper);
}

}  // namespace touche
