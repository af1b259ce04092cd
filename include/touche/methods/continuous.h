// SPDX-License-Identifier: Apache-2.0
// The continuous tests of Eckstein's thesis (§4.2 and chapter 5), for comparison and for research.
//
// They are approximate: they may miss a contact, report a false one, and report a time that is too
// early or too late. `time_of_impact` (touche/query.h) has none of these errors, and is faster.
#pragma once

#include <memory>

#include "touche/methods/volume_tree.h"
#include "touche/motion.h"

namespace touche {

enum class ContinuousMethod : std::uint8_t {
  swept,  ///< volumes around the paths of nodes, then roots of the distances of vertices and edges
  /// A static test at the end; the time is computed for pairs that intersect there (thesis §5.4).
  mixed,
  sampled  ///< a static test at every step: pseudo-continuous
};

/// How the path of a node is enclosed by a volume (thesis §4.2.1).
enum class Sweep : std::uint8_t {
  start_end,  ///< around its start and end; points of a rotating node may leave it
  /// The same, enlarged by a bound of how far paths deviate from straight lines: proved to contain
  /// them.
  start_end_enclosing,
  motion_length,  ///< around its start, enlarged by the thesis' estimate of the path's length
  motion_length_enclosing  ///< the same with a bound of the length: proved to contain the path
};
/// The kind of the swept volume; `own`: that of the node's volume.
enum class SweptBy : std::uint8_t { own, sphere, aabb, obb };

/// How candidate times of contact are found, of a vertex with a face's plane or of two edges' lines
/// (thesis §5.3.2 to §5.3.6).
enum class RootMethod : std::uint8_t {
  linear,                ///< linear interpolation between the distances at start and end
  regula_falsi,          ///< the same, iterated
  quadratic,             ///< quadratic interpolation with a third distance in between
  sampling,              ///< linear interpolation in each of several steps
  sampling_regula_falsi  ///< the same, iterated
};

/// How a candidate time is tested (thesis §5.3): with the features at their exact poses then, or by
/// interpolating between their poses at start and end.
enum class InsideTest : std::uint8_t { exact, approximate };

struct ContinuousOptions {
  ContinuousMethod method = ContinuousMethod::swept;
  Sweep sweep = Sweep::start_end;
  SweptBy swept_by = SweptBy::own;
  RootMethod roots = RootMethod::linear;
  InsideTest inside = InsideTest::exact;
  /// Δ, in (0, 1]: step of sampling, as a part of the motion; the last step may be shorter.
  double step = 0.25;
  Expansion expansion = Expansion::worse_quality;
  QueueOrder order = QueueOrder::last_in;
  /// Volume tests, and primitive tests, after which a swept test gives up. (The thesis' length of a
  /// motion may be so large that all volumes overlap.)
  std::uint64_t max_tests = Budget::kUnlimited;
  Budget budget = {};  ///< its work is not counted, see `max_tests`
};

struct [[nodiscard]] ContinuousResult {
  bool contact = false;
  bool complete = false;  ///< false if it gave up; a contact may have been found nevertheless
  /// Time of the first contact found; sampled: of the first step that intersects.
  double t = kInfinity;
  Index face_a = kNone, face_b = kNone;  ///< of the soups
  Feature feature_a, feature_b;          ///< a vertex and a face, or two edges; sampled: two faces
  TreeStats stats;  ///< primitive_tests counts vertex–face, edge–edge and triangle tests
};

/// Tests two trees along given motions. It keeps its working memory between calls, so use one
/// object for each thread.
///
///     ContinuousTest test(tree_a, tree_b, {.roots = RootMethod::regula_falsi});
///     const ContinuousResult result = test(motion_a, motion_b);
class ContinuousTest {
 public:
  /// Throws InvalidInput when the trees have different volumes or others than sphere, aabb, obb and
  /// mixed, and when an option is out of range.
  ContinuousTest(VolumeTree a, VolumeTree b, const ContinuousOptions& options = {});
  ~ContinuousTest();
  ContinuousTest(ContinuousTest&&) noexcept;
  ContinuousTest& operator=(ContinuousTest&&) noexcept;

  ContinuousResult operator()(const Motion& motion_a, const Motion& motion_b);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touche
