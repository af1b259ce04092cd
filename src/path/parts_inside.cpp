// SPDX-License-Identifier: Apache-2.0
#include "path/parts_inside.h"

#include <algorithm>

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

bool may_hold(const Object& outer, const Pose& pose_outer, const Object& inner,
              const Pose& pose_inner) {
  const Pose to_outer = relative(pose_outer, pose_inner);
  const double error = placing_error(outer, inner, to_outer.translation());
  const Aabb box = {outer.bounds().lo.array() - error, outer.bounds().hi.array() + error};
  if (!overlap(math::moved_box(inner.bounds(), to_outer, 0), box)) return false;
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
/// not intersect. Returns no answer if the budget ends first.
class PartsInside {
 public:
  explicit PartsInside(const Budget& budget) : budget_(budget) {}

  std::optional<bool> operator()(Share share, const Interior& inner, const Interior& outer,
                                 const query::RelativePose& to_outer) {
    error_ = placing_error(outer.object(), inner.object(), to_outer.translation);
    // The first part that is not inside (for `all`) or is inside (for `any`) decides.
    const bool undecided_while = share == Share::all;
    for (const auto& part : base::data_of(inner).parts)
      if (const auto inside = holds(base::data_of(outer), inner, part, to_outer);
          inside != undecided_while)
        return inside;
    return undecided_while;
  }

 private:
  enum class Place { inside, outside, at_the_surface, unknown };

  /// Poses are rounded, so a point at the surface may be on either side of it and decides nothing.
  Place place_of(const Interior::Data& outer, const Vec3& x) {
    if (points_++ >= budget_.max_work || budget_.expired()) return Place::unknown;
    const Vec3 at = outer.flat != nullptr ? Vec3(x.x(), x.y(), 0) : x;
    if (aabb_tree::squared_distance(at, outer.object.bounds()) > error_ * error_ &&
        !outer.in_bounds(at))
      return Place::outside;
    if (!(outer.faces.nearest(at, 0).distance > error_)) return Place::at_the_surface;
    return outer.contains(at) ? Place::inside : Place::outside;
  }

  /// Whether a part lies inside. If the inside of the outer object ends only at its faces, one
  /// vertex decides; otherwise all vertices must be inside.
  std::optional<bool> holds(const Interior::Data& outer, const Interior& inner,
                            const std::vector<Index>& part, const query::RelativePose& to_outer) {
    bool inside = false;
    for (const Index v : part) {
      switch (place_of(outer, to_outer * inner.object().soup().vertex(v))) {
        case Place::unknown:
          return std::nullopt;
        case Place::outside:
          return false;
        case Place::inside:
          if (outer.ends_at_faces()) return true;
          inside = true;
          break;
        case Place::at_the_surface:
          break;
      }
    }
    return inside ? std::optional(true) : holds_between(outer, inner, part, to_outer);
  }

  /// The same for a part whose vertices all lie at the surface of the outer object: the centre of a
  /// face decides, or, if all faces lie on the surface, a point inside the part. A sheet on the
  /// surface is not inside.
  std::optional<bool> holds_between(const Interior::Data& outer, const Interior& inner,
                                    const std::vector<Index>& part,
                                    const query::RelativePose& to_outer) {
    const PolygonSoup& soup = inner.object().soup();
    const std::vector<Index> vertices = sorted(part);
    std::vector<Triangle> faces;
    for (Index t = 0; t < soup.triangle_count(); ++t)
      if (std::binary_search(vertices.begin(), vertices.end(), soup.triangle(t)[0]))
        faces.push_back(query::triangle_of(soup, t));
    const auto middle = [](const Triangle& t) { return Vec3(t[0] / 3 + t[1] / 3 + t[2] / 3); };
    for (const Triangle& face : faces) {
      const Place place = place_of(outer, to_outer * middle(face));
      if (place == Place::unknown) return std::nullopt;
      if (place != Place::at_the_surface) return place == Place::inside;
    }
    const double size = inner.object().bounds().diagonal();
    for (std::size_t i = 0; i < std::min(faces.size(), kMostFaces); ++i)
      for (const double depth : {0.1, 1e-2, 1e-4, 1e-6, -1e-6, -1e-4, -1e-2, -0.1}) {
        const Triangle& face = faces[i];
        const Vec3 normal = math::unit_or_zero((face[1] - face[0]).cross(face[2] - face[0]));
        const Vec3 x = middle(face) - depth * size * normal;
        if (!base::data_of(inner).contains(x)) continue;
        const Place place = place_of(outer, to_outer * x);
        if (place == Place::unknown) return std::nullopt;
        if (place != Place::at_the_surface) return place == Place::inside;
      }
    return false;
  }

  static std::vector<Index> sorted(std::vector<Index> part) {
    std::sort(part.begin(), part.end());
    return part;
  }

  const Budget& budget_;
  double error_ = 0;
  std::uint64_t points_ = 0;
};

Containment containment_of(std::optional<bool> inside, Containment which) {
  return !inside ? Containment::undecided : *inside ? which : Containment::none;
}

/// Which of two objects lies inside the other, with any part or with all parts.
Containment containment_of(Share share, const Interior& a, const Pose& pose_a, const Interior& b,
                           const Pose& pose_b, const Budget& budget) {
  PartsInside parts_inside(budget);
  const Containment first = containment_of(
      parts_inside(share, a, b, query::RelativePose(pose_b, pose_a)), Containment::a_in_b);
  if (first != Containment::none) return first;
  return containment_of(parts_inside(share, b, a, query::RelativePose(pose_a, pose_b)),
                        Containment::b_in_a);
}

}  // namespace

std::optional<bool> reaches_inside(const Interior& inner, const Pose& pose_inner,
                                   const Interior& outer, const Pose& pose_outer,
                                   const Budget& budget) {
  return PartsInside(budget)(Share::any, inner, outer, query::RelativePose(pose_outer, pose_inner));
}

Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const Budget& budget) {
  return containment_of(Share::any, a, pose_a, b, pose_b, budget);
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
  return paths::containment_of(paths::Share::all, a, pose_a, b, pose_b, budget);
}

}  // namespace touche
