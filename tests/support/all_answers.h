// SPDX-License-Identifier: Apache-2.0
// All that queries say about two objects, with the work they took: equal only for equal
// hierarchies.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "touche/motion.h"
#include "touche/query.h"

namespace touche::test {

class AllAnswers {
 public:
  /// About two bodies at rest, as numbers to their last bit.
  void ask(const Object& a, const Object& b, const Pose& pose) {
    const IntersectsResult hit = intersects(a, {}, b, pose);
    add(hit.intersects, hit.face_a, hit.face_b);
    add_work(hit.stats);
    const FacePairsResult pairs = intersecting_faces(a, {}, b, pose);
    for (const FacePair& pair : pairs.pairs) add(pair.a, pair.b);
    add_work(pairs.stats);
    const DistanceResult apart = distance(a, {}, b, pose);
    add(apart.distance.upper, apart.distance.lower);
    if (apart.closest) add(apart.closest->face_a, apart.closest->face_b);
    add_work(apart.stats);
  }
  /// About a, as it moves past b.
  void ask_when(const Object& a, const Object& b, const Pose& pose) {
    const Motion past = Motion::interpolated(Pose::from_axis_angle({0, 0, 1}, 0, {-4, 0.2, 0}),
                                             Pose::from_axis_angle({0, 1, 0}, 1, {4, 0, 0}));
    const ToiResult impact = time_of_impact(a, past, b, Motion::at(pose), {.tolerance = 1e-3});
    add(impact.time.lower, impact.time.upper, impact.tolerance);
    add_work(impact.stats);
  }
  const std::string& text() const { return text_; }

 private:
  template <class... Numbers>
  void add(const Numbers&... numbers) {
    for (const double x : {static_cast<double>(numbers)...})
      text_ += std::to_string(std::bit_cast<std::uint64_t>(x)) + " ";
    text_ += "\n";
  }
  void add_work(const QueryStats& s) {
    add(s.node_pairs, s.volume_tests, s.primitive_tests, s.exact_tests, s.time_splits);
  }

  std::string text_;
};

/// At one pose.
inline std::string answers(const Object& a, const Object& b, const Pose& pose) {
  AllAnswers all;
  all.ask(a, b, pose);
  all.ask_when(a, b, pose);
  return all.text();
}

/// At three poses, near and farther apart, and in a motion.
inline std::string answers(const Object& a, const Object& b) {
  AllAnswers all;
  for (const double x : {0.3, 1.1, 3.0})
    all.ask(a, b, Pose::from_axis_angle({1, 2, 3}, 0.7 * x, {x, 0.1, -0.2}));
  all.ask_when(a, b, {});
  return all.text();
}

}  // namespace touche::test
