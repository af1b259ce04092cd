// SPDX-License-Identifier: Apache-2.0
// Why shrinking is a proof: if the vertices of a closed surface move by up to m each, no point of
// the surface moves farther. So the surface never passes a point that is deeper than m, and its
// winding number around that point is unchanged. A point deeper than m in both bodies would
// therefore lie inside both after shrinking. If the two surfaces do not meet, that requires a piece
// of one body to lie inside the other. If that is excluded as well, no ball inside both bodies has
// a diameter above 2 m.
#include "path/shift_apart.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/budget_part.h"
#include "geometry/equal_positions.h"
#include "math/rounding.h"
#include "path/face_normal.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "touche/query.h"

namespace touche::paths {
namespace {

double reach_of(const Pose& pose_a, const Pose& pose_b) {
  return std::max(pose_a.translation().norm(), pose_b.translation().norm());
}

/// A body after each vertex was moved by `length` against the mean of the normals around it.
/// Vertices at the same position stay together.
Object shrunk(const Interior& body, double length) {
  const Object& object = body.object();
  // An object that stands on an outline must keep its walls vertical.
  if (const bvh::Flat* flat = bvh::flat_of(object)) return flat->shrunk(length);
  const PolygonSoup& soup = object.soup();
  const std::vector<Index> merged = geometry::merge_equal_positions(soup.vertices());

  // Weight normals by the triangles' angles, so that the triangulation of a flat face does not
  // matter.
  std::vector<Vec3> outwards(merged.size(), Vec3::Zero());
  double volume = 0;
  const Vec3 origin = object.bounds().centre();
  for (const auto& t : base::data_of(body).triangles) {
    const Vec3 corner[] = {soup.vertex(t[0]), soup.vertex(t[1]), soup.vertex(t[2])};
    const Vec3 area = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    const Vec3 normal = math::unit_or_zero(area);
    volume += area.dot(corner[0] - origin);
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = corner[(k + 1) % 3] - corner[k], v = corner[(k + 2) % 3] - corner[k];
      outwards[merged[t[k]]] += std::atan2(u.cross(v).norm(), u.dot(v)) * normal;
    }
  }
  std::vector<double> coordinates;
  coordinates.reserve(3 * merged.size());
  for (Index v = 0; v < soup.vertex_count(); ++v) {
    const Vec3 x =
        soup.vertex(v) - (volume < 0 ? -length : length) * math::unit_or_zero(outwards[merged[v]]);
    coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
  }
  return object.refitted(coordinates);
}

/// The interior of a body whose vertices were moved. Its faces keep their orientation: decided anew
/// by the changed areas, it might differ.
Interior inside_of_moved(const Interior& body, const Object& moved) {
  const Triangles triangles = base::data_of(body).triangles;
  if (bvh::flat_of(moved) != nullptr) return Interior(moved);
  if (triangles.data() == body.object().soup().triangles().data()) return Interior(moved);
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const Vec3& x : moved.soup().vertices())
    coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
  for (const auto& t : triangles) corners.insert(corners.end(), t.begin(), t.end());
  return Interior(Object(PolygonSoup(coordinates, corners)));
}

/// Whether each piece of `inner` whose vertices were moved lies outside of `outer` after moving as
/// well. A vertex proves it if it is outside and farther from the old surface than the surface may
/// have moved.
bool all_outside(const Interior& inner, const Object& moved_inner, const Pose& pose_inner,
                 const Interior& outer, const Pose& pose_outer, double moved) {
  constexpr std::size_t kMostTries = 64;
  const Pose to_outer = relative(pose_outer, pose_inner);
  const Interior::Data& data = base::data_of(outer);
  const auto outside = [&](Index v) {
    const Vec3 x = to_outer * moved_inner.soup().vertex(v);
    if (aabb_tree::squared_distance(x, outer.object().bounds()) > moved * moved) return true;
    return data.faces.nearest(x, 0).distance > moved && !data.contains(x);
  };
  for (const std::vector<Index>& piece : base::data_of(inner).parts) {
    const std::size_t stride = 1 + (piece.size() - 1) / kMostTries;
    bool found = false;
    for (std::size_t i = 0; i < piece.size() && !found; i += stride) found = outside(piece[i]);
    if (!found) return false;
  }
  return true;
}

}  // namespace

std::vector<Vec3> ways_out(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                           const Budget& budget) {
  constexpr std::size_t kMostContacts = 256;
  return ways_out(a, pose_a, b, pose_b,
                  contacts(a, pose_a, b, pose_b,
                           {.max_contacts = kMostContacts, .budget = base::for_part(budget)})
                      .contacts);
}

std::vector<Vec3> ways_out(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                           std::span<const Contact> contacts) {
  constexpr std::size_t kMostNormals = 10;
  std::vector<Vec3> ways;
  Vec3 facing = Vec3::Zero();
  const auto add = [&](const Vec3& n) {
    const auto same = [&](const Vec3& x) { return std::abs(x.dot(n)) > 0.9999; };
    if (std::any_of(ways.begin(), ways.end(), same)) return false;
    ways.push_back(n);
    return true;
  };
  for (const Contact& contact : contacts) {
    if (ways.size() >= kMostNormals) break;
    const Vec3 n_a = math::unit_or_zero(pose_a.matrix() * face_normal(a.soup(), contact.face_a));
    const Vec3 n_b = math::unit_or_zero(pose_b.matrix() * face_normal(b.soup(), contact.face_b));
    if (add(n_a) && n_a.dot(n_b) < -0.9) facing += n_a;
    add(-n_b);
  }
  const std::size_t normals = ways.size();
  for (std::size_t i = 0; i < normals; ++i)
    for (std::size_t j = i + 1; j < normals; ++j) {
      add(math::unit_or_zero(ways[i] + ways[j]));
      add(math::unit_or_zero(ways[i] - ways[j]));
    }
  add(math::unit_or_zero(facing));
  return ways;
}

double coordinate_error(const Interior& a, const Interior& b, double reach) {
  const Aabb &box_a = a.object().bounds(), &box_b = b.object().bounds();
  return math::kFormulaError *
         (box_a.diagonal() + box_b.diagonal() + 2 * reach + box_a.lo.norm() + box_b.lo.norm());
}

double gap_of(const Interior& a, const Interior& b) {
  return base::data_of(a).caps.gap + base::data_of(b).caps.gap;
}

bool are_apart(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
               const Budget& budget) {
  const double gap = gap_of(a, b);
  const bool clear = gap > 0 ? distance(a.object(), pose_a, b.object(), pose_b,
                                        {.max_distance = 2 * gap, .budget = base::for_part(budget)})
                                       .distance.lower > math::kRoundFarUp * gap
                             : !intersects(a.object(), pose_a, b.object(), pose_b, budget);
  // Of what lies inside an open body nothing is known.
  const auto holds_none = [&](const Interior& outer, const Pose& pose_outer, const Interior& inner,
                              const Pose& pose_inner) {
    const Interior::Data& data = base::data_of(outer);
    if (!data.tells_inside()) return true;
    const Holds held = holds_part(outer, pose_outer, inner, pose_inner, budget);
    return held == Holds::no || (held == Holds::open && data.has_open_chains);
  };
  return clear && holds_none(b, pose_b, a, pose_a) && holds_none(a, pose_a, b, pose_b);
}

bool apart_after_shift(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                       double most, const Budget& budget) {
  // Shift by less, because poses and their sums are rounded. A ball inside both bodies is inside
  // the capped ones except for a rim as wide as a gap.
  const double gap = gap_of(a, b);
  const double length =
      math::kRoundFarDown * most - 2 * gap - coordinate_error(a, b, reach_of(pose_a, pose_b));
  const auto apart = [&](const Vec3& shift) {
    return are_apart(a, pose_a, b, Pose::from_translation(shift) * pose_b, budget);
  };
  if (gap == 0 && apart(Vec3::Zero())) return true;
  if (!(length > 0)) return false;
  for (const Vec3& way : ways_out(a.object(), pose_a, b.object(), pose_b, budget))
    if (apart(length * way) || apart(-length * way)) return true;
  return false;
}

bool ShrunkPair::may_shrink(const Interior& a, const Interior& b, double most, double error) {
  for (const Interior* body : {&a, &b})
    if (!body->closed() || !determines_inside(*body)) return false;
  return math::kRoundFarDown * 0.5 * most - error > 0;
}

ShrunkPair::ShrunkPair(const Interior& a, const Interior& b, double most, double error)
    : a_(a),
      b_(b),
      moved_(0.5 * most + error),
      shrunk_a_(shrunk(a, math::kRoundFarDown * 0.5 * most - error)),
      shrunk_b_(shrunk(b, math::kRoundFarDown * 0.5 * most - error)) {}

bool ShrunkPair::are_apart(const Pose& pose_a, const Pose& pose_b, const Budget& budget) const {
  if (intersects(shrunk_a_, pose_a, shrunk_b_, pose_b, budget)) return false;
  if (bvh::flat_of(shrunk_a_) == nullptr &&
      all_outside(a_, shrunk_a_, pose_a, b_, pose_b, moved_) &&
      all_outside(b_, shrunk_b_, pose_b, a_, pose_a, moved_))
    return true;
  // All vertices of a block that just fits into a hollow stay near the hollow's surface; then the
  // interiors of the shrunk bodies decide.
  return any_part_inside(inside_of_moved(a_, shrunk_a_), pose_a, inside_of_moved(b_, shrunk_b_),
                         pose_b, budget) == Containment::none;
}

bool apart_after_shrinking(const Interior& a, const Pose& pose_a, const Interior& b,
                           const Pose& pose_b, double most, const Budget& budget) {
  const double error = coordinate_error(a, b, reach_of(pose_a, pose_b));
  return ShrunkPair::may_shrink(a, b, most, error) &&
         ShrunkPair(a, b, most, error).are_apart(pose_a, pose_b, budget);
}

bool come_apart(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                double most, const Budget& budget) {
  return apart_after_shift(a, pose_a, b, pose_b, most, budget) ||
         apart_after_shrinking(a, pose_a, b, pose_b, most, budget);
}

}  // namespace touche::paths
