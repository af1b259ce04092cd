// SPDX-License-Identifier: Apache-2.0
// Detects meshes that contain faces twice with opposite orientation, as exports for rendering do,
// and meshes that cannot be oriented.
#include "path/inside_fault.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"
#include "geometry/equal_positions.h"
#include "geometry/half_edges.h"
#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "path/solid_angle.h"
#include "query/relative.h"
#include "touche/object.h"
#include "touche/path.h"
#include "touche/query.h"

namespace touche {
namespace {

// number of triangles tested; each test sums over all triangles four times
constexpr std::size_t kMostAsked = 64;

// Separates faces that contribute to winding numbers from faces whose two copies cancel. Faces are
// compared by their corners, because two equal faces may be triangulated differently.
class Sides {
 public:
  Sides(const PolygonSoup& soup, paths::Triangles triangles)
      : soup_(soup), triangles_(triangles), cancelled_(soup.face_count(), false) {
    const std::vector<Index> merged = geometry::merge_equal_positions(soup.vertices());
    for (Index c = 0; c < soup.corner_count(); ++c)
      corners_.push_back(merged[soup.corner_vertex(c)]);
    std::vector<OrientedFace> faces;
    for (Index f = 0; f < soup.face_count(); ++f) faces.push_back(oriented(f));
    const auto corners = [&](const OrientedFace& face) { return corners_of(face.face); };
    const auto less = [&](const OrientedFace& s, const OrientedFace& t) {
      return std::ranges::lexicographical_compare(corners(s), corners(t));
    };
    std::sort(faces.begin(), faces.end(), less);
    for (std::size_t i = 0; i < faces.size();) {
      const std::size_t first = i;
      int turned = 0;
      for (; i < faces.size() && !less(faces[first], faces[i]); ++i)
        turned += faces[i].turned ? 1 : -1;
      once_.push_back(faces[first].face);
      if (turned != 0) continue;
      two_sided_.push_back(faces[first].face);
      for (const OrientedFace& face : std::span(faces).subspan(first, i - first))
        cancelled_[face.face] = true;
    }
    all_cancelled_ = !cancelled_.empty() &&
                     std::all_of(cancelled_.begin(), cancelled_.end(), [](bool c) { return c; });
  }

  bool are_all_cancelled() const { return all_cancelled_; }

  // Whether cancelled faces, with or without others, enclose a region in which the winding number
  // is too small.
  bool hide_a_volume() const { return hide_a_volume(two_sided_) || hide_a_volume(once_); }

 private:
  // A face, and whether sorting its corners reversed their direction.
  struct OrientedFace {
    Index face;
    bool turned;
  };

  bool hide_a_volume(const std::vector<Index>& faces) const {
    base::DisjointSets pieces(soup_.vertex_count());
    std::vector<Index> from, next;
    for (const Index face : faces) {
      const std::span<const Index> corners = corners_of(face);
      const auto first = static_cast<Index>(from.size());
      for (const Index v : corners) {
        pieces.join(v, corners[0]);
        from.push_back(v);
        next.push_back(static_cast<Index>(from.size()));
      }
      next.back() = first;
    }
    // For each connected piece: whether it is open, whether some of its faces are not cancelled,
    // and whether one of its points is known to be inside.
    std::vector<bool> open(soup_.vertex_count(), false), mixed = open, asked = open;
    for (const Index face : faces)
      if (!cancelled_[face]) mixed[pieces.find(corners_of(face)[0])] = true;
    geometry::for_each_edge(
        soup_.vertex_count(), static_cast<Index>(from.size()), [&](Index c) { return from[c]; },
        [&](Index c) { return next[c]; },
        [&](std::span<const geometry::EdgeUse> uses) {
          if (uses.size() % 2 != 0) open[pieces.find(uses[0].far)] = true;
        });
    std::vector<Index> in_mixed, in_others;
    for (Index t = 0; t < soup_.triangle_count(); ++t) {
      const Index face = soup_.face_of_triangle(t), piece = pieces.find(corners_of(face)[0]);
      if (!cancelled_[face] || open[piece]) continue;
      if (mixed[piece]) {
        in_mixed.push_back(t);
        continue;
      }
      in_others.push_back(t);
      if (asked[piece]) continue;
      if (!is_middle_inside(t)) return true;
      asked[piece] = true;
    }
    // A piece may lie inside in part only. One point decides for a whole piece unless the piece
    // meets faces that contribute to the winding number.
    for (const Index t : some_of(in_mixed))
      if (!is_middle_inside(t)) return true;
    if (!meet_what_winds(in_others)) return false;
    for (const Index t : some_of(in_others))
      if (!are_points_inside(t)) return true;
    return false;
  }

  // Returns about `kMostAsked` of the triangles, evenly spread.
  static std::vector<Index> some_of(const std::vector<Index>& triangles) {
    std::vector<Index> some;
    for (std::size_t i = 0; i < triangles.size(); i += 1 + triangles.size() / kMostAsked)
      some.push_back(triangles[i]);
    return some;
  }

  bool is_middle_inside(Index t) const {
    const Triangle at = paths::triangle_at(soup_, triangles_[t]);
    return is_inside((at[0] + at[1] + at[2]) / 3);
  }

  // Tests the centre and points near the corners; the corners themselves often lie on other faces.
  bool are_points_inside(Index t) const {
    const Triangle at = paths::triangle_at(soup_, triangles_[t]);
    const Vec3 middle = (at[0] + at[1] + at[2]) / 3;
    return is_inside(middle) && std::all_of(at.begin(), at.end(), [&](const Vec3& corner) {
             return is_inside(corner + (middle - corner) / 64);
           });
  }

  bool meet_what_winds(const std::vector<Index>& triangles) const {
    std::vector<Index> winding;
    for (Index t = 0; t < soup_.triangle_count(); ++t)
      if (!cancelled_[soup_.face_of_triangle(t)]) winding.push_back(t);
    return !triangles.empty() && !winding.empty() &&
           static_cast<bool>(intersects(object_of(triangles), {}, object_of(winding), {}));
  }

  Object object_of(const std::vector<Index>& triangles) const {
    std::vector<double> coordinates;
    std::vector<Index> corners;
    for (const Index t : triangles)
      for (const Vec3& corner : query::triangle_of(soup_, t)) {
        coordinates.insert(coordinates.end(), corner.data(), corner.data() + 3);
        corners.push_back(static_cast<Index>(corners.size()));
      }
    return Object(PolygonSoup(std::move(coordinates), std::move(corners)));
  }

  // Sorts the corners: starting at the smallest, in the direction of its smaller neighbour.
  OrientedFace oriented(Index face) {
    const auto first = corners_.begin() + soup_.face_begin(face),
               last = corners_.begin() + soup_.face_begin(face + 1);
    std::rotate(first, std::min_element(first, last), last);
    const bool turned = *(last - 1) < *(first + 1);
    if (turned) std::reverse(first + 1, last);
    return {face, turned};
  }

  std::span<const Index> corners_of(Index face) const {
    return {corners_.begin() + soup_.face_begin(face),
            corners_.begin() + soup_.face_begin(face + 1)};
  }

  // Gives the same answer as Interior, by the winding number.
  bool is_inside(const Vec3& x) const {
    double angle = 0;
    for (Index t = 0; t < soup_.triangle_count(); ++t)
      if (!cancelled_[soup_.face_of_triangle(t)])
        angle += paths::solid_angle(paths::triangle_at(soup_, triangles_[t]), x).angle;
    // At the middle of a face that is missing in a convex surface the winding number is 1/2; at
    // points inside that surface it is at least that.
    return std::abs(angle) >= (0.5 - math::kFormulaError) * paths::kFourPi;
  }

  const PolygonSoup& soup_;
  const paths::Triangles triangles_;  // oriented
  std::vector<Index> corners_;        // of all faces, sorted; as numbers of positions
  std::vector<bool> cancelled_;
  std::vector<Index> once_;       // one face of each group with equal corners
  std::vector<Index> two_sided_;  // the cancelled faces of `once_`
  bool all_cancelled_ = false;
};

}  // namespace

InsideFault inside_fault(const PolygonSoup& soup, const paths::Oriented& surface) {
  if (surface.boundary.may_be_two_sided) {
    const Sides sides(soup, surface.triangles(soup));
    if (sides.are_all_cancelled() || sides.hide_a_volume()) return InsideFault::two_sided;
  }
  if (!surface.boundary.consistent) return InsideFault::unoriented;
  return surface.in_doubt ? InsideFault::ambiguous : InsideFault::none;
}

InsideFault inside_fault(const PolygonSoup& soup) {
  return inside_fault(soup, paths::oriented(soup));
}

std::string_view remark_of(InsideFault fault) {
  switch (fault) {
    case InsideFault::none:
      return {};
    case InsideFault::two_sided:
      return "it has faces in both orientations: what lies in it is unknown";
    case InsideFault::unoriented:
      return "it has neighbouring faces that are oriented differently and cannot be reversed to "
             "agree: what lies in it is unknown";
    case InsideFault::ambiguous:
      return "its closed surfaces are not oriented as nested solids and cavities are: surfaces in "
             "doubt count as solid, and what lies in a cavity may count as inside";
  }
  return {};
}

}  // namespace touche
