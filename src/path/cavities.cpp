// SPDX-License-Identifier: Apache-2.0
// Finds, from the largest shell to the smallest, which shells lie in which others, and which are
// cavities.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "aabb_tree/aabb_tree.h"
#include "math/rounding.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "path/shells.h"
#include "path/solid_angle.h"
#include "query/relative.h"
#include "touche/query.h"

namespace touche::paths {
namespace {

// Up to this number of other shells are tested against a shell triangle by triangle, without
// building its hierarchy.
constexpr int kFewQuestions = 8;

enum class Relation { apart, holds, crosses };

bool holds(const Aabb& a, const Aabb& b) {
  return (a.lo.array() <= b.lo.array()).all() && (b.hi.array() <= a.hi.array()).all();
}

/// Whether two triangles cross each other along a segment longer than `error`, each reaching more
/// than `error` to both sides of the other's plane.
bool pass_through(const Triangle& a, const Triangle& b, double error) {
  const auto normal = [](const Triangle& t) {
    return math::unit_or_zero((t[1] - t[0]).cross(t[2] - t[0]));
  };
  const Vec3 of_a = normal(a), of_b = normal(b), along = math::unit_or_zero(of_a.cross(of_b));
  struct Span {
    double lo = kInfinity, hi = -kInfinity;
  };
  // The interval in which triangle `t` meets the plane of the other triangle, measured along the
  // line of both planes.
  const auto cut = [&](const Triangle& t, const Triangle& plane, const Vec3& n) {
    double off[3];
    for (int k = 0; k < 3; ++k) off[k] = n.dot(t[k] - plane[0]);
    Span span;
    if (std::min({off[0], off[1], off[2]}) > -error || std::max({off[0], off[1], off[2]}) < error)
      return span;
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3;
      if ((off[k] < 0) == (off[l] < 0)) continue;
      const double at = along.dot(t[k] - a[0] + off[k] / (off[k] - off[l]) * (t[l] - t[k]));
      span.lo = std::min(span.lo, at);
      span.hi = std::max(span.hi, at);
    }
    return span;
  };
  const Span in_a = cut(a, b, of_b), in_b = cut(b, a, of_a);
  return std::min(in_a.hi, in_b.hi) - std::max(in_a.lo, in_b.lo) > error;
}

class Cavities {
 public:
  Cavities(const PolygonSoup& soup, Triangles triangles, const std::vector<Shell>& shells)
      : soup_(soup),
        triangles_(triangles),
        shells_(shells),
        asked_(shells.size()),
        objects_(shells.size()),
        insides_(shells.size()),
        against_(shells.size()),
        joined_(shells.size()) {}

  ShellSides run() {
    ShellSides result{.turned = std::vector<bool>(shells_.size(), false)};
    if (!find_neighbours()) return result;
    find_places();
    const std::vector<double> volumes = outer_volumes();
    std::vector<std::vector<Index>> cavities(shells_.size());  // for each solid, the cavities in it
    for (const Index s : order_) {
      const bool inside_out = volumes[joined_.find(s)] < 0;
      if ((shells_[s].volume < 0) == inside_out) continue;
      result.turned[s] = !is_cavity(s, cavities);
      if (result.turned[s] && shells_[s].is_clear) in_doubt_ = true;
    }
    result.in_doubt = in_doubt_;
    return result;
  }

 private:
  bool run_alike(Index s, Index t) const {
    return shells_[s].is_clear && shells_[t].is_clear &&
           (shells_[s].volume < 0) == (shells_[t].volume < 0);
  }

  /// Returns false if no two shells that may have opposite orientation have overlapping boxes.
  bool find_neighbours() {
    std::vector<Index> order(shells_.size());
    for (Index s = 0; s < shells_.size(); ++s) order[s] = s;
    const auto key = [&](Index s) {
      return std::pair(shells_[s].box.diagonal(), std::abs(shells_[s].volume));
    };
    std::stable_sort(order.begin(), order.end(), [&](Index s, Index t) { return key(s) > key(t); });
    order_ = order;
    std::vector<Index> rank(shells_.size());
    for (Index i = 0; i < order.size(); ++i) rank[order[i]] = i;
    std::vector<Aabb> boxes;
    for (const Shell& shell : shells_) boxes.push_back(shell.box);
    bool any = false;
    aabb_tree::AabbTree(boxes).self_pairs([&](Index s, Index t) {
      if (!overlap(boxes[s], boxes[t])) return;
      if (run_alike(s, t)) return joined_.join(s, t);
      any = true;
      rank[s] < rank[t] ? against_[t].push_back(s) : against_[s].push_back(t);
    });
    // Sort the smallest first, so that the first one that contains a shell is the one directly
    // around it.
    for (std::vector<Index>& larger : against_)
      std::sort(larger.begin(), larger.end(), [&](Index s, Index t) { return rank[s] > rank[t]; });
    return any;
  }

  void find_places() {
    around_.assign(shells_.size(), kNone);
    for (const Index s : order_)
      for (const Index larger : against_[s]) {
        const Relation relation = relation_of(larger, s);
        if (relation == Relation::apart) continue;
        joined_.join(s, larger);
        if (relation == Relation::crosses) continue;
        around_[s] = larger;
        in_doubt_ = in_doubt_ || !shells_[s].is_clear || !shells_[larger].is_clear;
        break;
      }
  }

  /// For a shell whose orientation is opposite to that of the outermost shells. If it is a cavity,
  /// it is added to the list of the solid around it.
  bool is_cavity(Index s, std::vector<std::vector<Index>>& cavities) {
    const Index around = around_[s];
    if (around == kNone || !shells_[s].is_clear || !shells_[around].is_clear) return false;
    std::vector<Index>& others = cavities[around];
    if (std::any_of(others.begin(), others.end(), [&](Index other) {
          return overlap(shells_[other].box, shells_[s].box) &&
                 relation_of(other, s) != Relation::apart;
        }))
      return false;
    others.push_back(s);
    return true;
  }

  /// Returns, for each connected group of overlapping shells, the sum of the volumes of its clear
  /// shells that lie in no shell of opposite orientation.
  std::vector<double> outer_volumes() {
    std::vector<double> volumes(shells_.size(), 0.0);
    for (Index s = 0; s < shells_.size(); ++s)
      if (around_[s] == kNone && shells_[s].is_clear) volumes[joined_.find(s)] += shells_[s].volume;
    return volumes;
  }

  const Object& object_of(Index s) {
    if (!objects_[s]) {
      std::vector<double> coordinates;
      std::vector<Index> corners;
      if (number_of_.empty()) number_of_.assign(soup_.vertex_count(), kNone);
      for (const Index t : shells_[s].triangles)
        for (const Index v : triangles_[t]) {
          if (number_of_[v] == kNone) {
            number_of_[v] = static_cast<Index>(coordinates.size() / 3);
            const Vec3& x = soup_.vertex(v);
            coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
          }
          corners.push_back(number_of_[v]);
        }
      for (const Index t : shells_[s].triangles)
        for (const Index v : triangles_[t]) number_of_[v] = kNone;
      objects_[s].emplace(PolygonSoup(coordinates, corners));
    }
    return *objects_[s];
  }

  const Interior& inside_of(Index s) {
    if (!insides_[s]) insides_[s].emplace(object_of(s));
    return *insides_[s];
  }

  /// The relation of the smaller of two shells to the larger one.
  Relation relation_of(Index large, Index small) {
    const bool again = ++asked_[large] > kFewQuestions;
    if (again || meets_box(large, shells_[small].box))
      if (intersects(object_of(large), {}, object_of(small), {}))
        return relation_of_touching(inside_of(large), inside_of(small));
    if (!holds(shells_[large].box, shells_[small].box)) return Relation::apart;
    const Vec3& x = soup_.vertex(triangles_[shells_[small].triangles[0]][0]);
    const bool inside = again ? inside_of(large).contains(x) : winds_around(large, x);
    return inside ? Relation::holds : Relation::apart;
  }

  /// Whether the box of any triangle overlaps `box`. This is faster than building a hierarchy.
  bool meets_box(Index s, const Aabb& box) const {
    const std::vector<Index>& triangles = shells_[s].triangles;
    return std::any_of(triangles.begin(), triangles.end(), [&](Index t) {
      Aabb around;
      for (const Vec3& x : triangle_at(soup_, triangles_[t])) around.include(x);
      return overlap(around, box);
    });
  }

  bool winds_around(Index s, const Vec3& x) const {
    double angle = 0;
    for (const Index t : shells_[s].triangles)
      angle += solid_angle(triangle_at(soup_, triangles_[t]), x).angle;
    return std::abs(angle) >= 0.5 * kFourPi;
  }

  /// Surfaces that meet may only touch. If no two faces cross, the relation follows from the faces
  /// that meet: their vertices, edge midpoints and centres all lie on one side of the other
  /// surface, or on it. All other faces are connected with these.
  static Relation relation_of_touching(const Interior& outer, const Interior& inner) {
    const Object &a = outer.object(), &b = inner.object();
    const double error = placing_error(a, b, Vec3::Zero());
    std::vector<Index> of_a, of_b;
    for (const FacePair& pair : intersecting_faces(a, {}, b, {}).pairs) {
      if (pass_through(query::triangle_of(a.soup(), pair.a), query::triangle_of(b.soup(), pair.b),
                       error))
        return Relation::crosses;
      of_a.push_back(pair.a);
      of_b.push_back(pair.b);
    }
    const Sides b_in_a = sides(outer, inner, of_b, error),
                a_in_b = sides(inner, outer, of_a, error);
    if (a_in_b.inside || b_in_a.inside == b_in_a.outside) return Relation::crosses;
    return b_in_a.inside ? Relation::holds : Relation::apart;
  }

  struct Sides {
    bool inside = false, outside = false;
  };
  static Sides sides(const Interior& outer, const Interior& inner, std::vector<Index>& faces,
                     double error) {
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    const Interior::Data& data = base::data_of(outer);
    Sides result;
    for (const Index face : faces) {
      const Triangle t = query::triangle_of(inner.object().soup(), face);
      for (const Vec3& x : {t[0], t[1], t[2], Vec3(0.5 * (t[0] + t[1])), Vec3(0.5 * (t[1] + t[2])),
                            Vec3(0.5 * (t[2] + t[0])), Vec3(t[0] / 3 + t[1] / 3 + t[2] / 3)}) {
        if (result.inside && result.outside) return result;
        if (!(data.faces.nearest(x, 0).distance > error)) continue;
        (data.contains(x) ? result.inside : result.outside) = true;
      }
    }
    return result;
  }

  const PolygonSoup& soup_;
  const Triangles triangles_;
  const std::vector<Shell>& shells_;
  std::vector<int> asked_;
  std::vector<std::optional<Object>> objects_;  // made only where needed
  std::vector<std::optional<Interior>> insides_;
  // for each shell, the larger ones that may have opposite orientation
  std::vector<std::vector<Index>> against_;
  base::DisjointSets joined_;  // shells that overlap
  std::vector<Index> order_;   // largest first
  // for each shell, the smallest one of opposite orientation that contains it
  std::vector<Index> around_;
  std::vector<Index> number_of_;  // temporary vertex numbers
  bool in_doubt_ = false;
};

}  // namespace

ShellSides sides_of(const PolygonSoup& soup, Triangles triangles,
                    const std::vector<Shell>& shells) {
  return Cavities(soup, triangles, shells).run();
}

}  // namespace touche::paths
