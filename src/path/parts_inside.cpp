// SPDX-License-Identifier: Apache-2.0
#include "path/parts_inside.h"

#include <algorithm>
#include <cmath>

#include "aabb_tree/aabb_tree.h"
#include "base/disjoint_sets.h"
#include "geometry/equal_positions.h"
#include "math/moved_box.h"
#include "math/rounding.h"
#include "path/interior.h"
#include "path/solid.h"
#include "query/flat_pair.h"
#include "query/relative.h"
#include "touche/query.h"

namespace touche::paths {

std::vector<std::vector<Index>> parts_of(const PolygonSoup& soup,
                                         const std::vector<Index>& merged) {
  base::DisjointSets sets(soup.vertex_count());
  for (const auto& t : soup.triangles())
    for (const Index v : t) sets.join(merged[v], merged[t[0]]);

  // List the parts in the order of their first triangles.
  std::vector<std::vector<Index>> parts;
  std::vector<Index> part_of(soup.vertex_count(), kNone);
  std::vector<bool> used(soup.vertex_count());
  for (const auto& t : soup.triangles())
    for (const Index v : t) {
      if (used[v]) continue;
      used[v] = true;
      Index& part = part_of[sets.find(merged[v])];
      if (part == kNone) {
        part = static_cast<Index>(parts.size());
        parts.emplace_back();
      }
      parts[part].push_back(v);
    }
  return parts;
}

double placing_error(const Object& outer, const Object& inner, const Vec3& translation) {
  const auto size = [](const Aabb& box) { return box.lo.norm() + box.hi.norm(); };
  return math::kFormulaError * (size(outer.bounds()) + size(inner.bounds()) + translation.norm());
}

namespace {

// The bounds of `outer`, larger by the rounding errors of placing `inner`.
Aabb bounds_for(const Object& outer, const Object& inner, const Pose& to_outer) {
  const double error = placing_error(outer, inner, to_outer.translation());
  return {outer.bounds().lo.array() - error, outer.bounds().hi.array() + error};
}

}  // namespace

bool bounds_may_meet(const Object& outer, const Pose& pose_outer, const Object& inner,
                     const Pose& pose_inner) {
  const Pose to_outer = relative(pose_outer, pose_inner);
  return overlap(math::moved_box(inner.bounds(), to_outer, 0), bounds_for(outer, inner, to_outer));
}

bool may_hold(const Object& outer, const Pose& pose_outer, const Object& inner,
              const Pose& pose_inner) {
  if (!bounds_may_meet(outer, pose_outer, inner, pose_inner)) return false;
  const Pose to_outer = relative(pose_outer, pose_inner);
  const Aabb box = bounds_for(outer, inner, to_outer);
  const auto vertices = inner.soup().vertices();
  return std::any_of(vertices.begin(), vertices.end(), [&](const Vec3& vertex) {
    const Vec3 x = to_outer * vertex;
    return (x.array() >= box.lo.array()).all() && (x.array() <= box.hi.array()).all();
  });
}

namespace {

// Number of faces below which a point inside a part is searched for when the part lies on a
// surface.
constexpr std::size_t kMostFaces = 64;

enum class Share { any, all };

/// Finds out whether any part, or all parts, of one object lie inside another object that it does
/// not intersect.
class PartsInside {
 public:
  /// What reaches beyond the hull of an open body by no more than `slack` may be inside of it.
  explicit PartsInside(const Budget& budget, double slack = 0) : budget_(budget), slack_(slack) {}

  Holds operator()(Share share, const Interior& inner, const Interior& outer,
                   const query::RelativePose& to_outer) {
    error_ = placing_error(outer.object(), inner.object(), to_outer.translation);
    // The first part that is not inside (for `all`) or is inside (for `any`) decides.
    const Holds decides = share == Share::all ? Holds::no : Holds::yes;
    Holds result = share == Share::all ? Holds::yes : Holds::no;
    for (const auto& part : base::data_of(inner).parts) {
      const Holds of_part = holds_one(base::data_of(outer), inner, part, to_outer);
      if (of_part == decides || of_part == Holds::undecided) return of_part;
      if (of_part == Holds::open) result = Holds::open;
    }
    return result;
  }

 private:
  enum class Place { inside, outside, at_the_surface, unknown };

  bool is_spent() { return points_++ >= budget_.max_work || budget_.expired(); }

  /// Poses are rounded, so a point at the surface may be on either side of it and decides nothing.
  Place place_of(const Interior::Data& outer, const Vec3& x) {
    if (is_spent()) return Place::unknown;
    const Vec3 at = outer.flat != nullptr ? Vec3(x.x(), x.y(), 0) : x;
    if (aabb_tree::squared_distance(at, outer.object.bounds()) > error_ * error_ &&
        !outer.in_bounds(at))
      return Place::outside;
    if (!(outer.faces.nearest(at, 0).distance > error_ + outer.open_width()))
      return Place::at_the_surface;
    return outer.holds(at) ? Place::inside : Place::outside;
  }

  static Holds holds_at(Place place) {
    return place == Place::unknown  ? Holds::undecided
           : place == Place::inside ? Holds::yes
                                    : Holds::no;
  }

  /// In the hull of an outline's open chains they may change what its closed chains enclose.
  Holds holds_one(const Interior::Data& outer, const Interior& inner,
                  const std::vector<Index>& part, const query::RelativePose& to_outer) {
    const Holds in_hull = outer.is_open() ? may_hold(outer, inner, part, to_outer) : Holds::no;
    return in_hull == Holds::no && outer.tells_inside() ? holds(outer, inner, part, to_outer)
                                                        : in_hull;
  }

  /// Whether a part of which no point is known to lie beyond the hull of an open object.
  Holds may_hold(const Interior::Data& outer, const Interior& inner, const std::vector<Index>& part,
                 const query::RelativePose& to_outer) {
    const paths::HullBounds& hull = outer.hull();
    for (const Index v : part) {
      if (is_spent()) return Holds::undecided;
      if (hull.distance(to_outer * inner.object().soup().vertex(v)) > error_ + slack_)
        return Holds::no;
    }
    return Holds::open;
  }

  /// Whether a part lies inside. If the inside of the outer object ends only at its faces, one
  /// vertex decides; otherwise all vertices must be inside: a part on both sides of gaps that count
  /// as closed reaches in, but does not lie inside.
  Holds holds(const Interior::Data& outer, const Interior& inner, const std::vector<Index>& part,
              const query::RelativePose& to_outer) {
    bool inside = false;
    for (const Index v : part) {
      const Place place = place_of(outer, to_outer * inner.object().soup().vertex(v));
      if (place == Place::at_the_surface) continue;
      if (place != Place::inside || outer.ends_at_faces()) return holds_at(place);
      inside = true;
    }
    return inside ? Holds::yes : holds_between(outer, inner, part, to_outer);
  }

  /// The same for a part whose vertices all lie at the surface of the outer object: the centre of a
  /// face decides, or, if all faces lie on the surface, a point inside the part. A sheet on the
  /// surface is not inside.
  Holds holds_between(const Interior::Data& outer, const Interior& inner,
                      const std::vector<Index>& part, const query::RelativePose& to_outer) {
    const PolygonSoup& soup = inner.object().soup();
    const std::vector<Index> vertices = sorted(part);
    std::vector<Triangle> faces;
    for (Index t = 0; t < soup.triangle_count(); ++t)
      if (std::binary_search(vertices.begin(), vertices.end(), soup.triangle(t)[0]))
        faces.push_back(query::triangle_of(soup, t));
    const auto middle = [](const Triangle& t) { return Vec3(t[0] / 3 + t[1] / 3 + t[2] / 3); };
    for (const Triangle& face : faces)
      if (const Place place = place_of(outer, to_outer * middle(face));
          place != Place::at_the_surface)
        return holds_at(place);
    const double size = inner.object().bounds().diagonal();
    for (std::size_t i = 0; i < std::min(faces.size(), kMostFaces); ++i)
      for (const double depth : {0.1, 1e-2, 1e-4, 1e-6, -1e-6, -1e-4, -1e-2, -0.1}) {
        const Triangle& face = faces[i];
        const Vec3 normal = math::unit_or_zero((face[1] - face[0]).cross(face[2] - face[0]));
        const Vec3 x = middle(face) - depth * size * normal;
        if (!base::data_of(inner).holds(x)) continue;
        if (const Place place = place_of(outer, to_outer * x); place != Place::at_the_surface)
          return holds_at(place);
      }
    return outer.is_capped() ? Holds::open : Holds::no;
  }

  static std::vector<Index> sorted(std::vector<Index> part) {
    std::sort(part.begin(), part.end());
    return part;
  }

  const Budget& budget_;
  const double slack_;
  double error_ = 0;
  std::uint64_t points_ = 0;
};

/// Which of two objects lies inside the other, with any part or with all parts.
Containment containment_with(Share share, const Interior& a, const Pose& pose_a, const Interior& b,
                             const Pose& pose_b, const Budget& budget) {
  PartsInside parts_inside(budget);
  const Holds a_in_b = parts_inside(share, a, b, query::RelativePose(pose_b, pose_a));
  if (a_in_b == Holds::yes || a_in_b == Holds::undecided)
    return paths::containment_of(a_in_b, Holds::no);
  return paths::containment_of(a_in_b,
                               parts_inside(share, b, a, query::RelativePose(pose_a, pose_b)));
}

}  // namespace

Containment containment_of(Holds a_in_b, Holds b_in_a) {
  if (a_in_b == Holds::yes) return Containment::a_in_b;
  if (b_in_a == Holds::yes) return Containment::b_in_a;
  const auto either = [&](Holds holds) { return a_in_b == holds || b_in_a == holds; };
  return either(Holds::undecided) ? Containment::undecided
         : either(Holds::open)    ? Containment::open
                                  : Containment::none;
}

Holds holds_part(const Interior& outer, const Pose& pose_outer, const Interior& inner,
                 const Pose& pose_inner, const Budget& budget) {
  return PartsInside(budget)(Share::any, inner, outer, query::RelativePose(pose_outer, pose_inner));
}

Containment may_hold_if_open(const Interior& a, const Pose& pose_a, const Interior& b,
                             const Pose& pose_b, double slack, const Budget& budget) {
  PartsInside parts_inside(budget, slack);
  const auto held = [&](const Interior& inner, const Pose& pose_inner, const Interior& outer,
                        const Pose& pose_outer) {
    if (base::data_of(outer).bounds_inside()) return Holds::no;
    return parts_inside(Share::any, inner, outer, query::RelativePose(pose_outer, pose_inner));
  };
  return containment_of(held(a, pose_a, b, pose_b), held(b, pose_b, a, pose_a));
}

bool may_reach_in(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                  double apart) {
  const auto reaches_into = [&](const Interior& outer, const Pose& pose_outer,
                                const Interior& inner, const Pose& pose_inner) {
    const Object &out = outer.object(), &in = inner.object();
    const Interior::Data& data = base::data_of(outer);
    if (!data.may_be_entered(apart) || !bounds_may_meet(out, pose_outer, in, pose_inner))
      return false;
    const Pose to_outer = relative(pose_outer, pose_inner);
    return !data.is_open() ||
           !data.hull().is_separate(in.soup().vertices(), to_outer,
                                    placing_error(out, in, to_outer.translation()));
  };
  return reaches_into(a, pose_a, b, pose_b) || reaches_into(b, pose_b, a, pose_a);
}

Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const Budget& budget) {
  return containment_with(Share::any, a, pose_a, b, pose_b, budget);
}

}  // namespace touche::paths

namespace touche {

Containment containment(const Interior& a, const Pose& pose_a, const Interior& b,
                        const Pose& pose_b, const Budget& budget) {
  if (paths::solid_of(a) != nullptr || paths::solid_of(b) != nullptr)
    return paths::containment_of_solids(a, pose_a, b, pose_b, budget);
  query::check_flat_pair("containment", a.object(), pose_a, b.object(), pose_b);
  const IntersectsResult crossing = intersects(a.object(), pose_a, b.object(), pose_b, budget);
  if (crossing.intersects) return Containment::none;
  if (!crossing.complete) return Containment::undecided;
  return paths::containment_with(paths::Share::all, a, pose_a, b, pose_b, budget);
}

}  // namespace touche
