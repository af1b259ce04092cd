// SPDX-License-Identifier: Apache-2.0
// Near features of a convex shape and the triangles of a soup, triangle by triangle. A triangle
// that faces the shape is compared with it along the triangle's normal; otherwise the nearest edge
// or corner is compared along the normal of the nearest pair.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "math/rounding.h"
#include "shape/contact_patch.h"
#include "shape/near_result.h"
#include "shape/near_shapes.h"
#include "shape/shape_data.h"
#include "shape/soup_search.h"
#include "shape/soup_surface.h"

namespace touche::shape {
namespace {

// Contact points at one feature of the shape that are nearer to each other than this share of the
// margin are merged.
constexpr double kOnePlace = 0.1;

class NearSoup {
 public:
  NearSoup(const Shape& shape, const Pose& pose, const Object& object, const Pose& object_pose,
           const NearOptions& options, NearResult& result)
      : at_rest_(shape, pose, 0, object_pose),
        object_(object),
        surface_(object),
        options_(options),
        lean_(std::sin(options.turn)),
        meter_(options.budget),
        result_(result) {}

  void find() {
    SoupSearch search(at_rest_, object_, meter_, result_.stats);
    search.run([&] { return options_.max_distance; },
               [&](Index t, const Triangle& triangle) {
                 if (at_rest_.is_half_space()) {
                   look_from_plane(t, triangle);
                 } else if (const std::optional<Vec3> apart = look(t, triangle)) {
                   search.look_along(-*apart);
                 }
                 return true;
               });
    result_.complete = !meter_.exhausted();
    drop_repeated();
  }

 private:
  // ---- a half space ----

  void look_from_plane(Index t, const Triangle& triangle) {
    const Beyond plane = at_rest_.beyond_half_space();
    for (int k = 0; k < 3; ++k) {
      const Vec3& x = triangle[static_cast<std::size_t>(k)];
      const double height = plane.n.dot(x) - plane.farthest;
      const Index vertex = surface_.merged(t, k);
      if (height > options_.max_distance || !surface_.counts(vertex, -plane.n, lean_)) continue;
      Contact c;
      c.face_b = surface_.soup().face_of_triangle(t);
      c.feature_a = {FeatureKind::face, 0};
      c.feature_b = {FeatureKind::vertex, vertex};
      c.normal = plane.n;
      c.distance = std::max(height, 0.0);
      c.point_b = x;
      c.point_a = x - c.distance * plane.n;
      result_.contacts.push_back(c);
    }
  }

  // ---- a body ----

  // If the triangle is too far, returns a direction that proves it, from the triangle to the shape.
  std::optional<Vec3> look(Index t, const Triangle& triangle) {
    const convex::TriangleBody triangle_body(triangle[0], triangle[1], triangle[2]);
    const convex::Body body = triangle_body.body();
    const convex::Body& shape = at_rest_.body();
    const convex::RigidTransform& place = at_rest_.in_object();
    const Facing f =
        facing({body, shape, place, convex::placed_error(shape, place)}, options_.max_distance);
    if (f.far) return f.direction;
    const std::size_t before = result_.contacts.size();
    const Vec3 normal =
        math::unit_or_zero((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]));
    const double along = normal.dot(f.direction);
    if (!normal.isZero(0) && 1 - along * along <= lean_ * lean_)
      over_face(t, triangle, along < 0 ? Vec3(-normal) : normal, along < 0);
    else
      over_border(t, triangle, f.direction);
    if (f.distance <= options_.max_distance &&
        needs_nearest(std::span(result_.contacts).subspan(before), f.distance,
                      options_.max_distance))
      add_nearest(t, triangle, f);
    for (std::size_t i = before; i < result_.contacts.size(); ++i)
      result_.contacts[i].face_b = surface_.soup().face_of_triangle(t);
    return {};
  }

  void find_part_towards(const Vec3& direction) {
    const convex::RigidTransform& place = at_rest_.in_object();
    find_part(at_rest_.body(), place.turned_back(direction), lean_, part_a_);
    place_part(place, part_a_);
  }

  // `up`: the triangle's normal towards the shape; `turned`: whether it is opposite to the normal
  // by the order of corners.
  void over_face(Index t, const Triangle& triangle, const Vec3& up, bool turned) {
    find_part_towards(-up);
    part_b_.clear();
    part_b_.radius = 0;
    part_b_.face = {FeatureKind::face, surface_.soup().face_of_triangle(t)};
    for (int i = 0; i < 3; ++i) {
      const int k = turned ? 2 - i : i, edge = turned ? (4 - i) % 3 : i;
      const Index vertex = surface_.merged(t, k), e = surface_.features().share(t).edge[edge];
      part_b_.add(triangle[static_cast<std::size_t>(k)], {FeatureKind::vertex, vertex},
                  surface_.name_of_edge(t, e), surface_.counts(vertex, up, lean_),
                  surface_.counts_edge(e, up, lean_));
    }
    find_patch(part_a_, part_b_, -up, options_.max_distance, slack(), result_.contacts);
  }

  // Adds contact points with the highest corner or edge.
  void over_border(Index t, const Triangle& triangle, const Vec3& up) {
    find_part_towards(-up);
    if (part_a_.size() == 1) return;  // a single point, which is the nearest one
    int top = 0, next = -1;
    for (int k = 1; k < 3; ++k)
      if (up.dot(triangle[static_cast<std::size_t>(k)]) >
          up.dot(triangle[static_cast<std::size_t>(top)]))
        top = k;
    double least = lean_;
    for (const int k : {(top + 1) % 3, (top + 2) % 3}) {
      const Vec3 way =
          triangle[static_cast<std::size_t>(top)] - triangle[static_cast<std::size_t>(k)];
      if (!(up.dot(way) <= least * way.norm())) continue;
      least = up.dot(way) / way.norm();
      next = k;
    }
    const bool rolls = is_round(part_a_.vertices[0]);
    const double most = rolls ? kLeanOfRounding : lean_;
    part_b_.clear();
    part_b_.radius = 0;
    const auto add = [&](int k, Index e) {
      const Index vertex = surface_.merged(t, k);
      part_b_.add(triangle[static_cast<std::size_t>(k)], {FeatureKind::vertex, vertex},
                  surface_.name_of_edge(t, e), surface_.counts(vertex, up, most),
                  surface_.counts_edge(e, up, most));
    };
    if (next < 0) {
      add(top, kNone);
    } else {
      const Index e = surface_.features().share(t).edge[(top + 1) % 3 == next ? top : next];
      // A contact point over the edge counts only if the edge does.
      if (!surface_.counts_edge(e, up, most)) return;
      add(top, e);
      add(next, e);
    }
    find_patch(part_a_, part_b_, -up, options_.max_distance, slack(), result_.contacts);
  }

  double slack() const { return patch_slack(part_a_, part_b_, options_.max_distance); }

  // Adds the nearest pair, unless the surface beside the triangle is nearer.
  void add_nearest(Index t, const Triangle& triangle, const Facing& f) {
    const std::optional<Feature> feature = surface_.feature_at(t, triangle, f.point_a, f.direction);
    if (!feature) return;
    find_part_towards(-f.direction);
    Contact c;
    c.feature_a = part_a_.size() == 1 ? part_a_.vertices[0] : nearest_feature(at_rest_.body());
    c.feature_b = *feature;
    c.point_a = f.point_b, c.point_b = f.point_a;
    c.normal = -f.direction;
    c.distance = f.distance;
    result_.contacts.push_back(c);
  }

  bool is_one_place(const Contact& x, const Contact& y) const {
    return (x.point_a - y.point_a).norm() <= kOnePlace * options_.max_distance &&
           x.normal.dot(y.normal) > 1 - kLeanOfRounding * kLeanOfRounding;
  }

  // A contact point of the shape over an edge between two coplanar faces is found twice, once for
  // each face.
  void drop_repeated() {
    std::vector<Contact>& all = result_.contacts;
    const auto before = [](const Contact& x, const Contact& y) {
      return std::tuple(x.feature_a.kind, x.feature_a.index, x.feature_b.kind, x.feature_b.index,
                        x.distance) < std::tuple(y.feature_a.kind, y.feature_a.index,
                                                 y.feature_b.kind, y.feature_b.index, y.distance);
    };
    std::sort(all.begin(), all.end(), before);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      bool repeated = false;
      if (all[i].feature_a.kind != FeatureKind::face)
        for (std::size_t j = kept; j-- > 0 && all[j].feature_a == all[i].feature_a;)
          repeated = repeated || is_one_place(all[i], all[j]);
      if (!repeated) all[kept++] = all[i];
    }
    all.resize(kept);
  }

  // Memory of the two parts, for each thread.
  static ContactPart& memory(std::size_t part) {
    thread_local std::array<ContactPart, 2> parts;
    return parts[part];
  }

  const ShapeAtRest at_rest_;
  const Object& object_;
  const SoupSurface surface_;
  const NearOptions& options_;
  const double lean_;
  base::BudgetMeter meter_;
  NearResult& result_;
  ContactPart &part_a_ = memory(0), &part_b_ = memory(1);
};

}  // namespace

void near_soup(const Shape& shape, const Pose& pose, const Object& object, const Pose& object_pose,
               const NearOptions& options, NearResult& result) {
  begin_near(options, result);
  NearSoup(shape, pose, object, object_pose, options, result).find();
  place_contacts(object_pose, result);
  end_near(options, result);
}

}  // namespace touche::shape
