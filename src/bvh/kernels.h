// SPDX-License-Identifier: Apache-2.0
// The inner loops, compiled once per instruction set, behind one table of functions. All give the
// same results bit for bit, by performing the same operations in every lane.
//
// Numbering of pairs: row i is a child of a, lane j a child of b; the pair is entry or bit 8 i + j.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "bvh/pair_frame.h"

namespace touche::bvh {

/// The contents of a node that are tested: its children, one box for the whole node, or the
/// triangles of a leaf (then `corner` is set, and the boxes are computed on the fly).
///
/// A leaf stays closed against a node's children: each child has one pair with the leaf, in row or
/// lane 0, whose result is that of the nearest of the leaf's triangles.
struct NodeContents {
  const Boxes8* boxes = nullptr;
  const float (*corner)[3][kWidth] = nullptr;
  int count = 0;
};

/// Velocities of a body in some frame: a point y moves with linear + angular × y, up to
/// undirected_speed + undirected_angular_speed |y − centre| in any direction; its acceleration is
/// at most acceleration_per_distance times its distance from the line through `centre` along
/// `axis`. Padded for vector stores.
struct FrameVelocityBound {
  float linear[4], angular[4];
  float centre[4], axis[4];
  float acceleration_per_distance, undirected_speed, undirected_angular_speed;
  bool still;  // then the rest is not set
};

/// Both bodies' velocities in the local coordinates of one of them, or in the frame of one of its
/// nodes, per unit of t.
struct LocalVelocityBounds {
  FrameVelocityBound a, b;
  // Neither body rotates: then b stands still, a has the whole relative velocity, and speeds of
  // unknown direction are part of linear_error.
  bool gliding;
  // An approach rate is off by at most linear_error, plus angular_error per unit of distance from
  // the origin; a distance from the centre or axis by centre_error, plus kRateError per such unit.
  float linear_error, angular_error, centre_error;
};

/// Both bodies' velocities in the local coordinates of each.
struct PairVelocityBounds {
  LocalVelocityBounds in_a, in_b;
  // The clearance, in units of a and of b. The errors of positions include it, but it is exact in
  // any direction.
  float clearance_a, clearance_b;
};

/// A rate is a sum of products of single-precision numbers, each off by a few ulps, and the frames
/// contribute a few more.
inline constexpr float kRateError = 8e-6f;

/// Up to eight numbers of pairs.
struct PairNumbers {
  std::uint64_t packed = 0;  // one byte each, the first lowest
  int count = 0;

  PairNumbers() = default;
  /// Takes the numbers of the first set bits, and clears these bits.
  explicit PairNumbers(std::uint64_t& pairs) {
    for (; pairs != 0 && count < kWidth; pairs &= pairs - 1) add(std::countr_zero(pairs));
  }
  void add(int pair) { packed |= static_cast<std::uint64_t>(pair) << (8 * count++); }
};

/// Up to kBatch pairs of nodes' bounds; unused entries repeat the first.
struct BoundsPairs {
  const Bounds *a[kBatch], *b[kBatch];
  int count = 0;

  void fill_up() {
    std::fill(a + count, a + kBatch, a[0]);
    std::fill(b + count, b + kBatch, b[0]);
  }
};

/// The distance beyond which searches for the nearest pair skip everything.
struct NearTarget {
  float squared;  // distance, in units of a
  /// Unit vector from a to b, in a's axes, along which bounds may be tight; or zero.
  float towards[3];
};

/// Pairs of triangles, each in the frame of a's leaf, that wait for the filter of exact
/// intersection tests, or for bounds of their distances.
struct TriangleBatch {
  // There are fewer than kBatch pairs when the pairs of two more leaves are added, in whole
  // vectors.
  static constexpr int kRoom = kBatch + kWidth * kWidth + kWidth;
  float a[3][3][kRoom], b[3][3][kRoom];  // [corner][axis][lane]
  float
      error[kRoom];  // bound of the error of b's coordinates; a's are off by less than a 50th of it
  Index triangle_a[kRoom], triangle_b[kRoom];
  int count = 0;
};
/// Up to eight pairs of triangles in double precision, in one frame; unused lanes repeat the first.
struct PrecisePairs {
  alignas(64) double a[3][3][kWidth], b[3][3][kWidth];  // [corner][axis][lane]
};
struct Verdicts {
  std::uint32_t hit = 0, miss = 0;  // certain results, a bit per pair; the rest is undecided
};

/// Waiting pairs, ordered by their values. A key is a value >= 0 in single precision whose last six
/// bits are replaced by the pair's number: compared as an integer it orders by value, then by
/// number.
struct PairKeys {
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
  static constexpr std::int32_t kNumber = kWidth * kWidth - 1;

  alignas(64) std::int32_t key[kWidth * kWidth];

  static std::int32_t of(float value, int pair) {
    return (std::bit_cast<std::int32_t>(value) & ~kNumber) | pair;
  }
  static int pair(std::int32_t key) { return key & kNumber; }
  /// Less than the original value by at most one part in 2^17.
  static float value(std::int32_t key) { return std::bit_cast<float>(key & ~kNumber); }
};

struct TriangleItem;

/// Corners of eight triangles in an object's coordinates; unused lanes repeat the first.
struct LeafCorners {
  alignas(64) double corner[3][3][kWidth];  // [corner][axis][lane]
};
/// Area, first moments (x y z) and second moments (xx xy xz yy yz zz).
inline constexpr int kMoments = 10;

struct Kernels {
  const char* name;

  /// Computes the maps between the frames of two nodes. Returns a lower bound of the squared
  /// distance of their boxes, in units of a; 0 if they may overlap.
  float (*relate)(const LocalMap& map, const Bounds& a, const Bounds& b, PairFrame& frame);

  /// Whether two boxes are apart along the cross product of an edge of each.
  bool (*apart_across)(const Bounds& a, const Bounds& b, const PairFrame& frame);

  /// Computes the maps between the frames of several pairs of nodes. Returns a bit for each pair
  /// whose boxes may overlap.
  std::uint32_t (*relate_pairs)(const LocalMap& map, const BoundsPairs& pairs, PairFrames& frames);

  /// The same for pairs of nodes that may be near: computes lower bounds of the squared
  /// distances of their boxes in units of a, and returns a bit for each that is at most the target.
  std::uint32_t (*relate_near)(const LocalMap& map, const BoundsPairs& pairs,
                               const NearTarget& target, PairFrames& frames, float* squared);

  /// Computes lower bounds of the times until pairs of moving nodes may touch, found in their own
  /// frames; 0 if they may touch now, infinite if the time is beyond `limit`.
  void (*impact_nodes)(const LocalMap& map, const BoundsPairs& pairs,
                       const LocalVelocityBounds& velocities, float limit, float* time);
  /// The same with bounds that hold equally long before and after the instant. For any motion
  /// except a glide.
  void (*impact_nodes_around)(const LocalMap& map, const BoundsPairs& pairs,
                              const LocalVelocityBounds& velocities, float limit, float* time);

  /// Returns the pairs of boxes that may overlap, with frame `lane` of several.
  std::uint64_t (*overlap)(const NodeContents& a, const NodeContents& b, const PairFrames& frames,
                           int lane);

  /// Returns the pairs of boxes that may be no farther apart than `target`, and in `squared` lower
  /// bounds of their distances; all squared, in units of a.
  std::uint64_t (*near)(const NodeContents& a, const NodeContents& b, const PairFrames& frames,
                        int lane, float target, float (&squared)[kWidth * kWidth]);

  /// Adds the pairs of two leaves' triangles whose boxes overlap in a's frame.
  void (*add_triangles)(const BvhLeaf& a, const BvhLeaf& b, const PairFrame& frame,
                        TriangleBatch& batch);

  /// The same with frame `lane` of several.
  void (*add_triangles_in)(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& frames, int lane,
                           TriangleBatch& batch);

  /// Adds the pairs that may be no farther apart than the target.
  void (*add_near_triangles)(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& frames, int lane,
                             const NearTarget& target, TriangleBatch& batch);

  /// Removes the last `count` waiting pairs of triangles, at most kBatch, which must be disjoint.
  /// Returns the pairs that may be no farther apart than `target`, and in `squared` nearly exact
  /// lower bounds of the distances; all squared, in units of a.
  std::uint32_t (*measure)(TriangleBatch& batch, int count, float target, float* squared);

  /// Writes a pair of two leaves' triangles that is likely the nearest into the batch beyond its
  /// end, and returns its index; the batch's count is unchanged.
  int (*guess_nearest)(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& frames, int lane,
                       TriangleBatch& batch);

  /// Removes the last `count` waiting pairs of triangles, at most kBatch. Sets in `features` for
  /// each pair a bit for each pair of features that may count as locally closest within `margin`
  /// (units of a; edges may lean towards the other triangle by at most `lean`, a sine): bit k for
  /// corner k of a and b's triangle, 3 + k for corner k of b and a's, 6 + 3 i + j for edges i of a
  /// and j of b, 15 if the triangles may pierce each other. Returns the pairs that have any.
  std::uint32_t (*near_features)(TriangleBatch& batch, int count, float margin, float lean,
                                 std::int32_t* features);

  /// Decides the last `count` waiting pairs of triangles, at most kBatch, and removes them. If
  /// count > kWidth it uses the widest vectors, which make some processors slow down for a while.
  Verdicts (*classify)(TriangleBatch& batch, int count);

  /// Decides the first `count` pairs of triangles in double precision. Coordinates must be 0 or
  /// have magnitudes in [1e-90, 1e90].
  Verdicts (*classify_precisely)(const PrecisePairs& pairs, int count);

  /// Orders the pairs of boxes that may overlap: the nearer their centres relative to their size,
  /// the earlier. Like the following functions, it returns the first key.
  std::int32_t (*rank)(const NodeContents& a, const NodeContents& b, const PairFrame& frame,
                       PairKeys& keys);

  /// The same for two nodes that are long along their axes `long_a` and `long_b`: also tests the
  /// cross product of these axes.
  std::int32_t (*rank_across)(const NodeContents& a, int long_a, const NodeContents& b, int long_b,
                              const PairFrame& frame, PairKeys& keys);

  /// Orders the pairs that may touch within `limit`, by a lower bound of the time until then.
  std::int32_t (*impact)(const NodeContents& a, const NodeContents& b, const Frame& frame_a,
                         const Frame& frame_b, const PairFrame& frame,
                         const PairVelocityBounds& velocities, float limit, PairKeys& keys);
  /// The same with bounds that hold equally long before and after the instant. For any motion
  /// except a glide.
  std::int32_t (*impact_around)(const NodeContents& a, const NodeContents& b, const Frame& frame_a,
                                const Frame& frame_b, const PairFrame& frame,
                                const PairVelocityBounds& velocities, float limit, PairKeys& keys);

  /// Computes lower bounds of the times until pairs of two leaves' triangles may touch, from their
  /// normals and the cross products of their edges: usually tighter than the bounds of `impact`;
  /// the better of both holds. 0 if they may touch now, infinite if the time is beyond `limit`.
  /// `tilting`: also tests a tilting axis, for long triangles that rotate.
  void (*impact_triangles)(const BvhLeaf& a, const BvhLeaf& b, const PairNumbers& pairs,
                           const PairFrame& frame, const PairVelocityBounds& velocities,
                           bool tilting, float limit, float* time);

  /// Returns the first key greater than `last`.
  std::int32_t (*next)(const PairKeys& keys, std::int32_t last);

  /// Writes the first eight keys, in order.
  void (*first_keys)(const PairKeys& keys, std::int32_t* out);

  /// Rotates a frame about its first axis, in steps of an eighth of a right angle, to the angle
  /// where the points' bounds along the second and third axes have the least area. count >= 1, a
  /// multiple of 8.
  void (*turn_to_least_area)(const float* x, const float* y, const float* z, std::size_t count,
                             Frame& frame);

  /// Bounds points along a frame's axes (about its origin). count >= 1, a multiple of 8.
  void (*project_bounds)(const Frame& frame, const float* x, const float* y, const float* z,
                         std::size_t count, float (&lo)[3], float (&hi)[3]);

  /// Orders items and splits them in two: see bvh/binned_cut.h.
  TriangleItem* (*cut)(TriangleItem* begin, TriangleItem* end);

  /// Makes the items of up to eight triangles: their sorting points and boxes.
  void (*make_items)(const LeafCorners& corners, const Normalization& normalization, Index first,
                     int count, TriangleItem* items);

  /// Computes the moments of a leaf's first `count` triangles, summed one after the other, and
  /// local corners of all eight: 24 each of x, y, z.
  void (*measure_leaf)(const LeafCorners& corners, const Normalization& normalization, int count,
                       float* x, float* y, float* z, double (&sums)[kMoments]);

  /// Computes the corners of a leaf in its frame, and bounds that enclose them, rounding included.
  void (*place_corners)(const LeafCorners& corners, const Normalization& normalization,
                        const Frame& frame, float (*out)[3][kWidth], float (&lo)[3],
                        float (&hi)[3]);

  /// Computes the principal frames of eight surfaces, one per lane.
  void (*principal_frames)(const double (&sums)[kMoments][kWidth], Frame (&frames)[kWidth]);
};

/// The table in use; the best for this machine unless set_simd_target chose another.
const Kernels& kernels();

/// All tables that run on this machine, best first; the last is plain scalar code.
const std::vector<Kernels>& all_kernels();

}  // namespace touche::bvh
