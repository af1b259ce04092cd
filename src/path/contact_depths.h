// SPDX-License-Identifier: Apache-2.0
// Measures how deeply two bodies overlap while they are in contact, and whether one lies inside the
// other while they are apart.
#pragma once

#include <algorithm>

#include "base/budget_meter.h"
#include "path/bodies.h"
#include "path/lazy_interior.h"

namespace touche::paths {

/// Tests whether a part of one of two objects lies inside the other, at poses where they do not
/// intersect.
class ContainmentTest {
 public:
  /// Both arguments must outlive it.
  ContainmentTest(LazyInterior& a, LazyInterior& b) : a_(a), b_(b) {}

  Containment operator()(const Pose& pose_a, const Pose& pose_b, const Budget& budget);

 private:
  LazyInterior &a_, &b_;
};

class ContactDepths {
 public:
  /// All arguments must outlive it.
  ContactDepths(Bodies& bodies, const Motion& motion_a, const Motion& motion_b,
                const PathOptions& options)
      : bodies_(bodies), motion_a_(motion_a), motion_b_(motion_b), options_(options) {}

  /// Finds the thickest overlap of a contact and fills it in, together with the time until which
  /// the bodies are proved to do no more than touch.
  void measure(ContactInterval& contact, double tolerance);

  /// Whether a part of one body lies inside the other, if the bodies are apart from begin to end:
  /// all the time, or at some time if the other body is not closed.
  Containment containment(double begin, double end) {
    return bodies_.containment(motion_a_, motion_b_, begin, end, any_work_);
  }

  /// Whether an open body may hold the other one, see Bodies::containment_in_open.
  Containment containment_in_open(double begin, double end) {
    return bodies_.containment_in_open(motion_a_, motion_b_, begin, end, most_allowed(), any_work_);
  }

  /// See Bodies::may_reach_in.
  bool may_reach_in(double begin, double end, double apart) {
    return bodies_.may_reach_in(motion_a_, motion_b_, begin, end, apart);
  }

  /// Whether neither body is open, see Interior::is_open.
  bool closed() { return bodies_.overlaps().closed(); }

 private:
  class Looks;

  /// A bound of the thickness of an overlap that counts as touching.
  double most_allowed() const {
    double most = std::max(options_.tolerance, options_.max_touching_thickness);
    for (const auto* errors : {&options_.chord_errors_a, &options_.chord_errors_b})
      if (!errors->empty()) most += *std::max_element(errors->begin(), errors->end());
    return most;
  }

  bool stopped() const { return options_.budget.expired(); }

  Bodies& bodies_;
  const Motion &motion_a_, &motion_b_;
  const PathOptions& options_;
  const Budget any_work_ = base::with_any_work(options_.budget);
};

}  // namespace touche::paths
