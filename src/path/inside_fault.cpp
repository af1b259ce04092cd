// SPDX-License-Identifier: Apache-2.0
// Meshes that have faces a second time, the other way round, as exports for rendering do, and those
// whose faces cannot be oriented.
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

constexpr std::size_t kMostAsked = 64;  // for each all triangles are looked at four times

// Tells faces that wind around points from those whose two sides cancel each other. Faces are
// compared by their corners: the triangles of two that are the same may be others.
class Sides {
 public:
  Sides(const PolygonSoup& soup, Triangles triangles)
      : soup_(soup), triangles_(triangles), cancelled_(soup.face_count(), false) {
    const std::vector<Index> merged = merge_equal_positions(soup.vertices());
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

  // Whether cancelled faces, with others or without, enclose something around which too little
  // winds.
  bool hide_a_volume() const { return hide_a_volume(two_sided_) || hide_a_volume(once_); }

 private:
  // A face, and whether its corners in order run the other way round.
  struct OrientedFace {
    Index face;
    bool turned;
  };

  bool hide_a_volume(const std::vector<Index>& faces) const {
    DisjointSets pieces(soup_.vertex_count());
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
    // By piece: whether it is open, whether not all of its faces are cancelled, and whether one of
    // its points is known to be inside.
    std::vector<bool> open(soup_.vertex_count(), false), mixed = open, asked = open;
    for (const Index face : faces)
      if (!cancelled_[face]) mixed[pieces.find(corners_of(face)[0])] = true;
    for_each_edge(
        soup_.vertex_count(), static_cast<Index>(from.size()), [&](Index c) { return from[c]; },
        [&](Index c) { return next[c]; },
        [&](std::span<const EdgeUse> uses) {
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
    // Pieces of both kinds may lie elsewhere in part. One point tells of a whole piece unless it
    // meets the faces that wind.
    for (const Index t : some_of(in_mixed))
      if (!is_middle_inside(t)) return true;
    if (!meet_what_winds(in_others)) return false;
    for (const Index t : some_of(in_others))
      if (!are_points_inside(t)) return true;
    return false;
  }

  // Returns not many more than kMostAsked, all over.
  static std::vector<Index> some_of(const std::vector<Index>& triangles) {
    std::vector<Index> some;
    for (std::size_t i = 0; i < triangles.size(); i += 1 + triangles.size() / kMostAsked)
      some.push_back(triangles[i]);
    return some;
  }

  bool is_middle_inside(Index t) const {
    const Triangle at = triangle_at(soup_, triangles_[t]);
    return is_inside((at[0] + at[1] + at[2]) / 3);
  }

  // Also near its corners; those themselves often lie on other faces.
  bool are_points_inside(Index t) const {
    const Triangle at = triangle_at(soup_, triangles_[t]);
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
      for (const Vec3& corner : triangle_of(soup_, t)) {
        coordinates.insert(coordinates.end(), corner.data(), corner.data() + 3);
        corners.push_back(static_cast<Index>(corners.size()));
      }
    return Object(PolygonSoup(std::move(coordinates), std::move(corners)));
  }

  // Puts the corners in order: from the least one on, towards its smaller neighbour.
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

  // Answers as Interior does, by the winding number.
  bool is_inside(const Vec3& x) const {
    double angle = 0;
    for (Index t = 0; t < soup_.triangle_count(); ++t)
      if (!cancelled_[soup_.face_of_triangle(t)])
        angle += solid_angle(triangle_at(soup_, triangles_[t]), x).angle;
    // Around the middle of a face that is missing in a convex surface a half winds, and around what
    // lies in that surface no less.
    return std::abs(angle) >= (0.5 - kFormulaError) * kFourPi;
  }

  const PolygonSoup& soup_;
  const Triangles triangles_;   // oriented
  std::vector<Index> corners_;  // of all faces, in order; positions by their numbers
  std::vector<bool> cancelled_;
  std::vector<Index> once_;       // one of all that have the same corners
  std::vector<Index> two_sided_;  // of these, those that are cancelled
  bool all_cancelled_ = false;
};

}  // namespace

InsideFault inside_fault(const PolygonSoup& soup, const Oriented& surface) {
  if (surface.boundary.may_be_two_sided) {
    const Sides sides(soup, surface.triangles(soup));
    if (sides.are_all_cancelled() || sides.hide_a_volume()) return InsideFault::two_sided;
  }
  if (!surface.boundary.consistent) return InsideFault::unoriented;
  return surface.in_doubt ? InsideFault::ambiguous : InsideFault::none;
}

InsideFault inside_fault(const PolygonSoup& soup) { return inside_fault(soup, oriented(soup)); }

std::string_view remark_of(InsideFault fault) {
  switch (fault) {
    case InsideFault::none:
      return {};
    case InsideFault::two_sided:
      return "faces of it are there from both sides: it may have no inside there, and what lies in "
             "it may not be noticed";
    case InsideFault::unoriented:
      return "neighbouring faces of it are oriented differently, and cannot be turned alike: what "
             "lies in it may not be noticed";
    case InsideFault::ambiguous:
      return "closed surfaces of it are not oriented as solids and cavities in each other are: "
             "those in "
             "doubt count as solid, and what lies in a cavity may count as inside";
  }
  return {};
}

}  // namespace touche
