// SPDX-License-Identifier: Apache-2.0
// First edges are divided where they meet, until they meet at ends only. Edges that are there twice
// cancel. What is left divides the plane into faces, and each edge has material on one side. At
// each vertex, material and no material alternate between the edges around it; from the leftmost
// vertex of edges that are connected, this gives the side of each.
#include "plane/even_odd.h"

#include <algorithm>
#include <cmath>

#include "plane/edge_pair.h"
#include "plane/vec2.h"

namespace touche::plane {
namespace {

bool less(const Vec2& p, const Vec2& q) {
  return p.x() < q.x() || (p.x() == q.x() && p.y() < q.y());
}

// ---- edges that meet at ends only --------------------------------------------------------------

std::vector<Edge> closed_edges(const Outline& outline) {
  std::vector<Edge> edges;
  for (Index c = 0; c < outline.chain_count(); ++c) {
    if (outline.again(c) || !outline.closed(c)) continue;
    for (Index e = outline.first_edge(c); e < outline.first_edge(c + 1); ++e)
      if (const Edge edge = edge_of(outline, e); edge[0] != edge[1]) edges.push_back(edge);
  }
  return edges;
}

/// Where two edges cross: a point of the first, rounded to multiples of `grid`. The same for both
/// directions.
Vec2 crossing(const Edge& a, const Edge& b, double grid) {
  const Vec2 d = a[1] - a[0], e = b[1] - b[0];
  // Where they are almost parallel, rounding could take it out of the part that they share.
  const auto along = [&](const Vec2& p) { return (p - a[0]).dot(d) / d.squaredNorm(); };
  const auto [first, last] = std::minmax({along(b[0]), along(b[1])});
  const double lo = std::clamp(first, 0.0, 1.0), hi = std::clamp(last, 0.0, 1.0);
  const double t = cross(b[0] - a[0], e) / cross(d, e);
  Vec2 p = a[0] + (t >= lo ? std::min(t, hi) : lo) * d;
  if (grid > 0) p = (p.array() / grid).round() * grid;
  return p.cwiseMax(a[0].cwiseMin(a[1])).cwiseMin(a[0].cwiseMax(a[1]));
}

/// Adds the points at which `edge` is divided because of `other`. `first` is whether it precedes
/// the other: both get the same point.
void add_meeting_points(const Edge& edge, const Edge& other, bool first, double grid,
                        std::vector<Vec2>& points) {
  const int from = orientation(edge[0], edge[1], other[0]),
            to = orientation(edge[0], edge[1], other[1]);
  for (const auto& [side, p] : {std::pair(from, other[0]), std::pair(to, other[1])})
    if (side == 0 && less(edge[0], p) != less(edge[1], p) && p != edge[0] && p != edge[1])
      points.push_back(p);
  if (from * to >= 0) return;
  if (orientation(other[0], other[1], edge[0]) * orientation(other[0], other[1], edge[1]) >= 0)
    return;
  const Vec2 p = first ? crossing(edge, other, grid) : crossing(other, edge, grid);
  if (p != edge[0] && p != edge[1]) points.push_back(p);
}

/// Divides each edge where it meets others, at multiples of `grid` where they cross. Returns
/// whether there was anything to divide.
bool divide(std::vector<Edge>& edges, double grid) {
  std::vector<Chain> chains;
  chains.reserve(edges.size());
  for (const Edge& edge : edges) chains.push_back({{edge[0], edge[1]}, false, {}});
  const Object object((Outline(chains)));
  std::vector<Edge> divided;
  std::vector<Vec2> points;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& [p, q] = edges[e];
    points.clear();
    for (const RayHit& hit : all_segment_hits(object, Pose(), {p, q}))
      if (hit.edge != e) add_meeting_points(edges[e], edges[hit.edge], e < hit.edge, grid, points);
    std::sort(points.begin(), points.end(),
              [&, start = p, d = Vec2(q - p)](const Vec2& a, const Vec2& b) {
                const double s = (a - start).dot(d), t = (b - start).dot(d);
                return s < t || (s == t && less(a, b));
              });
    Vec2 at = p;
    points.push_back(q);
    for (const Vec2& next : points)
      if (next != at) divided.push_back({at, next}), at = next;
  }
  const bool changed = divided.size() != edges.size();
  edges = std::move(divided);
  return changed;
}

/// Removes pairs of equal edges.
void cancel(std::vector<Edge>& edges) {
  struct Entry {
    Vec2 lo, hi;
    std::size_t edge;
  };
  std::vector<Entry> entries;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& [p, q] = edges[e];
    entries.push_back(less(p, q) ? Entry{p, q, e} : Entry{q, p, e});
  }
  const auto precedes = [](const Entry& a, const Entry& b) {
    return a.lo != b.lo ? less(a.lo, b.lo) : less(a.hi, b.hi);
  };
  std::stable_sort(entries.begin(), entries.end(), precedes);
  std::vector<bool> kept(edges.size());
  for (std::size_t i = 0, next = 0; i < entries.size(); i = next) {
    while (next < entries.size() && !precedes(entries[i], entries[next])) ++next;
    kept[entries[i].edge] = (next - i) % 2 == 1;
  }
  std::size_t count = 0;
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (kept[e]) edges[count++] = edges[e];
  edges.resize(count);
}

// ---- sides of material -------------------------------------------------------------------------

/// Half-edge 2 e runs along edge e, 2 e + 1 against it.
class Faces {
 public:
  explicit Faces(const std::vector<Edge>& edges) {
    number_vertices(edges);
    sort_around();
    for (Index v = 0; v < at_.size(); ++v)
      if (component_[v] == kNone) find_component(v);
    for (std::size_t c = 0; c < first_.size(); ++c) mark_material(c);
  }

  std::vector<MaterialRing> rings() const {
    std::vector<MaterialRing> rings;
    std::vector<Index> ring_of_component;  // ring k is of component ring_of_component[k]
    std::vector<bool> done(from_.size());
    for (Index edge = 0; edge < from_.size() / 2; ++edge) {
      const Index first = 2 * edge + (material_[2 * edge] ? 0 : 1);
      if (done[first]) continue;
      MaterialRing ring;
      Index h = first;
      do {
        done[h] = true;
        // Around the material in an infinite face: the half-edge at the component's first vertex.
        if (h == outer_[component_[from_[h]]]) ring.is_hole = true;
        ring.points.push_back(at_[from_[h]]);
        h = before_[h ^ 1];
      } while (h != first);
      rings.push_back(std::move(ring));
      ring_of_component.push_back(component_[from_[first]]);
    }
    for (std::size_t k = 0; k < rings.size(); ++k)
      if (rings[k].is_hole)
        rings[k].around = innermost_around(ring_of_component[k], rings, ring_of_component);
    return rings;
  }

 private:
  void number_vertices(const std::vector<Edge>& edges) {
    for (const Edge& edge : edges) at_.insert(at_.end(), edge.begin(), edge.end());
    std::sort(at_.begin(), at_.end(), less);
    at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
    const auto number = [&](const Vec2& p) {
      return static_cast<Index>(std::lower_bound(at_.begin(), at_.end(), p, less) - at_.begin());
    };
    for (const auto& [p, q] : edges) from_.insert(from_.end(), {number(p), number(q)});
  }

  Index to(Index h) const { return from_[h ^ 1]; }

  /// Whether half-edge g is before h counter-clockwise, from straight down on.
  bool is_before(Index g, Index h) const {
    const Vec2& v = at_[from_[g]];
    const bool right_g = less(v, at_[to(g)]), right_h = less(v, at_[to(h)]);
    if (right_g != right_h) return right_g;
    return orientation(v, at_[to(g)], at_[to(h)]) > 0;
  }

  /// `before_[h]` is the next half-edge clockwise around the vertex that h starts from.
  void sort_around() {
    around_.resize(at_.size());
    for (Index h = 0; h < from_.size(); ++h) around_[from_[h]].push_back(h);
    before_.resize(from_.size());
    for (std::vector<Index>& star : around_) {
      std::sort(star.begin(), star.end(), [this](Index g, Index h) { return is_before(g, h); });
      for (std::size_t i = 0; i < star.size(); ++i)
        before_[star[i]] = star[(i + star.size() - 1) % star.size()];
    }
    component_.assign(at_.size(), kNone);
  }

  /// Marks all vertices that are connected with v, which is the first of them.
  void find_component(Index v) {
    const Index number = static_cast<Index>(first_.size());
    first_.push_back(v);
    std::vector<Index> waiting = {v};
    component_[v] = number;
    while (!waiting.empty()) {
      const Index at = waiting.back();
      waiting.pop_back();
      for (const Index h : around_[at])
        if (component_[to(h)] == kNone) {
          component_[to(h)] = number;
          waiting.push_back(to(h));
        }
    }
  }

  /// Whether an edge crosses the ray from x to the right.
  static bool is_on_ray(const Vec2& x, const Vec2& p, const Vec2& q) {
    const bool up = p.y() <= x.y() && q.y() > x.y(), down = q.y() <= x.y() && p.y() > x.y();
    return (up && orientation(p, q, x) > 0) || (down && orientation(p, q, x) < 0);
  }

  /// The first vertex is the leftmost one, and the lowest of several: outside, in the face around
  /// the component, is right of the first half-edge counter-clockwise there, and left of the last.
  void mark_material(std::size_t component) {
    const Index v = first_[component];
    bool outside = false;
    for (Index h = 0; h < from_.size(); h += 2)
      if (component_[from_[h]] != component && is_on_ray(at_[v], at_[from_[h]], at_[to(h)]))
        outside = !outside;
    material_.resize(from_.size());
    std::vector<bool> known(at_.size());
    const Index last = around_[v].back();
    outer_.push_back(outside ? last : kNone);
    material_[last] = outside;
    std::vector<Index> waiting = {last};
    known[v] = true;
    // A half-edge whose side is known gives the sides of all around the vertex that it starts from.
    while (!waiting.empty()) {
      const Index first = waiting.back();
      waiting.pop_back();
      bool left = material_[first];
      for (Index h = before_[first];; h = before_[h]) {
        left = !left;
        material_[h] = left;
        material_[h ^ 1] = !left;
        if (!known[to(h)]) {
          known[to(h)] = true;
          waiting.push_back(h ^ 1);
        }
        if (h == first) break;
      }
    }
  }

  /// The ring around a component that no other ring around it is in.
  std::size_t innermost_around(Index component, const std::vector<MaterialRing>& rings,
                               const std::vector<Index>& component_of) const {
    const auto encloses = [&](const MaterialRing& ring, const Vec2& x) {
      bool odd = false;
      for (std::size_t i = 0; i < ring.points.size(); ++i)
        odd ^= is_on_ray(x, ring.points[i], ring.points[(i + 1) % ring.points.size()]);
      return odd;
    };
    const auto first_of = [&](Index c) { return at_[first_[c]]; };
    std::size_t best = rings.size();
    for (std::size_t k = 0; k < rings.size(); ++k) {
      if (rings[k].is_hole || component_of[k] == component) continue;
      if (!encloses(rings[k], first_of(component))) continue;
      if (best == rings.size() || encloses(rings[best], first_of(component_of[k]))) best = k;
    }
    return best;
  }

  std::vector<Vec2> at_;                    // sorted
  std::vector<Index> from_;                 // of half-edges
  std::vector<std::vector<Index>> around_;  // of vertices: half-edges from it, counter-clockwise
  std::vector<Index> before_;
  std::vector<Index> component_;  // of vertices
  std::vector<Index> first_;      // of components: their first vertex
  std::vector<Index> outer_;      // of components in material: a half-edge with it to the left
  std::vector<bool> material_;    // of half-edges: whether material is to the left
};

}  // namespace

std::vector<MaterialRing> even_odd_rings(const Outline& outline) {
  std::vector<Edge> edges = closed_edges(outline);
  constexpr int kMostRounds = 50, kFreeRounds = 10;
  // Edges that are almost parallel may cross anew after each round. On a grid they join.
  const double grid = std::ldexp(1.0, std::ilogb(outline.diagonal()) - 40);
  int rounds = 0;
  for (bool more = !edges.empty(); more; ++rounds) {
    if (rounds == kMostRounds)
      throw InvalidInput("sheet: edges cross that are too near to each other to be divided");
    more = divide(edges, rounds < kFreeRounds ? 0 : grid);
    cancel(edges);
    more = more && !edges.empty();
  }
  return Faces(edges).rings();
}

}  // namespace touche::plane
