// SPDX-License-Identifier: Apache-2.0
// Sheets: walls on all edges, and a top and a bottom for each chain that has material inside. Holes
// are joined to the border around them by cuts that nothing crosses (Held 2001 calls them bridges):
// the result is one polygon that traverses its cuts twice, which a soup's faces may do. All
// decisions are exact.
#include "touche/plane.h"

#include <algorithm>
#include <cmath>

#include "plane/edge_pair.h"
#include "plane/vec2.h"

namespace touche::plane {
namespace {

std::string place_text(const Vec2& p) {
  return "(" + std::to_string(p.x()) + ", " + std::to_string(p.y()) + ")";
}

/// The closed chains, without copies and without repeated points.
Outline borders_of(const Outline& outline) {
  std::vector<Chain> borders;
  for (Index c = 0; c < outline.chain_count(); ++c) {
    if (outline.again(c)) continue;
    const std::string name = "sheet: chain " + std::to_string(c) + " ";
    if (!outline.closed(c)) throw InvalidInput(name + "is open, and encloses nothing");
    Chain border{{}, true, {}};
    for (Index v = outline.first_vertex(c); v < outline.first_vertex(c + 1); ++v)
      if (border.points.empty() || border.points.back() != outline.vertex(v))
        border.points.push_back(outline.vertex(v));
    while (border.points.size() > 1 && border.points.back() == border.points.front())
      border.points.pop_back();
    if (border.points.size() < 3) throw InvalidInput(name + "encloses nothing");
    borders.push_back(std::move(border));
  }
  if (borders.empty()) throw InvalidInput("sheet: there is no closed chain");
  return Outline(borders);
}

class SheetBorders {
 public:
  explicit SheetBorders(const Outline& outline)
      : object_(borders_of(outline)), outline_(object_.outline()) {
    check_edges();
    nest();
  }

  PolygonSoup between(double lower, double upper) const {
    const Index n = outline_.vertex_count();
    std::vector<double> coordinates;
    for (const double z : {lower, upper})
      for (const Vec2& p : outline_.vertices())
        coordinates.insert(coordinates.end(), {p.x(), p.y(), z});
    std::vector<Index> corners, sizes;
    for (Index c = 0; c < outline_.chain_count(); ++c) {
      const std::vector<Index> ring = ring_of(c);  // oriented with the material to its left
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Index p = ring[i], q = ring[(i + 1) % ring.size()];
        corners.insert(corners.end(), {p, q, q + n, p + n});
        sizes.push_back(4);
      }
    }
    for (Index c = 0; c < outline_.chain_count(); ++c) {
      if (depth_[c] % 2 == 1) continue;
      const std::vector<Index> face = with_holes(c);
      for (const Index v : face) corners.push_back(v + n);
      corners.insert(corners.end(), face.rbegin(), face.rend());
      sizes.insert(sizes.end(), 2, static_cast<Index>(face.size()));
    }
    return PolygonSoup(coordinates, corners, sizes);
  }

 private:
  const Vec2& at(Index v) const { return outline_.vertex(v); }
  /// The next vertex of the chain. Edge v leads from vertex v to it.
  Index next(Index v) const { return outline_.edge(v)[1]; }

  void check_edges() const {
    std::vector<Index> previous(outline_.edge_count());
    for (Index e = 0; e < outline_.edge_count(); ++e) previous[next(e)] = e;
    for (Index e = 0; e < outline_.edge_count(); ++e) {
      const Vec2 &p = at(e), &q = at(next(e)), &r = at(next(next(e)));
      bool bad = orientation(p, q, r) == 0 && (p - q).dot(r - q) > 0;  // it reverses direction
      for (const RayHit& hit : all_segment_hits(object_, Pose(), {p, q}))
        bad |= hit.edge != e && hit.edge != next(e) && hit.edge != previous[e];
      if (bad)
        throw InvalidInput("sheet: the edge from " + place_text(p) + " to " + place_text(q) +
                           " touches others than its neighbours");
    }
  }

  /// Whether a chain encloses a point that is not on it.
  bool encloses(Index chain, const Vec2& x) const {
    bool odd = false;
    for (Index e = outline_.first_edge(chain); e < outline_.first_edge(chain + 1); ++e) {
      const Vec2 &p = at(e), &q = at(next(e));
      const bool up = p.y() <= x.y() && q.y() > x.y(), down = q.y() <= x.y() && p.y() > x.y();
      if ((up && orientation(p, q, x) > 0) || (down && orientation(p, q, x) < 0)) odd = !odd;
    }
    return odd;
  }

  /// Finds how many chains enclose each chain, and which is the innermost of them. Since chains do
  /// not touch each other, testing one vertex is enough.
  void nest() {
    const Index count = outline_.chain_count();
    std::vector<std::vector<Index>> around(count);
    for (Index c = 0; c < count; ++c)
      for (Index other = 0; other < count; ++other)
        if (other != c && encloses(other, at(outline_.first_vertex(c)))) around[c].push_back(other);
    for (const std::vector<Index>& list : around) depth_.push_back(list.size());
    holes_.resize(count);
    for (Index c = 0; c < count; ++c)
      for (const Index other : around[c])
        if (depth_[c] % 2 == 1 && depth_[other] + 1 == depth_[c]) holes_[other].push_back(c);
  }

  /// The vertices of a chain: counter-clockwise around material, clockwise around a hole.
  std::vector<Index> ring_of(Index chain) const {
    std::vector<Index> ring;
    for (Index v = outline_.first_vertex(chain); v < outline_.first_vertex(chain + 1); ++v)
      ring.push_back(v);
    if (is_left_turning(ring) != (depth_[chain] % 2 == 0)) std::reverse(ring.begin(), ring.end());
    return ring;
  }

  /// Whether a ring is counter-clockwise: by the turn at its leftmost vertex (the lowest of
  /// several), which is never straight.
  bool is_left_turning(const std::vector<Index>& ring) const {
    const std::size_t n = ring.size();
    std::size_t k = 0;
    for (std::size_t i = 1; i < n; ++i) {
      const Vec2 &p = at(ring[i]), &q = at(ring[k]);
      if (p.x() < q.x() || (p.x() == q.x() && p.y() < q.y())) k = i;
    }
    return orientation(at(ring[(k + n - 1) % n]), at(ring[k]), at(ring[(k + 1) % n])) > 0;
  }

  // ---- cuts ------------------------------------------------------------------------------------

  using Cut = std::array<Index, 2>;

  /// Holes are joined from right to left, so that each one sees a vertex of the polygon so far
  /// (Eberly 2002).
  std::vector<Index> with_holes(Index chain) const {
    std::vector<Index> face = ring_of(chain);
    struct Hole {
      std::vector<Index> ring;
      std::size_t rightmost;
    };
    std::vector<Hole> holes;
    for (const Index c : holes_[chain]) {
      Hole hole{ring_of(c), 0};
      for (std::size_t i = 1; i < hole.ring.size(); ++i)
        if (at(hole.ring[i]).x() > at(hole.ring[hole.rightmost]).x()) hole.rightmost = i;
      holes.push_back(std::move(hole));
    }
    const auto right_end = [&](const Hole& hole) { return at(hole.ring[hole.rightmost]).x(); };
    std::stable_sort(holes.begin(), holes.end(),
                     [&](const Hole& a, const Hole& b) { return right_end(a) > right_end(b); });
    std::vector<Cut> cuts;
    for (Hole& hole : holes) {
      std::rotate(hole.ring.begin(),
                  hole.ring.begin() + static_cast<std::ptrdiff_t>(hole.rightmost), hole.ring.end());
      const Index from = hole.ring.front();
      const std::size_t k = seen_from(from, face, cuts);
      cuts.push_back({face[k], from});
      // Along the cut to the hole, around it, and back.
      hole.ring.push_back(from);
      hole.ring.push_back(face[k]);
      face.insert(face.begin() + static_cast<std::ptrdiff_t>(k) + 1, hole.ring.begin(),
                  hole.ring.end());
    }
    return face;
  }

  /// The position in the face of the nearest vertex to which a cut may lead.
  std::size_t seen_from(Index from, const std::vector<Index>& face,
                        const std::vector<Cut>& cuts) const {
    std::vector<std::pair<double, std::size_t>> by_distance;
    for (std::size_t k = 0; k < face.size(); ++k)
      by_distance.emplace_back((at(face[k]) - at(from)).squaredNorm(), k);
    const auto nearest_last = std::greater<std::pair<double, std::size_t>>();
    std::make_heap(by_distance.begin(), by_distance.end(), nearest_last);
    while (!by_distance.empty()) {
      const std::size_t k = by_distance.front().second;
      if (leads_inside(face, k, at(from)) && is_clear({from, face[k]}, cuts)) return k;
      std::pop_heap(by_distance.begin(), by_distance.end(), nearest_last);
      by_distance.pop_back();
    }
    throw InvalidInput("sheet: the hole at " + place_text(at(from)) + " cannot be reached");
  }

  /// Whether x lies between the two sides at a face's corner.
  bool leads_inside(const std::vector<Index>& face, std::size_t k, const Vec2& x) const {
    const std::size_t n = face.size();
    const Vec2 &a = at(face[(k + n - 1) % n]), &v = at(face[k]), &b = at(face[(k + 1) % n]);
    const int first = orientation(a, v, x), second = orientation(v, b, x);
    return orientation(a, v, b) > 0 ? first > 0 && second > 0 : first > 0 || second > 0;
  }

  /// Whether a cut touches only edges and cuts that begin at its ends, and overlaps none of them.
  bool is_clear(const Cut& cut, const std::vector<Cut>& cuts) const {
    const auto touches = [&](const Cut& other) {
      for (const auto& [v, far] : {std::pair(cut[0], cut[1]), std::pair(cut[1], cut[0])})
        if (v == other[0] || v == other[1]) {
          const Vec2 &p = at(v), &q = at(v == other[0] ? other[1] : other[0]), &r = at(far);
          return orientation(q, p, r) == 0 && (q - p).dot(r - p) > 0;
        }
      return edges_intersect({at(cut[0]), at(cut[1])}, {at(other[0]), at(other[1])});
    };
    for (const RayHit& hit : all_segment_hits(object_, Pose(), {at(cut[0]), at(cut[1])}))
      if (touches(outline_.edge(hit.edge))) return false;
    return std::ranges::none_of(cuts, touches);
  }

  Object object_;
  const Outline& outline_;
  std::vector<std::size_t> depth_;         // for each chain, how many chains enclose it
  std::vector<std::vector<Index>> holes_;  // for each chain with material inside
};

}  // namespace

PolygonSoup sheet_of(const Outline& outline, double thickness) {
  // For thinner sheets the areas of the sides would have relative errors of more than a thousandth.
  constexpr double kThinnest = 1e-12;
  if (!(thickness > 0) || !std::isfinite(thickness))
    throw InvalidInput("sheet: the thickness must be positive and finite");
  double largest = 0;
  for (const Vec2& v : outline.vertices()) largest = std::max(largest, v.cwiseAbs().maxCoeff());
  if (!(thickness >= kThinnest * largest))
    throw InvalidInput("sheet: the thickness is lost in rounding beside the drawing's coordinates");
  return SheetBorders(outline).between(0, thickness);
}

}  // namespace touche::plane
