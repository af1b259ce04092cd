// SPDX-License-Identifier: Apache-2.0
// The inner loops, once per instruction set, behind one table of functions. All give the same
// results bit for bit: the same operations in every lane, no fused multiply-add.
//
// Numbering of pairs: row i is a child of a, lane j a child of b; entry 8 i + j, bit 8 i + j.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bvh/pair_frame.h"

namespace touche {

/// What is tested against what: the children of a node, one box for a whole node, or the
/// triangles of a leaf (then `corner` is set, and the boxes are made on the fly).
struct Side {
  const Boxes8* boxes = nullptr;
  const float (*corner)[3][kWidth] = nullptr;
  int count = 0;
};

/// Velocities in one node frame: a point y moves with linear + angular × y, give or take
/// free_speed + free_angular |y − centre|; its acceleration is at most curvature times its
/// distance from the line through `centre` along `axis`.
struct FrameField {
  float linear[3], angular[3];
  float centre[3], axis[3];
  float curvature, free_speed, free_angular;
  bool still;  // then the rest is not set
};

/// Both bodies' velocities as seen from a's frame and from b's, per unit of t.
struct PairField {
  FrameField a_in_a, b_in_a;
  FrameField a_in_b, b_in_b;
  float rate_error_a, rate_error_b;  // bounds of the rounding of an approach rate
};

/// Up to eight numbers of pairs.
struct PairNumbers {
  std::int32_t number[kWidth] = {};
  int count = 0;

  /// Takes the first of the bits that are set.
  explicit PairNumbers(std::uint64_t& pairs) {
    for (; pairs != 0 && count < kWidth; pairs &= pairs - 1)
      number[count++] = std::countr_zero(pairs);
  }
};

/// Pairs of triangles in one frame each, for the filter of exact intersection tests: eight, and
/// room for up to eight more that wait.
struct TriangleBatch {
  static constexpr int kRoom = 2 * kWidth;
  float a[3][3][kRoom], b[3][3][kRoom];  // [corner][axis][lane]
  float error[kRoom];                    // bound of the error of every coordinate
};
struct Verdicts {
  std::uint32_t hit = 0, miss = 0;  // certain ones, a bit per lane; the rest is undecided
};

/// In which order to look at pairs of boxes: the least value first.
struct PairOrder {
  float value[kWidth * kWidth];
  int first;
};

struct Kernels {
  const char* name;

  /// The maps between the frames of two nodes. Returns a lower bound of the squared distance of
  /// their boxes, in units of a; 0 when they may overlap.
  float (*place)(const LocalMap& map, const Bounds& a, const Bounds& b, PairFrame& frame);

  /// The maps between the frames of several pairs of nodes. Returns a bit for each whose boxes may
  /// overlap.
  std::uint32_t (*place_pairs)(const LocalMap& map, const Bounds8& a, const Bounds8& b,
                               const PairNumbers& pairs, PairFrames& frames);

  /// Pairs of boxes that may overlap. `order`, unless null: of these, the nearer their centres for
  /// their size, the earlier. `moved_corner`, for two leaves: receives b's corners in a's frame.
  std::uint64_t (*overlap)(const Side& a, const Side& b, const PairFrame& frame, PairOrder* order,
                           float (*moved_corner)[3][kWidth]);

  /// The same with frame `lane` of several.
  std::uint64_t (*overlap_in)(const Side& a, const Side& b, const PairFrames& frames, int lane,
                              float (*moved_corner)[3][kWidth]);

  /// Pairs that may be no farther apart than `target`, and for these a lower bound of the distance;
  /// both squared, in units of a.
  std::uint64_t (*distance)(const Side& a, const Side& b, const PairFrame& frame, float target,
                            float* squared);

  /// Pairs that may touch within `limit`, and for these a lower bound of the time until then.
  std::uint64_t (*impact)(const Side& a, const Side& b, const PairFrame& frame,
                          const PairField& field, float limit, float* dt);

  /// Writes eight pairs from lane `at` <= 8 on: one triangle of each of two leaves.
  void (*append)(const float (*a)[3][kWidth], const float (*b)[3][kWidth], const PairNumbers& pairs,
                 float error, int at, TriangleBatch& batch);

  /// Decides the first eight pairs, and moves up those that wait.
  Verdicts (*classify)(TriangleBatch& batch);

  /// Turns a frame about its first axis, in steps of an eighth of a right angle, to where the
  /// points' bounds along the second and third cover the least area. count >= 1, a multiple of 8.
  void (*turn_to_least_area)(const float* x, const float* y, const float* z, std::size_t count,
                             Frame& frame);

  /// Bounds of points along a frame's axes (about its origin). count >= 1, a multiple of 8.
  void (*project_bounds)(const Frame& frame, const float* x, const float* y, const float* z,
                         std::size_t count, float (&lo)[3], float (&hi)[3]);
};

/// The table in use; the best for this machine unless set_simd_target chose another.
const Kernels& kernels();

/// All tables that run on this machine, best first; the last is plain scalar code.
const std::vector<Kernels>& all_kernels();

}  // namespace touche
