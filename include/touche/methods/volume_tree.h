// SPDX-License-Identifier: Apache-2.0
// Hierarchies of any bounding volume, built by the splitting methods of Eckstein's thesis (chapter
// 3) and of later work, and searched by its traversals (chapter 4.3). They are meant for
// comparison: the hierarchy of an Object, which all queries of touche/query.h use, is far faster.
// Results are equally exact.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "touche/budget.h"
#include "touche/names.h"
#include "touche/pose.h"
#include "touche/query.h"
#include "touche/soup.h"

namespace touche {

// ---- building a tree ---------------------------------------------------------------------------

/// How a set of faces is divided into a given number of sets.
enum class SplitMethod : std::uint8_t {
  gottschalk,        ///< by the nearest centre of the regions of an oriented box, thesis §3.7.5
  zachmann,          ///< the same with an axis-aligned box, §3.7.6
  hochbaum_shmoys,   ///< by the nearest of several corners that are far from each other, §3.7.2
  moving_centres,    ///< heuristic without intermediate optimisation, §3.7.3
  insertion,         ///< heuristic with intermediate optimisation, §3.7.4
  branch_and_bound,  ///< exact within a budget, §3.7.1; for very small sets
  middle,            ///< van den Bergen: at the middle of the box's longest axis
  median,            ///< van den Bergen: into halves along the longest axis
  least_overlap,     ///< van den Bergen: least overlap; neither part more than twice the other
  surface_area,      ///< binned surface-area heuristic
};

template <>
inline constexpr std::array<std::string_view, 10> kNames<SplitMethod> = {
    "gottschalk",       "zachmann", "hochbaum_shmoys", "moving_centres", "insertion",
    "branch_and_bound", "middle",   "median",          "least_overlap",  "surface_area"};
/// The quality of a volume (thesis §3.4.3); lower is better.
enum class Quality : std::uint8_t { volume, diameter, surface_area, hausdorff };
template <>
inline constexpr std::array<std::string_view, 4> kNames<Quality> = {"volume", "diameter",
                                                                    "surface_area", "hausdorff"};
/// How the quality of a set of volumes is computed from its members (§3.4.2).
enum class Combine : std::uint8_t { mean, maximum };
template <>
inline constexpr std::array<std::string_view, 2> kNames<Combine> = {"mean", "maximum"};

/// How `insertion` chooses the first faces of its sets (§3.7.4).
enum class InsertionStart : std::uint8_t { random, sphere_points, icosahedron, regions };
template <>
inline constexpr std::array<std::string_view, 4> kNames<InsertionStart> = {
    "random", "sphere_points", "icosahedron", "regions"};
enum class InsertionOrder : std::uint8_t { random, best_first };
template <>
inline constexpr std::array<std::string_view, 2> kNames<InsertionOrder> = {"random", "best_first"};

/// Which face `branch_and_bound` assigns next, and which subproblem it explores next (§3.7.1).
enum class Branching : std::uint8_t { random, raise_least_bound };
template <>
inline constexpr std::array<std::string_view, 2> kNames<Branching> = {"random",
                                                                      "raise_least_bound"};
enum class Exploration : std::uint8_t { lower_bound, weighted, potential };
template <>
inline constexpr std::array<std::string_view, 3> kNames<Exploration> = {"lower_bound", "weighted",
                                                                        "potential"};

/// The cost of a pair test, by the kinds of the volumes (thesis §3.4.3), in any unit.
struct CostMatrix {
  /// Key: "sphere obb", names in alphabetical order.
  std::map<std::string, double, std::less<>> cost{};
  double triangles = 1;  ///< cost of a test of two triangles

  /// The cost of a pair; 1 if it is not listed.
  [[nodiscard]] double of(std::string_view a, std::string_view b) const;
};

struct TreeOptions {
  /// One of volume_names(), an alias of one (see volume_of_name), or "dop".
  std::string volume = "obb";
  /// Normals of "dop", the k-DOP of any directions, see touche/methods/kdop.h.
  std::vector<Vec3> directions = {};
  SplitMethod method = SplitMethod::gottschalk;
  int degree = 2;  ///< 2 to 8: degree of each node, or with `improvement` the highest
  /// α in (0, 1]: use the least degree that improves the quality by α; 0: fixed degree.
  double improvement = 0;
  /// s_min: a set of at least this number of faces is divided even if no degree improves it by α; a
  /// smaller one is then a leaf (Fig. 3.2).
  Index min_split_faces = 0;
  Index leaf_faces = 1;  ///< a set of at most this number of faces is a leaf
  /// A larger set that `method` cannot divide is halved as by `median`; 0: it is a leaf, as in the
  /// thesis.
  Index max_faces = 8;
  int max_depth = 100;  ///< at most 1000: every set at this depth is a leaf; the root has depth 0
  Quality quality = Quality::surface_area;
  Combine combine = Combine::mean;
  CostMatrix costs = {};  ///< for choosing volumes in a tree of mixed volumes

  InsertionStart start = InsertionStart::regions;
  InsertionOrder order = InsertionOrder::random;
  Branching branching = Branching::raise_least_bound;
  Exploration exploration = Exploration::lower_bound;
  std::uint64_t max_problems = 10000;  ///< subproblems that `branch_and_bound` examines for a node

  std::uint64_t seed = 1;          ///< of all random choices
  int threads = 0;                 ///< 0: all; the tree does not depend on it
  ProgressFunction progress = {};  ///< counts faces that are in their final leaf
};

/// The names of the supported volumes, as on the command line: sphere, aabb, obb, dop6, dop14,
/// dop18, dop26, rss (rectangle-swept sphere), capsule, mixed (the best of the first three for each
/// node), cylinder, cone (truncated), shell (spherical), dop8, dop10, dop12, slabs (of any
/// directions), zonotope, hull (convex).
[[nodiscard]] std::span<const std::string_view> volume_names();
/// The canonical name of a volume: the name itself if it is in volume_names() or "dop"; "sphere"
/// for "pss" (point-swept sphere), "capsule" for "lss" (line-swept sphere); empty for an unknown
/// name.
[[nodiscard]] std::string_view volume_of_name(std::string_view name);

// ---- the tree ----------------------------------------------------------------------------------

/// Statistics of a tree.
struct TreeShape {
  std::size_t nodes = 0, leaves = 0;  ///< `nodes` includes the leaves
  int depth = 0;
  std::size_t bytes = 0;                 ///< memory without the mesh
  std::array<std::size_t, 9> degrees{};  ///< number of nodes by their number of children
  Index largest_leaf = 0;                ///< faces
  double gap = 0;                        ///< branch_and_bound: largest relative gap of a split
  std::vector<double> quality;           ///< quality of each level (§3.4.1)
};

/// A soup with a hierarchy; its faces are the soup's triangles. It is immutable, cheap to copy and
/// safe to share between threads.
///
///     const VolumeTree tree(object.soup(), {.volume = "obb", .degree = 4});
class VolumeTree {
 public:
  /// Throws InvalidInput for options out of range, an unknown volume, or a quality that the volume
  /// or the method does not support.
  explicit VolumeTree(PolygonSoup soup, const TreeOptions& options = {});

  [[nodiscard]] const PolygonSoup& soup() const;
  [[nodiscard]] const std::string& volume() const;
  [[nodiscard]] TreeShape shape() const;

  /// The same tree, refitted to other vertex positions (x y z for each vertex).
  [[nodiscard]] VolumeTree refitted(std::span<const double> coordinates, int threads = 0) const;

  /// Checks the tree. Throws Error naming the node that does not contain its faces, or the face
  /// that is missing or in two leaves.
  void validate() const;

  struct Data;  ///< internal

 private:
  friend struct DataAccess;
  explicit VolumeTree(std::shared_ptr<const Data> data);
  friend VolumeTree load_tree(PolygonSoup soup, const std::filesystem::path& file);
  std::shared_ptr<const Data> data_;
};

/// Write and read a tree. A file belongs to its mesh and is checked when loaded, as in
/// touche/hierarchy_file.h. Throw LoadError.
void save_tree(const VolumeTree& tree, const std::filesystem::path& file);
[[nodiscard]] VolumeTree load_tree(PolygonSoup soup, const std::filesystem::path& file);

// ---- the static test ---------------------------------------------------------------------------

/// Which nodes of a pair are opened (thesis §4.3). Leaves are never opened.
enum class Expansion : std::uint8_t {
  worse_quality,  ///< one-sided: the node of worse quality
  larger_volume,  ///< one-sided: the larger node, van den Bergen
  simultaneous,   ///< both
  hybrid,         ///< one or both, by expected benefit (Fig. 4.14)
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<Expansion> = {
    "worse_quality", "larger_volume", "simultaneous", "hybrid"};
/// Which pair of nodes is tested next. The quality of a pair is the sum of the qualities of its
/// nodes.
enum class QueueOrder : std::uint8_t { first_in, last_in, best_first, worst_first };
template <>
inline constexpr std::array<std::string_view, 4> kNames<QueueOrder> = {"first_in", "last_in",
                                                                       "best_first", "worst_first"};

struct TraversalOptions {
  Expansion expansion = Expansion::worse_quality;
  QueueOrder order = QueueOrder::last_in;
  bool all_pairs = false;  ///< find all pairs of faces; else stop at the first
  Budget budget = {};      ///< work: pairs of nodes
};

/// Query statistics, with volume tests by the kinds of both volumes.
struct TreeStats : QueryStats {
  enum Kind : std::uint8_t { sphere, aabb, obb, other };
  std::array<std::array<std::uint64_t, 4>, 4> by_kind{};  ///< their sum is volume_tests
  std::uint64_t front = 0;  ///< pairs at which the search ended: volumes apart, or leaves tested

  TreeStats& operator+=(const TreeStats& o);
};
struct [[nodiscard]] TreeResult {
  bool intersects = false;
  bool complete = false;        ///< false when the budget ended first; then there may be more pairs
  std::vector<FacePair> pairs;  ///< pairs of faces, sorted, each once; at most one unless all_pairs
  TreeStats stats;
};
/// Whether two trees intersect at given poses. Exact. Throws InvalidInput when the trees have
/// different volumes.
TreeResult intersects(const VolumeTree& a, const Pose& pose_a, const VolumeTree& b,
                      const Pose& pose_b, const TraversalOptions& options = {});

}  // namespace touche
