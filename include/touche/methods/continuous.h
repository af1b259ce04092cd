// SPDX-License-Identifier: Apache-2.0
// The continuous tests of Eckstein's thesis (§4.2 and chapter 5), named and selectable: to be
// compared with, and for those who know what they do.
//
// They approximate. They may miss a contact, report one that is none, and name a time that is too
// early or too late. `time_of_impact` (touche/query.h) does none of this, and is faster.
#pragma once

#include <memory>

#include "touche/methods/volume_tree.h"
#include "touche/motion.h"

namespace touche {

enum class ContinuousMethod : std::uint8_t {
  swept,   ///< volumes around the paths of nodes, then roots of distances of vertices and edges
  mixed,   ///< only what intersects at the end is followed back to its time (thesis §5.4)
  sampled  ///< a static test at every step: pseudo-continuous
};

/// The volume that stands for a node's path (thesis §4.2.1).
enum class Sweep : std::uint8_t {
  start_end,               ///< around its start and end; points of a turning node leave it
  start_end_enclosing,     ///< the same, enlarged by how far paths bulge: contains them, proved
  motion_length,           ///< its start, enlarged by the thesis' estimate of the path's length
  motion_length_enclosing  ///< the same with a bound of the length: contains the path, proved
};
enum class SweptBy : std::uint8_t { own, sphere, aabb, obb };  ///< own: as the node's volume is

/// How possible times of contact are found, of a vertex with a face's plane and of two edges' lines
/// (thesis §5.3.2 to §5.3.6).
enum class RootMethod : std::uint8_t {
  linear,                ///< interpolation between the distances at start and end
  regula_falsi,          ///< the same, iterated
  quadratic,             ///< interpolation with a third distance between
  sampling,              ///< linear interpolation from step to step
  sampling_regula_falsi  ///< the same, iterated
};

/// How a possible time is tested (thesis §5.3): on the features as they lie then, or by
/// interpolating between how they lie at start and end.
enum class InsideTest : std::uint8_t { exact, approximate };

struct ContinuousOptions {
  ContinuousMethod method = ContinuousMethod::swept;
  Sweep sweep = Sweep::start_end;
  SweptBy swept_by = SweptBy::own;
  RootMethod roots = RootMethod::linear;
  InsideTest inside = InsideTest::exact;
  double step = 0.25;  ///< Δ, in (0, 1]: of sampling, a share of the motion; the last is shorter
  Expansion expansion = Expansion::worse_quality;
  QueueOrder order = QueueOrder::last_in;
  /// Work: tests of volumes, and of primitives, after which a swept test gives up: the thesis'
  /// length of a motion may be so long that everything meets everything. The other methods are
  /// stopped by the deadline and the flag only.
  Budget budget = {};
};

struct [[nodiscard]] ContinuousResult {
  bool contact = false;
  bool decided = false;  ///< false when it gave up; a contact may have been found all the same
  double t = kInfinity;  ///< of the first contact found; sampled: of the first step that intersects
  Index face_a = kNone, face_b = kNone;  ///< of the soups
  Feature feature_a, feature_b;          ///< vertex and face, or two edges; sampled: two faces
  TreeStats stats;  ///< primitive_tests: of vertices and faces, edges and edges, and triangles
};

/// Tests two trees again and again. Keeps room for its work: one for each thread.
class ContinuousTest {
 public:
  /// Throws InvalidInput when the trees are of different volumes, of others than sphere, aabb, obb
  /// and mixed, or when an option is out of range.
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
