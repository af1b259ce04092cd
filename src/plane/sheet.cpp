// SPDX-License-Identifier: Apache-2.0
// Sheets: walls on all edges, and a top and a bottom for each ring that has material inside. Holes
// are joined to the border around them by cuts that nothing crosses (Held 2001 calls them bridges):
// the result is one polygon that traverses its cuts twice, which a soup's faces may do. All
// decisions are exact.
#include "touche/plane.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plane/edge_pair.h"
#include "plane/even_odd.h"
#include "plane/vec2.h"

namespace touche::plane {
namespace {

std::string place_text(const Vec2& p) {
  return "(" + std::to_string(p.x()) + ", " + std::to_string(p.y()) + ")";
}

void expect_closed(const Outline& outline) {
  for (Index c = 0; c < outline.chain_count(); ++c)
    if (!outline.again(c) && !outline.closed(c))
      throw InvalidInput("sheet: chain " + std::to_string(c) + " is open, and encloses nothing");
}

Outline outline_of(const std::vector<MaterialRing>& rings) {
  if (rings.empty()) throw InvalidInput("sheet: the chains enclose nothing");
  std::vector<Chain> chains;
  chains.reserve(rings.size());
  for (const MaterialRing& ring : rings) chains.push_back({ring.points, true, {}});
  return Outline(chains);
}

class SheetBorders {
 public:
  explicit SheetBorders(const std::vector<MaterialRing>& rings)
      : object_(outline_of(rings)), outline_(object_.outline()), holes_(rings.size()) {
    for (Index c = 0; c < rings.size(); ++c) {
      is_hole_.push_back(rings[c].is_hole);
      if (rings[c].is_hole) holes_[rings[c].around].push_back(c);
    }
  }

  PolygonSoup between(double lower, double upper) const {
    const Index n = outline_.vertex_count();
    std::vector<double> coordinates;
    for (const double z : {lower, upper})
      for (const Vec2& p : outline_.vertices())
        coordinates.insert(coordinates.end(), {p.x(), p.y(), z});
    std::vector<Index> corners, sizes;
    for (Index c = 0; c < outline_.chain_count(); ++c) {
      const std::vector<Index> ring = ring_of(c);
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Index p = ring[i], q = ring[(i + 1) % ring.size()];
        corners.insert(corners.end(), {p, q, q + n, p + n});
        sizes.push_back(4);
      }
    }
    for (Index c = 0; c < outline_.chain_count(); ++c) {
      if (is_hole_[c]) continue;
      const std::vector<Index> face = with_holes(c);
      for (const Index v : face) corners.push_back(v + n);
      corners.insert(corners.end(), face.rbegin(), face.rend());
      sizes.insert(sizes.end(), 2, static_cast<Index>(face.size()));
    }
    return PolygonSoup(coordinates, corners, sizes);
  }

 private:
  const Vec2& at(Index v) const { return outline_.vertex(v); }
  /// The vertices of a ring, with the material to its left.
  std::vector<Index> ring_of(Index ring) const {
    std::vector<Index> vertices(outline_.first_vertex(ring + 1) - outline_.first_vertex(ring));
    std::iota(vertices.begin(), vertices.end(), outline_.first_vertex(ring));
    return vertices;
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
      for (std::size_t i = 1; i < hole.ring.size(); ++i) {
        const double x = at(hole.ring[i]).x(), most = at(hole.ring[hole.rightmost]).x();
        // A ring that touches itself there runs around the material on its right only once.
        if (x > most || (x == most && is_open_to_the_right(hole.ring, i))) hole.rightmost = i;
      }
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
      const std::size_t k = seen_from(hole.ring, face, cuts);
      cuts.push_back({face[k], from});
      // Along the cut to the hole, around it, and back.
      hole.ring.push_back(from);
      hole.ring.push_back(face[k]);
      face.insert(face.begin() + static_cast<std::ptrdiff_t>(k) + 1, hole.ring.begin(),
                  hole.ring.end());
    }
    return face;
  }

  bool is_open_to_the_right(const std::vector<Index>& ring, std::size_t k) const {
    return leads_inside(ring, k, at(ring[k]) + Vec2(outline_.diagonal(), 0));
  }

  /// The position in the face of the nearest vertex to which a cut may lead from the first one of a
  /// hole.
  std::size_t seen_from(const std::vector<Index>& hole, const std::vector<Index>& face,
                        const std::vector<Cut>& cuts) const {
    const Index from = hole.front();
    std::vector<std::pair<double, std::size_t>> by_distance;
    for (std::size_t k = 0; k < face.size(); ++k)
      by_distance.emplace_back((at(face[k]) - at(from)).squaredNorm(), k);
    const auto nearest_last = std::greater<std::pair<double, std::size_t>>();
    std::make_heap(by_distance.begin(), by_distance.end(), nearest_last);
    while (!by_distance.empty()) {
      const std::size_t k = by_distance.front().second;
      if (leads_inside(face, k, at(from)) && leads_inside(hole, 0, at(face[k])) &&
          is_clear({from, face[k]}, cuts))
        return k;
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

  /// Whether a cut touches only edges and cuts that begin where it ends, and overlaps none of them.
  bool is_clear(const Cut& cut, const std::vector<Cut>& cuts) const {
    const auto touches = [&](const Cut& other) {
      for (const auto& [v, far] : {std::pair(cut[0], cut[1]), std::pair(cut[1], cut[0])})
        if (at(v) == at(other[0]) || at(v) == at(other[1])) {
          const Vec2 &p = at(v), &q = at(at(v) == at(other[0]) ? other[1] : other[0]), &r = at(far);
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
  std::vector<bool> is_hole_;              // of rings
  std::vector<std::vector<Index>> holes_;  // in the material of a ring
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
  expect_closed(outline);
  return SheetBorders(even_odd_rings(outline)).between(0, thickness);
}

}  // namespace touche::plane
