// SPDX-License-Identifier: Apache-2.0
// Vertices at the same position are one position here. Positions at open edges start as clusters
// of one; joining two edges joins the clusters of their ends. For each cluster the edges to its
// neighbours are counted, so that a union is refused before it collapses a face or gives an edge a
// third face. Positions are numbered by their coordinates, and pairs of edges are sorted before any
// is joined, so that the order of the input does not matter.
#include "geometry/weld.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/disjoint_sets.h"
#include "geometry/half_edges.h"
#include "geometry/predicates.h"

namespace touche::geometry {
namespace {

// Ends of edges that are joined differ by at most this share of the edges' sizes.
constexpr double kMostOfEdge = 0.25;
// Faces that meet at a sharper angle than this (sine), or of which one is no farther from the other
// than a few times the distance of their edges, lie on each other.
constexpr double kLeastSine = 0.05, kMostOfSheets = 8;
// Lengths are tried in rounds, each larger than the one before by this factor, so that near edges
// are joined before far ones are listed.
constexpr double kGrowth = 64;
// A round that finds more pairs of near positions than this many per open position ends the search:
// its length is larger than what is between the vertices.
constexpr std::size_t kMostPairs = 32, kFewPairs = 4096;

double apart_by(const Vec3& a, const Vec3& b) { return (a - b).cwiseAbs().maxCoeff(); }

bool before(const Vec3& a, const Vec3& b) {
  return std::tie(a.x(), a.y(), a.z()) < std::tie(b.x(), b.y(), b.z());
}

/// The different positions of vertices, sorted by their coordinates.
struct Positions {
  explicit Positions(std::span<const Vec3> vertices) : of_vertex(vertices.size()) {
    std::vector<Index> order(vertices.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(),
              [&](Index i, Index j) { return before(vertices[i], vertices[j]); });
    for (const Index v : order) {
      if (at.empty() || at.back() != vertices[v]) at.push_back(vertices[v]);
      of_vertex[v] = static_cast<Index>(at.size() - 1);
    }
  }
  std::vector<Vec3> at;
  std::vector<Index> of_vertex;
};

/// The faces at an edge, and how many more of them run from its first end to the second one than
/// back.
struct Uses {
  Index count = 0;
  int forward = 0;
  bool is_open() const { return count % 2 != 0; }
  void add(Index more, int more_forward) {
    count += more;
    forward += more_forward;
  }
};

using Edge = std::pair<Index, Index>;  // of positions

/// The points near each of some points: no coordinates differ by more than a length.
class NearPoints {
 public:
  /// `points`: numbers of positions, ascending.
  NearPoints(const std::vector<Vec3>& at, const std::vector<Index>& points, double length)
      : points_(points), near_(points.size()) {
    std::vector<Entry> cells;
    cells.reserve(points.size());
    for (const Index p : points) cells.push_back({cell_of(at[p], length), p});
    std::sort(cells.begin(), cells.end());
    std::size_t pairs = 0;
    for (const auto& [cell, p] : cells)
      for (int k = 0; k < 9; ++k) {
        // The three cells along z lie side by side.
        const int row = k / 3, column = k % 3;
        const Cell first = {cell[0] + row - 1, cell[1] + column - 1, cell[2] - 1};
        const Cell last = {first[0], first[1], cell[2] + 1};
        for (auto i = std::lower_bound(cells.begin(), cells.end(), Entry{first, 0});
             i != cells.end() && i->first <= last; ++i) {
          if (++pairs > kFewPairs + kMostPairs * cells.size()) return;
          if (apart_by(at[p], at[i->second]) <= length) list_of(p).push_back(i->second);
        }
      }
    complete_ = true;
  }

  /// False if there are too many pairs.
  bool complete() const { return complete_; }
  /// The points near one of them, itself included.
  const std::vector<Index>& of(Index p) const {
    return near_[static_cast<std::size_t>(std::ranges::lower_bound(points_, p) - points_.begin())];
  }

 private:
  using Cell = std::array<double, 3>;  // whole numbers
  using Entry = std::pair<Cell, Index>;
  static Cell cell_of(const Vec3& x, double length) {
    return {std::floor(x.x() / length), std::floor(x.y() / length), std::floor(x.z() / length)};
  }
  std::vector<Index>& list_of(Index p) {
    return near_[static_cast<std::size_t>(std::ranges::lower_bound(points_, p) - points_.begin())];
  }

  const std::vector<Index>& points_;
  std::vector<std::vector<Index>> near_;
  bool complete_ = false;
};

class Welder {
 public:
  Welder(std::vector<Vec3>& vertices, const FaceList& faces)
      : vertices_(vertices), faces_(faces), positions_(vertices), sets_(positions_.at.size()) {}

  WeldResult run(double length, JoinedEdges which) {
    collect_open_edges();
    WeldResult result;
    result.open_edges_before = result.open_edges = static_cast<Index>(open_.size());
    double largest = 0;
    Aabb box;
    for (const Vec3& x : positions_.at) {
      largest = std::max(largest, x.cwiseAbs().maxCoeff());
      box.include(x);
    }
    if (which == JoinedEdges::of_one_surface) sheets_from_ = kUnnoticed * box.diagonal();
    std::vector<double> rounds;
    for (; length > kLeastShare * largest; length /= kGrowth) rounds.push_back(length);
    if (open_.empty() || rounds.empty()) return result;
    prepare();
    for (std::size_t i = rounds.size(); i-- > 0 && join_within(rounds[i]);)
      result.length = rounds[i];
    finish(result);
    return result;
  }

 private:
  // Positions that are one. Only positions at open edges have a cluster.
  struct Cluster {
    std::map<Index, Uses> neighbours;  // by the first position of their cluster
    Aabb box;
    std::vector<Index> members;
    std::vector<std::size_t> polygons;  // faces of more than three corners, ascending
  };

  Index position(std::size_t face, std::size_t k) const {
    return positions_.of_vertex[faces_[face][k]];
  }
  bool has_cluster(Index position) const { return slots_[position] != kNone; }
  Cluster& cluster(Index first) { return clusters_[slots_[first]]; }
  const Cluster& cluster(Index first) const { return clusters_[slots_[first]]; }

  void collect_open_edges() {
    for_each_edge(
        static_cast<Index>(positions_.at.size()), static_cast<Index>(faces_.corners.size()),
        [&](Index c) { return positions_.of_vertex[faces_.corners[c]]; },
        [&](Index c) { return faces_.next(c); },
        [&](std::span<const EdgeUse> uses) {
          if (uses.size() % 2 == 0) return;
          const Index corner = uses[0].backward ? faces_.next(uses[0].corner) : uses[0].corner;
          open_.emplace_back(positions_.of_vertex[faces_.corners[corner]], uses[0].far);
          inward_.emplace(open_.back(), inward(uses[0].corner));
        });
  }

  // From the edge of a corner to the middle of its face, across the edge.
  Vec3 inward(Index corner) const {
    Vec3 sum = Vec3::Zero();
    double count = 0;
    Index c = corner;
    do {
      sum += vertices_[faces_.corners[c]];
      ++count;
      c = faces_.next(c);
    } while (c != corner);
    const Vec3 &p = vertices_[faces_.corners[corner]],
               &q = vertices_[faces_.corners[faces_.next(corner)]];
    const Vec3 to_middle = sum / count - p, along = q - p;
    const double squared = along.squaredNorm();
    return squared > 0 ? Vec3(to_middle - to_middle.dot(along) / squared * along) : to_middle;
  }

  // Whether the faces at two open edges lie on each other, rather than go on from the edge.
  bool are_sheets(const Edge& edge, const Edge& other, double apart) const {
    const Vec3 &a = inward_.at(edge), &b = inward_.at(other);
    if (!(a.dot(b) > 0)) return false;
    const double sine = a.cross(b).norm() / (a.norm() * b.norm());
    return sine < kLeastSine || sine * std::min(a.norm(), b.norm()) < kMostOfSheets * apart;
  }

  void prepare() {
    slots_.assign(positions_.at.size(), kNone);
    for (const auto& [p, q] : open_) slots_[p] = slots_[q] = 0;
    for (Index p = 0; p < slots_.size(); ++p) {
      if (!has_cluster(p)) continue;
      slots_[p] = static_cast<Index>(clusters_.size());
      open_positions_.push_back(p);
      Cluster& own = clusters_.emplace_back();
      own.box.include(positions_.at[p]);
      own.members = {p};
    }
    base::DisjointSets shells(positions_.at.size());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      const std::size_t size = faces_[f].size();
      for (std::size_t k = 0; k < size; ++k) {
        const Index p = position(f, k), q = position(f, k + 1 < size ? k + 1 : 0);
        shells.join(p, position(f, 0));
        // The corners of a triangle are neighbours; two corners of a larger face need not be.
        if (size > 3 && has_cluster(p)) cluster(p).polygons.push_back(f);
        if (p == q) continue;
        if (has_cluster(p)) cluster(p).neighbours[q].add(1, 1);
        if (has_cluster(q)) cluster(q).neighbours[p].add(1, -1);
      }
    }
    for (Index p = 0; p < positions_.at.size(); ++p) shell_.push_back(shells.find(p));
  }

  // Two open edges whose ends are near each other. The order of such pairs is that of joining.
  struct Pair {
    bool other_shell, same_direction;
    double apart;
    Edge edge, other;  // `other` from the end near the first one of `edge`
    auto operator<=>(const Pair&) const = default;
  };

  /// Returns false if the length is too large.
  bool join_within(double length) {
    std::erase_if(open_, [&](const Edge& edge) { return !is_open(edge); });
    std::vector<Index> points;
    for (const auto& [p, q] : open_) points.insert(points.end(), {p, q});
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    const NearPoints near(positions_.at, points, length);
    if (!near.complete()) return false;
    std::vector<Pair> pairs;
    for (const Edge& edge : open_)
      for (const Index p : near.of(edge.first))
        for (const Index q : near.of(edge.second)) {
          // Each pair is found from both of its edges.
          const Edge sorted(std::min(p, q), std::max(p, q));
          if (edge < sorted && std::ranges::binary_search(open_, sorted))
            if (const auto pair = pair_of(edge, {p, q})) pairs.push_back(*pair);
        }
    std::sort(pairs.begin(), pairs.end());
    for (const Pair& pair : pairs) join(pair, length);
    return true;
  }

  std::optional<Pair> pair_of(const Edge& edge, const Edge& other) {
    const std::vector<Vec3>& at = positions_.at;
    const double apart = std::max(apart_by(at[edge.first], at[other.first]),
                                  apart_by(at[edge.second], at[other.second]));
    const double size = std::min(apart_by(at[edge.first], at[edge.second]),
                                 apart_by(at[other.first], at[other.second]));
    if (apart > kMostOfEdge * size) return std::nullopt;
    const Edge sorted(std::min(other.first, other.second), std::max(other.first, other.second));
    if (apart > sheets_from_ && are_sheets(edge, sorted, apart)) return std::nullopt;
    return Pair{shell_[edge.first] != shell_[other.first],
                (uses_of(edge).forward > 0) == (uses_of(other).forward > 0), apart, edge, other};
  }

  // Of the edge between the clusters of two positions.
  Uses uses_of(const Edge& edge) {
    const auto& neighbours = cluster(sets_.find(edge.first)).neighbours;
    const auto found = neighbours.find(sets_.find(edge.second));
    return found == neighbours.end() ? Uses{} : found->second;
  }
  bool is_open(const Edge& edge) { return uses_of(edge).is_open(); }

  void join(const Pair& pair, double length) {
    if (!is_open(pair.edge) || !is_open(pair.other)) return;
    const Index p = pair.edge.first, q = pair.edge.second;
    const Index other_p = pair.other.first, other_q = pair.other.second;
    if (!may_be_one(p, other_p, length) || !may_be_one(q, other_q, length)) return;
    unite(p, other_p);
    // The first union may forbid the second one.
    if (may_be_one(q, other_q, length)) unite(q, other_q);
  }

  bool may_be_one(Index position, Index other, double length) {
    const Index p = sets_.find(position), q = sets_.find(other);
    if (p == q) return true;
    const Cluster &a = cluster(p), &b = cluster(q);
    Aabb box = a.box;
    box.include(b.box.lo);
    box.include(b.box.hi);
    if ((box.hi - box.lo).maxCoeff() > length) return false;
    if (a.neighbours.contains(q) || share_a_polygon(a, b)) return false;
    const bool fewer = a.neighbours.size() < b.neighbours.size();
    const auto &few = (fewer ? a : b).neighbours, &many = (fewer ? b : a).neighbours;
    return std::ranges::all_of(few, [&](const auto& neighbour) {
      const auto found = many.find(neighbour.first);
      return found == many.end() || may_be_one(neighbour.second, found->second);
    });
  }

  // Two edges of one face each; or edges of which one has three faces or more already.
  static bool may_be_one(const Uses& a, const Uses& b) {
    const Index count = a.count + b.count;
    return count <= 2 || (count % 2 == 0 && std::max(a.count, b.count) > 2);
  }

  static bool share_a_polygon(const Cluster& a, const Cluster& b) {
    return std::ranges::any_of(
        a.polygons, [&](std::size_t face) { return std::ranges::binary_search(b.polygons, face); });
  }

  void unite(Index position, Index other) {
    const Index p = sets_.find(position), q = sets_.find(other);
    if (p == q) return;
    sets_.join(p, q);
    const Index first = sets_.find(p), gone = first == p ? q : p;
    Cluster &to = cluster(first), from = std::move(cluster(gone));
    for (const auto& [far, uses] : from.neighbours) {
      to.neighbours[far].add(uses.count, uses.forward);
      if (!has_cluster(far)) continue;
      cluster(far).neighbours.erase(gone);
      cluster(far).neighbours[first].add(uses.count, -uses.forward);
    }
    to.box.include(from.box.lo);
    to.box.include(from.box.hi);
    to.members.insert(to.members.end(), from.members.begin(), from.members.end());
    to.polygons.insert(to.polygons.end(), from.polygons.begin(), from.polygons.end());
    std::sort(to.polygons.begin(), to.polygons.end());
    cluster(gone) = {};
  }

  // ---- the result ------------------------------------------------------------------------------

  // The position whose numbers are the shortest: zero rather than 1e-17.
  Index kept_position(const std::vector<Index>& members) const {
    const auto bits = [](double x) {
      int count = 0, exponent = 0;
      for (double rest = std::frexp(x, &exponent); rest != 0; rest -= std::trunc(rest)) {
        rest = std::ldexp(rest, 1);
        ++count;
      }
      return count;
    };
    const auto key = [&](Index p) {
      const Vec3& x = positions_.at[p];
      return std::tuple(bits(x.x()) + bits(x.y()) + bits(x.z()), x.cwiseAbs().sum(), p);
    };
    return *std::min_element(members.begin(), members.end(),
                             [&](Index p, Index q) { return key(p) < key(q); });
  }

  bool has_area(std::size_t face) const {
    const std::span<const Index> corners = faces_[face];
    for (std::size_t k = 2; k < corners.size(); ++k)
      if (!collinear(vertices_[corners[0]], vertices_[corners[k - 1]], vertices_[corners[k]]))
        return true;
    return false;
  }

  void finish(WeldResult& result) {
    std::vector<Index> moved_to(positions_.at.size());
    std::iota(moved_to.begin(), moved_to.end(), Index{0});
    for (const Index p : open_positions_) {
      const Cluster& own = cluster(p);
      if (own.members.size() < 2) continue;
      result.farthest = std::max(result.farthest, (own.box.hi - own.box.lo).maxCoeff());
      const Index kept = kept_position(own.members);
      for (const Index member : own.members) moved_to[member] = kept;
    }
    count_shells(result);
    const auto moves = [&](Index v) {
      return moved_to[positions_.of_vertex[v]] != positions_.of_vertex[v];
    };
    std::vector<std::size_t> touched;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (std::ranges::any_of(faces_[f], moves) && has_area(f)) touched.push_back(f);
    for (Index v = 0; v < vertices_.size(); ++v) {
      if (!moves(v)) continue;
      ++result.joined;
      vertices_[v] = positions_.at[moved_to[positions_.of_vertex[v]]];
    }
    result.flattened_faces = static_cast<Index>(
        std::ranges::count_if(touched, [&](std::size_t f) { return !has_area(f); }));
  }

  void count_shells(WeldResult& result) {
    base::DisjointSets shells(positions_.at.size());
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 1; k < faces_[f].size(); ++k)
        shells.join(sets_.find(position(f, k)), sets_.find(position(f, 0)));
    std::vector<bool> was_open(positions_.at.size(), false), still(was_open);
    std::size_t ends = 0;  // of open edges: both have clusters
    for (const Index p : open_positions_) {
      was_open[shells.find(sets_.find(p))] = true;
      for (const auto& [far, uses] : cluster(p).neighbours) {
        if (!uses.is_open()) continue;
        still[shells.find(p)] = true;
        ++ends;
      }
    }
    result.open_edges = static_cast<Index>(ends / 2);
    for (std::size_t s = 0; s < was_open.size(); ++s)
      if (was_open[s] && !still[s]) ++result.closed_shells;
  }

  std::vector<Vec3>& vertices_;
  const FaceList& faces_;
  const Positions positions_;
  base::DisjointSets sets_;         // of positions
  std::vector<Edge> open_;          // from the smaller position, ascending
  std::map<Edge, Vec3> inward_;     // of the edges that were open, see inward()
  double sheets_from_ = kInfinity;  // edges farther apart may be borders of two sheets
  std::vector<Index> open_positions_, shell_;
  std::vector<Index> slots_;  // of positions in clusters_, or kNone
  std::vector<Cluster> clusters_;
};

// Whether no edge is open even if vertices at the same position do not count as one.
bool is_closed_by_numbers(std::size_t vertex_count, const FaceList& faces) {
  bool closed = true;
  for_each_edge(
      static_cast<Index>(vertex_count), static_cast<Index>(faces.corners.size()),
      [&](Index c) { return faces.corners[c]; }, [&](Index c) { return faces.next(c); },
      [&](std::span<const EdgeUse> uses) { closed = closed && uses.size() % 2 == 0; });
  return closed;
}

}  // namespace

FaceList face_list(std::span<const Index> corners, std::span<const Index> sizes) {
  FaceList faces{corners, {}, {}};
  if (sizes.empty()) return faces;
  faces.begins.reserve(sizes.size() + 1);
  faces.begins.push_back(0);
  faces.nexts.reserve(corners.size());
  for (const Index size : sizes) {
    const Index begin = faces.begins.back();
    for (Index k = 1; k < size; ++k) faces.nexts.push_back(begin + k);
    faces.nexts.push_back(begin);
    faces.begins.push_back(begin + size);
  }
  return faces;
}

WeldResult weld(std::vector<Vec3>& vertices, const FaceList& faces, double length,
                JoinedEdges which) {
  if (!(length >= 0) || !std::isfinite(length))
    throw InvalidInput("weld: the length must be 0 or more, and finite");
  if (is_closed_by_numbers(vertices.size(), faces)) return {};
  return Welder(vertices, faces).run(length, which);
}

}  // namespace touche::geometry
