// SPDX-License-Identifier: Apache-2.0
// Decides the class of a pair. In assemblies most pairs that meet only touch. Finding a shift that
// separates them proves this sooner than measuring the overlap.
#include "clash/pair_check.h"

#include <algorithm>
#include <cmath>

#include "base/budget_meter.h"
#include "math/moved_box.h"
#include "path/chord_error.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "path/shift_apart.h"
#include "touche/path.h"

namespace touche::clash {
namespace {

// Share of the tested points of a thickness for the first, short measurement. Starting from
// contacts, it finds a deep point at once if there is one.
constexpr std::uint64_t kGlanceShare = 32;
// A shift must be this many times the slit widths of both bodies to prove that they separate.
constexpr double kSlits = 4;
constexpr double kSinglePrecision = 0x1p-20;  // a few ulp
// The default tolerance is at most this share of the smaller part's size. Far from the origin,
// single-precision rounding may be as large as the parts, and every pair would count as touching.
constexpr double kMostTolerance = 0x1p-10;
// Bodies that separate by this many times the allowed length meet within the accuracy of meshes.
constexpr double kWithinAccuracy = 4;

enum class Meeting : std::uint8_t { touch, within_accuracy, clash };

struct Touch {
  Meeting meeting = Meeting::clash;
  Thickness thickness;
};

// Measures an overlap's thickness, as far as needed to compare it with the allowed one.
class Measure {
 public:
  Measure(const PlacedParts& placed, const Interior& a, const Interior& b, ClashPair& pair)
      : options_(placed.options),
        a_(a),
        b_(b),
        pose_a_(placed.pose(pair.part_a)),
        pose_b_(placed.pose(pair.part_b)),
        tolerance_(pair.tolerance) {}

  Thickness thickness(std::uint64_t points) const {
    return overlap_thickness(a_, pose_a_, b_, pose_b_,
                             {.relative_error = options_.relative_error,
                              .absolute_error = tolerance_,
                              .max_points = std::min(points, options_.budget.max_work),
                              .budget = base::with_any_work(options_.budget)});
  }

  /// Tests whether bodies can be separated by a shift of no more than `allowed`. A rod through a
  /// thin wall fails the test, although no large ball fits into the overlap. Bodies with slits can
  /// be proved only for a shift larger than the slits, `beside_slits`; an overlap thicker than
  /// allowed is not a touch even then. If a body is open, `closed` is false: then only surfaces
  /// count, and no thickness of an overlap is proved.
  Touch touch(double allowed, double beside_slits, bool closed) const {
    using enum Meeting;
    const Budget any_work = base::with_any_work(options_.budget);
    const bool shifts = paths::apart_after_shift(a_, pose_a_, b_, pose_b_, beside_slits, any_work);
    const auto thin = [](double upper) {
      return Thickness{.diameter = {0, upper}, .complete = true};
    };
    if (shifts && (beside_slits == allowed || !closed)) return {touch, thin(beside_slits)};
    if (!closed)
      return {clash, {.diameter = {0, kInfinity}, .complete = !options_.budget.expired()}};
    const Thickness glance = thickness(1 + options_.thickness_points / kGlanceShare);
    if (options_.budget.expired()) return {clash, glance};
    if (!(glance.diameter.lower > allowed)) {
      if (shifts) return {touch, thin(std::min(beside_slits, glance.diameter.upper))};
      // More expensive than the short measurement, which comes first.
      if (shrinks(allowed)) return {touch, thin(allowed)};
    }
    Thickness measured = glance.complete ? glance : thickness(options_.thickness_points);
    const double near = kWithinAccuracy * allowed;
    if (!(measured.diameter.lower > allowed) && !options_.budget.expired() &&
        paths::come_apart(a_, pose_a_, b_, pose_b_, near, any_work)) {
      measured.diameter.upper = std::min(measured.diameter.upper, near);
      return {within_accuracy, measured};
    }
    if (!measured.complete)
      paths::lower_thickness(measured.diameter, allowed, [&](double length) {
        return !options_.budget.expired() && shrinks(length);
      });
    return {clash, measured};
  }

  /// Returns true only if it is proved that the overlap is no thicker than a length.
  bool come_apart(double length) const {
    return length > 0 && paths::come_apart(a_, pose_a_, b_, pose_b_, length,
                                           base::with_any_work(options_.budget));
  }

 private:
  bool shrinks(double by) const {
    return paths::apart_after_shrinking(a_, pose_a_, b_, pose_b_, by,
                                        base::with_any_work(options_.budget));
  }

  const ClashOptions& options_;
  const Interior &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  const double tolerance_;
};

// A lower bound of the distance of the surfaces, which is measured as far as gaps are wide.
double apart_for_gaps(const PlacedParts& placed, const Interior& a, const Interior& b,
                      ClashPair& pair) {
  const double width = std::max(base::data_of(a).gap_width(), base::data_of(b).gap_width());
  if (pair.distance.lower > width || !(pair.distance.upper > 0)) return pair.distance.lower;
  const DistanceResult found =
      distance(a.object(), placed.pose(pair.part_a), b.object(), placed.pose(pair.part_b),
               {.max_distance = 2 * width, .budget = base::for_part(placed.options.budget)});
  pair.stats += found.stats;
  return found.distance.lower;
}

// Returns the chord error of the faces that meet, an estimate of their distance from smooth
// surfaces; empty if stopped.
std::optional<double> allowed_by_chords(const PlacedParts& placed, const Inside& a, const Inside& b,
                                        const ClashPair& pair) {
  const double largest = a.largest_chord_error + b.largest_chord_error;
  if (largest <= pair.tolerance) return largest;
  return paths::chord_error_where_they_meet(placed.object(pair.part_a), placed.pose(pair.part_a),
                                            a.chord_errors, placed.object(pair.part_b),
                                            placed.pose(pair.part_b), b.chord_errors,
                                            base::with_any_work(placed.options.budget));
}

}  // namespace

Inside::Inside(const Object& object, std::span<const double> known_errors)
    : interior(object),
      chord_errors(known_errors.empty()
                       ? paths::chord_errors_of(object)
                       : std::vector<double>(known_errors.begin(), known_errors.end())) {
  for (const double error : chord_errors)
    largest_chord_error = std::max(largest_chord_error, error);
}

PlacedParts::PlacedParts(const ClashParts& p, const ClashOptions& o)
    : parts(p), options(o), selection(p, o) {
  for (const ClashPart& part : parts.parts) {
    const Aabb& own = parts.objects[part.object].bounds();
    const Aabb world = math::moved_box(own, part.pose, 0);
    size.push_back(std::max({own.lo.cwiseAbs().maxCoeff(), own.hi.cwiseAbs().maxCoeff(),
                             world.lo.cwiseAbs().maxCoeff(), world.hi.cwiseAbs().maxCoeff()}));
  }
}

double PlacedParts::tolerance(std::size_t part_a, std::size_t part_b) const {
  const double smaller =
      std::min(object(part_a).bounds().diagonal(), object(part_b).bounds().diagonal());
  return options.tolerance.value_or(
      std::min(kSinglePrecision * std::max(size[part_a], size[part_b]), kMostTolerance * smaller));
}

bool check_surfaces(const PlacedParts& placed, ClashPair& pair) {
  const Object &a = placed.object(pair.part_a), &b = placed.object(pair.part_b);
  const Pose &pose_a = placed.pose(pair.part_a), &pose_b = placed.pose(pair.part_b);
  const Budget budget = base::for_part(placed.options.budget);
  pair.tolerance = placed.tolerance(pair.part_a, pair.part_b);

  // Test whether the surfaces intersect.
  const IntersectsResult meet = intersects(a, pose_a, b, pose_b, budget);
  pair.stats += meet.stats;
  if (!meet.complete) return false;
  if (meet.intersects) {
    const ContactsResult found =
        contacts(a, pose_a, b, pose_b, {.max_contacts = 1, .budget = base::with_any_work(budget)});
    pair.stats += found.stats;
    if (!found.contacts.empty()) pair.contact = found.contacts[0];
    pair.distance = {0, 0};
    return true;
  }

  // Measure the distance, up to the required one.
  const double tolerance = pair.tolerance;
  const double clearance = placed.selection.of(pair.part_a, pair.part_b).clearance;
  const double reach = std::max(clearance, tolerance);
  const DistanceResult found =
      distance(a, pose_a, b, pose_b, {.max_distance = reach, .budget = budget});
  pair.stats += found.stats;
  pair.distance = found.distance;
  pair.contact = found.closest;
  if (!found.complete) return false;
  pair.verdict = found.distance.upper <= tolerance  ? ClashPairVerdict::touching
                 : found.distance.upper < clearance ? ClashPairVerdict::near
                                                    : ClashPairVerdict::free;
  if (pair.verdict == ClashPairVerdict::free) pair.contact.reset();
  return paths::bounds_may_meet(a, pose_a, b, pose_b) &&
         paths::bounds_may_meet(b, pose_b, a, pose_a);
}

// Shapes are convex, so a ball in the polyhedron around a round shape lies in the shape once its
// radius is reduced by the mesh error. Hence the true overlap is thinner by at most twice that
// error.
void check_insides(const PlacedParts& placed, const std::optional<Inside>& inside_a,
                   const std::optional<Inside>& inside_b, ClashPair& pair) {
  if (!inside_a || !inside_b) {
    pair.verdict = ClashPairVerdict::undecided;
    return;
  }
  const Interior &a = inside_a->interior, &b = inside_b->interior;
  pair.closed = paths::determines_inside(a) && paths::determines_inside(b);
  // The thickness of an overlap with a body that has slits only includes what is in them.
  const bool meet = pair.verdict == ClashPairVerdict::undecided;
  pair.may_reach_in = !(meet && pair.closed) &&
                      paths::may_reach_in(a, placed.pose(pair.part_a), b, placed.pose(pair.part_b),
                                          apart_for_gaps(placed, a, b, pair));
  const Measure measure(placed, a, b, pair);

  const double thinner =
      2 * std::max(placed.mesh_error(pair.part_a), placed.mesh_error(pair.part_b));
  const auto lessened = [&](Thickness thickness) {
    thickness.diameter.lower = std::max(0.0, thickness.diameter.lower - thinner);
    return thickness;
  };

  // If the surfaces do not meet, a component of one part may lie inside the other.
  if (pair.verdict != ClashPairVerdict::undecided) {
    pair.containment =
        paths::any_part_inside(a, placed.pose(pair.part_a), b, placed.pose(pair.part_b),
                               base::with_any_work(placed.options.budget));
    if (pair.containment == Containment::none) return;
    pair.verdict = paths::is_inside(pair.containment)      ? ClashPairVerdict::contains
                   : pair.containment == Containment::open ? ClashPairVerdict::open
                                                           : ClashPairVerdict::undecided;
    if (pair.verdict == ClashPairVerdict::contains)
      pair.thickness = lessened(measure.thickness(placed.options.thickness_points));
    return;
  }

  // If the surfaces meet, distinguish a touch from a clash.
  const std::optional<double> allowed = placed.options.max_touching_thickness
                                            ? placed.options.max_touching_thickness
                                            : allowed_by_chords(placed, *inside_a, *inside_b, pair);
  if (!allowed) return;
  const paths::Caps &caps_a = base::data_of(a).caps, &caps_b = base::data_of(b).caps;
  const auto allow = [&](double length, ClashAllowance why) {
    if (!(length > pair.max_touching_thickness)) return;
    pair.max_touching_thickness = length;
    pair.allowance = why;
  };
  // The default tolerance may be large, far from the origin; a limit that was given counts alone.
  if (!placed.options.max_touching_thickness || placed.options.tolerance)
    allow(pair.tolerance, ClashAllowance::tolerance);
  allow(*allowed, placed.options.max_touching_thickness ? ClashAllowance::given
                                                        : ClashAllowance::chord_error);
  if (thinner > pair.max_touching_thickness) pair.allowance = ClashAllowance::mesh_error;
  pair.max_touching_thickness += thinner;
  allow(caps_a.width + caps_b.width, ClashAllowance::slits);
  const double ignored = placed.selection.of(pair.part_a, pair.part_b).ignore_thinner;
  if (!pair.closed) allow(ignored, ClashAllowance::ignored);
  const Touch touch = measure.touch(
      pair.max_touching_thickness,
      std::max(pair.max_touching_thickness, thinner + kSlits * (caps_a.gap + caps_b.gap)),
      pair.closed);
  pair.thickness = lessened(touch.thickness);
  if (placed.options.budget.expired() && !pair.thickness.complete) return;
  const bool is_touch = touch.meeting == Meeting::touch;
  pair.verdict = is_touch                                    ? ClashPairVerdict::touching
                 : touch.meeting == Meeting::within_accuracy ? ClashPairVerdict::within_accuracy
                                                             : ClashPairVerdict::clash;
  if (is_touch && !pair.closed) {
    pair.containment = paths::may_hold_if_open(
        a, placed.pose(pair.part_a), b, placed.pose(pair.part_b), pair.thickness.diameter.upper,
        base::with_any_work(placed.options.budget));
    if (paths::is_inside(pair.containment)) pair.verdict = ClashPairVerdict::contains;
    if (pair.containment == Containment::open) pair.verdict = ClashPairVerdict::open;
    if (pair.containment == Containment::undecided) pair.verdict = ClashPairVerdict::undecided;
  }
  if (is_touch) allow(pair.thickness.diameter.upper, ClashAllowance::slits);
  Bracket& thickness = pair.thickness.diameter;
  if (!is_touch && pair.closed && thickness.lower <= ignored && ignored < thickness.upper &&
      measure.come_apart(ignored))
    thickness.upper = ignored;
  if (!is_touch && pair.closed && thickness.upper <= ignored) {
    pair.verdict = ClashPairVerdict::touching;
    allow(ignored, ClashAllowance::ignored);
  }
}

}  // namespace touche::clash
