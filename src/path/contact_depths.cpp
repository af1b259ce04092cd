// SPDX-License-Identifier: Apache-2.0
#include "path/contact_depths.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/budget_part.h"
#include "base/threads.h"
#include "math/pose_bits.h"
#include "path/parts_inside.h"
#include "path/shift_apart.h"

namespace touche::paths {
namespace {

constexpr int kTimes = 16;   // steps at whose times a contact is measured first
constexpr int kRounds = 12;  // then, steps towards the thickest overlap

// Share of the points of a thickness for the first, short measurement at each time, and the least
// number of them. Starting from contacts, it finds a deep point at once if there is one.
constexpr std::uint64_t kGlanceShare = 32, kLeastGlance = 256;

// Before that, each fifth of these times is tested for a clash.
constexpr std::size_t kProbeStride = 5;

constexpr int kMostStretches = 256;  // number of stretches after which a proof is given up

// A proof is given up if one stretch of it covers at most this share of a contact's length.
constexpr double kLeastProgress = 0x1p-20;

/// What is known of the overlap at one time.
struct Look {
  Thickness overlap;
  double allowed = 0;     // the thickness that counts as touching at that time
  bool is_touch = false;  // the bodies come apart by no more than that
  bool is_final = false;  // more points would not change the measured thickness
};

/// Whether x is worse than y. An overlap that is no touch is worse than a touch; then the larger
/// proved thickness is worse; then the larger upper bound.
bool worse(const Look& x, const Look& y) {
  const Bracket &p = x.overlap.diameter, &q = y.overlap.diameter;
  if (x.is_touch != y.is_touch) return y.is_touch;
  return p.lower != q.lower ? p.lower > q.lower : p.upper > q.upper;
}

/// Whether a ball that is larger than what counts as touching is known to fit into both bodies.
bool is_clash(const Look& look) {
  return !look.is_touch && look.overlap.diameter.lower > look.allowed;
}

}  // namespace

Containment ContainmentTest::operator()(const Pose& pose_a, const Pose& pose_b,
                                        const Budget& budget) {
  if (!may_hold(a_.object(), pose_a, b_.object(), pose_b) &&
      !may_hold(b_.object(), pose_b, a_.object(), pose_a))
    return Containment::none;
  return any_part_inside(a_.get(), pose_a, b_.get(), pose_b, budget);
}

// The measurements of one contact at several times.
class ContactDepths::Looks {
 public:
  Looks(ContactDepths& depths, ContactInterval& contact, double tolerance)
      : depths_(depths),
        options_(depths.options_),
        overlaps_(depths.bodies_.overlaps()),
        contact_(contact),
        tolerance_(tolerance),
        least_allowed_(std::max(options_.max_touching_thickness, tolerance)),
        begin_(contact.start.upper),
        length_(contact.end.lower - contact.start.upper),
        count_(length_ > 0 ? kTimes : 0),
        worst_{contact.deepest} {}

  void look() {
    look_everywhere();
    step_ = count_ == 0 ? 0 : 0.5 * length_ / count_;
    contact_.touching_until = contact_.start.lower;
    if (contact_.only_touching) prove_touch();
    refine();
    // Measure the worst overlap with the full work limit, unless that was done or it is already
    // known within the tolerance.
    const bool known = worst_.is_final || (worst_.is_touch && worst_.allowed <= tolerance_);
    const double most = worst_.overlap.diameter.upper;
    contact_.deepest = known || depths_.stopped()
                           ? worst_.overlap
                           : thickness_at(contact_.deepest_at, options_.thickness_points);
    Bracket& deepest = contact_.deepest.diameter;
    deepest.upper = std::min(deepest.upper, most);
    if (!contact_.only_touching && !contact_.deepest.complete) lower(deepest);
    contact_.max_thickness = std::max(contact_.max_thickness, deepest.upper);
    contact_.only_touching = contact_.only_touching && !depths_.stopped();
  }

 private:
  // Whether both bodies are at the same poses, as bodies at rest are: then the answers are the
  // same.
  bool same_place(double t, double other) const {
    return PoseBits::same(depths_.motion_a_.pose(t), depths_.motion_a_.pose(other)) &&
           PoseBits::same(depths_.motion_b_.pose(t), depths_.motion_b_.pose(other));
  }

  // Open bodies have no inside that could overlap.
  Thickness thickness_at(double t, std::uint64_t points) const {
    if (!overlaps_.closed()) return {.diameter = {0, kInfinity}, .complete = true};
    return overlaps_.thickness(depths_.motion_a_.pose(t), depths_.motion_b_.pose(t),
                               {.relative_error = options_.relative_error,
                                .absolute_error = tolerance_,
                                .max_points = std::min(points, options_.budget.max_work),
                                .budget = base::with_any_work(options_.budget)});
  }
  Look glance_at(double t) const {
    const std::uint64_t most = options_.thickness_points;
    Look look{thickness_at(t, std::min(most, std::max(kLeastGlance, most / kGlanceShare)))};
    look.is_final = look.overlap.complete;
    return look;
  }

  double allowed_at(double t) const {
    return std::max(tolerance_, options_.max_touching_thickness + allowed_by_chords(t));
  }
  double allowed_by_chords(double t) const {
    if (options_.chord_errors_a.empty() && options_.chord_errors_b.empty()) return 0;
    return overlaps_.chord_error(depths_.motion_a_.pose(t), depths_.motion_b_.pose(t), options_,
                                 depths_.any_work_);
  }

  // A short measurement that shows whether the bodies do more than touch, not whether they touch.
  Look probe_at(double t) const {
    Look look = glance_at(t);
    look.allowed = least_allowed_;
    if (is_clash(look)) look.allowed = allowed_at(t);
    return look;
  }

  // Takes more work than `probe_at` if the bodies may only touch.
  Look look_at(double t) const {
    // A shift proves faster than a glance that the overlap is no thicker than can be measured.
    if (overlaps_.apart_after_shift(depths_.motion_a_.pose(t), depths_.motion_b_.pose(t),
                                    tolerance_, depths_.any_work_))
      return {{.diameter = {0, tolerance_}, .complete = true}, tolerance_, true};
    Look look = glance_at(t);
    look.allowed = least_allowed_;
    Bracket& thickness = look.overlap.diameter;
    const auto try_to_part = [&] {
      look.is_touch = thickness.lower <= look.allowed &&
                      overlaps_.come_apart(depths_.motion_a_.pose(t), depths_.motion_b_.pose(t),
                                           look.allowed, depths_.any_work_);
    };
    try_to_part();
    if (!look.is_touch) {
      look.allowed = allowed_at(t);
      if (look.allowed > least_allowed_) try_to_part();
    }
    if (look.is_touch) thickness.upper = std::min(thickness.upper, look.allowed);
    return look;
  }

  double time(std::size_t i) const {
    return count_ == 0 ? begin_ : begin_ + length_ * static_cast<double>(i) / count_;
  }

  void count_in(const Look& look) {
    contact_.max_thickness = std::max(contact_.max_thickness, look.overlap.diameter.upper);
    contact_.max_touching_thickness = std::max(contact_.max_touching_thickness, look.allowed);
    contact_.only_touching = contact_.only_touching && look.is_touch;
  }

  // Measures the contact at equal steps, and keeps the worst overlap.
  void look_everywhere() {
    // Times that are left out because the path is stopped count as touches. Times at the poses of
    // the time before are left out until its answer is copied.
    std::vector<Look> found(static_cast<std::size_t>(count_) + 1, Look{contact_.deepest, 0, true});
    std::vector<std::size_t> chosen = {0};
    for (std::size_t i = 1; i < found.size(); ++i)
      if (!same_place(time(i), time(i - 1))) chosen.push_back(i);
    const auto at_each = [&](std::size_t first, std::size_t stride, const auto& look) {
      if (first >= chosen.size()) return;
      base::with_threads(options_.threads, [&] {
        tbb::parallel_for(std::size_t{0}, (chosen.size() - first - 1) / stride + 1,
                          [&](std::size_t k) {
                            const std::size_t i = chosen[first + k * stride];
                            if (!depths_.stopped()) look(found[i], time(i));
                          });
      });
    };
    // If the bodies clash at a few times, no proof is needed that they touch at others.
    at_each(kProbeStride - 1, kProbeStride, [&](Look& look, double t) { look = probe_at(t); });
    if (std::any_of(found.begin(), found.end(), is_clash)) {
      at_each(0, 1, [&](Look& look, double t) {
        if (look.allowed == 0) look = probe_at(t);
      });
    } else {
      at_each(0, 1, [&](Look& look, double t) { look = look_at(t); });
      if (std::none_of(found.begin(), found.end(), is_clash))
        at_each(0, 1, [&](Look& look, double t) { look_longer(look, t); });
    }
    for (std::size_t i = 1, k = 1; i < found.size(); ++i)
      if (k < chosen.size() && chosen[k] == i)
        ++k;
      else
        found[i] = found[i - 1];
    const auto first = static_cast<std::size_t>(
        std::min_element(found.begin(), found.end(), worse) - found.begin());
    worst_ = found[first];
    contact_.deepest_at = time(first);
    contact_.max_thickness = contact_.max_touching_thickness = 0;
    contact_.only_touching = true;
    for (const Look& look : found) count_in(look);
  }

  // Measures an overlap that is no touch with the full work limit.
  void look_longer(Look& look, double t) const {
    if (look.is_touch || look.is_final) return;
    look.overlap = thickness_at(t, options_.thickness_points);
    look.is_final = true;
  }

  // Lowers the upper bound at the deepest time.
  void lower(Bracket& thickness) const {
    if (!overlaps_.closed()) return;
    const double t = contact_.deepest_at;
    lower_thickness(thickness, std::max(tolerance_, worst_.allowed), [&](double length) {
      return !depths_.stopped() &&
             overlaps_.come_apart(depths_.motion_a_.pose(t), depths_.motion_b_.pose(t), length,
                                  depths_.any_work_);
    });
  }

  // Where the contact is a touch at all measured times, proves that it is one between them as well,
  // or finds a time at which the bodies do more than touch.
  void prove_touch() {
    double& t = contact_.touching_until;
    const double end = contact_.end.upper;
    if (!(t < end)) return;
    const std::unique_ptr<TouchProof> proof = overlaps_.touch_proof(
        depths_.motion_a_, depths_.motion_b_, t, end, tolerance_, options_.budget);
    for (int stretch = 0; stretch < kMostStretches && t < end && !depths_.stopped(); ++stretch) {
      double until = t;
      const auto try_with = [&](double allowed, double most_until) {
        const double found = proof->proved_from(t, most_until, allowed);
        if (!(found > until)) return;
        until = found;
        contact_.max_touching_thickness = std::max(contact_.max_touching_thickness, allowed);
      };
      try_with(tolerance_, end);
      if (until < end && least_allowed_ > tolerance_) try_with(least_allowed_, end);
      // Chord errors of the faces that meet now allow more, but it is not known for how long these
      // faces meet.
      if (const double allowed = until < end ? allowed_at(t) : 0; allowed > least_allowed_)
        try_with(allowed, std::min(end, t + std::max(2 * step_, kLeastProgress)));
      const bool goes_on = until - t > kLeastProgress * (end - contact_.start.lower);
      t = until;
      if (t < end && meets_more(t)) return;
      if (!goes_on) return look_ahead();
    }
  }

  // Whether the bodies do more than touch at time `at`. If so, this becomes the worst time.
  bool meets_more(double at) {
    const double t = std::clamp(at, begin_, begin_ + length_);
    const Look there = look_at(t);
    count_in(there);
    if (there.is_touch) return false;
    worst_ = there;
    contact_.deepest_at = t;
    return true;
  }

  // When a proof makes no progress, the bodies may be about to do more than touch: tests times at
  // growing distances ahead.
  void look_ahead() {
    const double t = contact_.touching_until, end = contact_.end.upper;
    for (double ahead = kLeastProgress * (end - contact_.start.lower); t + ahead < end; ahead *= 4)
      if (depths_.stopped() || meets_more(t + ahead)) return;
  }

  // Moves in ever smaller steps towards times at which the overlap is thicker.
  void refine() {
    for (int round = 0; round < kRounds && step_ > 0 && !depths_.stopped(); ++round) {
      bool better = false;
      for (const double t : {contact_.deepest_at - step_, contact_.deepest_at + step_}) {
        if (t < begin_ || t > begin_ + length_ || same_place(t, contact_.deepest_at)) continue;
        // A glance is enough once the contact is known not to be a touch.
        const Look there = contact_.only_touching ? look_at(t) : glance_at(t);
        count_in(there);
        const bool thicker = there.overlap.diameter.lower > worst_.overlap.diameter.lower;
        if (there.is_touch == worst_.is_touch ? !thicker : there.is_touch) continue;
        worst_ = there;
        contact_.deepest_at = t;
        better = true;
        break;
      }
      if (!better) step_ *= 0.5;
    }
  }

  ContactDepths& depths_;
  const PathOptions& options_;
  const Overlaps& overlaps_;
  ContactInterval& contact_;
  const double tolerance_, least_allowed_;
  const double begin_, length_;
  const int count_;
  double step_ = 0;
  Look worst_;
};

void ContactDepths::measure(ContactInterval& contact, double tolerance) {
  Looks(*this, contact, tolerance).look();
}

}  // namespace touche::paths
