// SPDX-License-Identifier: Apache-2.0
// Hierarchies of any bounding volume, divided by any of the methods of Eckstein's thesis (chapter
// 3) and of its successors, searched by any of its traversals (chapter 4.3). They are here to be
// compared: an Object's own hierarchy, which all queries of touche/query.h use, is far faster.
// Their answers are as exact.
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

// ---- how a tree is made ------------------------------------------------------------------------

/// How a set of faces is divided into as many sets as asked for.
enum class SplitMethod : std::uint8_t {
  gottschalk,        ///< by the nearest of the centres of an oriented box's regions, thesis §3.7.5
  zachmann,          ///< the same with an axis-aligned box, §3.7.6
  hochbaum_shmoys,   ///< by the nearest of corners that lie far from each other, §3.7.2
  moving_centres,    ///< heuristic without intermediate optimisation, §3.7.3
  insertion,         ///< heuristic with intermediate optimisation, §3.7.4
  branch_and_bound,  ///< exact within a budget, §3.7.1; for very small sets
  middle,            ///< van den Bergen: at the middle of the box's longest axis
  median,            ///< van den Bergen: into halves along the longest axis
  least_overlap,     ///< van den Bergen: neither part twice the other, least overlap
  surface_area,      ///< binned surface-area heuristic
};

template <>
inline constexpr std::array<std::string_view, 10> kNames<SplitMethod> = {
    "gottschalk",       "zachmann", "hochbaum_shmoys", "moving_centres", "insertion",
    "branch_and_bound", "middle",   "median",          "least_overlap",  "surface_area"};
/// A measure that is small in a good volume (thesis §3.4.3).
enum class Quality : std::uint8_t { volume, diameter, surface_area, hausdorff };
template <>
inline constexpr std::array<std::string_view, 4> kNames<Quality> = {"volume", "diameter",
                                                                    "surface_area", "hausdorff"};
/// How a set of volumes is rated by its members (§3.4.2).
enum class Combine : std::uint8_t { mean, maximum };
template <>
inline constexpr std::array<std::string_view, 2> kNames<Combine> = {"mean", "maximum"};

/// Which faces `insertion` starts its parts with (§3.7.4).
enum class InsertionStart : std::uint8_t { random, sphere_points, icosahedron, regions };
template <>
inline constexpr std::array<std::string_view, 4> kNames<InsertionStart> = {
    "random", "sphere_points", "icosahedron", "regions"};
enum class InsertionOrder : std::uint8_t { random, best_first };
template <>
inline constexpr std::array<std::string_view, 2> kNames<InsertionOrder> = {"random", "best_first"};

/// Which face `branch_and_bound` decides next, and where it goes on (§3.7.1).
enum class Branching : std::uint8_t { random, raise_least_bound };
template <>
inline constexpr std::array<std::string_view, 2> kNames<Branching> = {"random",
                                                                      "raise_least_bound"};
enum class Exploration : std::uint8_t { lower_bound, weighted, potential };
template <>
inline constexpr std::array<std::string_view, 3> kNames<Exploration> = {"lower_bound", "weighted",
                                                                        "potential"};

/// The cost of a test of a pair, by the kinds of volumes; thesis §3.4.3. Any unit.
struct CostMatrix {
  std::map<std::string, double, std::less<>> cost{};  ///< "sphere obb", names in alphabetical order
  double triangles = 1;                               ///< a test of two triangles

  /// 1 for pairs that are not listed.
  [[nodiscard]] double of(std::string_view a, std::string_view b) const;
};

struct TreeOptions {
  std::string volume = "obb";  ///< one of volume_names(), or another name of one, or "dop"
  /// Normals of a "dop", which is the k-DOP of any directions: see touche/methods/kdop.h.
  std::vector<Vec3> directions = {};
  SplitMethod method = SplitMethod::gottschalk;
  int degree = 2;          ///< 2 to 8: of every node, or with `improvement` the highest
  double improvement = 0;  ///< α in (0, 1]: the least degree that improves by it; 0: fixed degree
  /// s_min: from so many faces on a set is divided also where no degree improves it by α; a smaller
  /// one is a leaf then (Fig. 3.2).
  Index min_split_faces = 0;
  Index leaf_faces = 1;  ///< a set of so many faces is a leaf
  Index max_faces = 8;   ///< a larger set that `method` cannot divide is halved as `median` does;
                         ///< 0: it is a leaf, as in the thesis
  int max_depth = 100;   ///< up to 1000: there every set is a leaf; the root has depth 0
  Quality quality = Quality::surface_area;
  Combine combine = Combine::mean;
  CostMatrix costs = {};  ///< of a node in a tree of mixed volumes

  InsertionStart start = InsertionStart::regions;
  InsertionOrder order = InsertionOrder::random;
  Branching branching = Branching::raise_least_bound;
  Exploration exploration = Exploration::lower_bound;
  std::uint64_t max_problems = 10000;  ///< that `branch_and_bound` looks at for a node

  std::uint64_t seed = 1;        ///< of all that is random
  int threads = 0;               ///< 0: all; the tree does not depend on it
  Progress* progress = nullptr;  ///< counts faces that are in their leaf
};

/// The names of volumes a tree can be made of, as on the command line: sphere, aabb, obb, dop6,
/// dop14, dop18, dop26, rss (rectangle-swept sphere), capsule, mixed (whichever of the first three
/// suits a node), cylinder, cone (cut off), shell (spherical), dop8, dop10, dop12, slabs (of any
/// directions), zonotope, hull (convex).
[[nodiscard]] std::span<const std::string_view> volume_names();
/// The one among them that is called so: itself, "sphere" for "pss" (point-swept sphere), "capsule"
/// for "lss" (line-swept); "dop" for itself; empty if there is none.
[[nodiscard]] std::string_view volume_of_name(std::string_view name);

// ---- the tree ----------------------------------------------------------------------------------

/// Describes a tree in numbers.
struct TreeShape {
  std::size_t nodes = 0, leaves = 0;  ///< nodes: with the leaves
  int depth = 0;
  std::size_t bytes = 0;                 ///< beside the mesh
  std::array<std::size_t, 9> degrees{};  ///< how many nodes have so many children
  Index largest_leaf = 0;                ///< faces
  double gap = 0;                        ///< branch_and_bound: largest relative gap of a split
  std::vector<double> quality;           ///< of each level (§3.4.1)
};

/// A soup with a hierarchy; immutable, cheap to copy, safe to share. Faces are the soup's
/// triangles.
class VolumeTree {
 public:
  /// Throws InvalidInput for options out of range, a volume of no known name, or a quality that the
  /// volume or the method has not.
  explicit VolumeTree(PolygonSoup soup, const TreeOptions& options = {});

  [[nodiscard]] const PolygonSoup& soup() const;
  [[nodiscard]] const std::string& volume() const;
  [[nodiscard]] TreeShape shape() const;

  /// The same tree around the same faces with their vertices elsewhere.
  [[nodiscard]] VolumeTree refitted(std::span<const double> coordinates, int threads = 0) const;

  /// Throws Error naming the node that does not contain its faces, or the face that is missing or
  /// held twice.
  void validate() const;

  struct Data;  ///< for the library

 private:
  friend struct DataAccess;
  explicit VolumeTree(std::shared_ptr<const Data> data);
  friend VolumeTree load_tree(PolygonSoup soup, const std::filesystem::path& file);
  std::shared_ptr<const Data> data_;
};

/// A file belongs to its mesh and is checked when loaded, as in touche/hierarchy_file.h. Throws
/// LoadError.
void save_tree(const VolumeTree& tree, const std::filesystem::path& file);
[[nodiscard]] VolumeTree load_tree(PolygonSoup soup, const std::filesystem::path& file);

// ---- the static test ---------------------------------------------------------------------------

/// Which nodes of a pair are opened (thesis §4.3). Leaves are never opened.
enum class Expansion : std::uint8_t {
  worse_quality,  ///< one-sided: the one of worse quality
  larger_volume,  ///< one-sided, van den Bergen
  simultaneous,   ///< both
  hybrid,         ///< one or both, whichever promises most (Fig. 4.14)
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<Expansion> = {
    "worse_quality", "larger_volume", "simultaneous", "hybrid"};
/// Which pair is looked at next; the quality of a pair is the sum of its nodes'.
enum class QueueOrder : std::uint8_t { first_in, last_in, best_first, worst_first };
template <>
inline constexpr std::array<std::string_view, 4> kNames<QueueOrder> = {"first_in", "last_in",
                                                                       "best_first", "worst_first"};

struct TraversalOptions {
  Expansion expansion = Expansion::worse_quality;
  QueueOrder order = QueueOrder::last_in;
  bool all_pairs = false;  ///< else stop at the first
  Budget budget = {};      ///< work: pairs of nodes
};

/// Counts volume tests in all, and by kind of either volume.
struct TreeStats : QueryStats {
  enum Kind : std::uint8_t { sphere, aabb, obb, other };
  std::array<std::array<std::uint64_t, 4>, 4> by_kind{};  ///< sum: volume_tests
  std::uint64_t front = 0;  ///< pairs where the search ended: volumes apart, or leaves tested

  TreeStats& operator+=(const TreeStats& o);
};
struct [[nodiscard]] TreeResult {
  bool intersects = false;
  bool decided = false;         ///< false when the budget ended first: then there may be more
  std::vector<FacePair> pairs;  ///< of the soups' faces, sorted, each once; one unless all_pairs
  TreeStats stats;
};
/// Throws InvalidInput when the trees are of different volumes.
TreeResult intersects(const VolumeTree& a, const Pose& pose_a, const VolumeTree& b,
                      const Pose& pose_b, const TraversalOptions& options = {});

}  // namespace touche
