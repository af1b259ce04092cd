// SPDX-License-Identifier: Apache-2.0
// Every function that takes points, directions or other vectors refuses coordinates that are not
// finite.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "each_kind.h"
#include "touche/distance_batch.h"
#include "touche/linear.h"
#include "touche/manifold.h"
#include "touche/plane_shape.h"
#include "touche/response.h"
#include "touche/self_contact.h"
#include "touche/separation.h"
#include "touche/spatial.h"

namespace touche::not_finite_vectors_test {
namespace {

using test::at;
using test::expect_refused;
using test::kNan;
using test::segment_to;
class NotFiniteVectors : public test::EachKind {};

struct OfVector {
  const char* name;
  std::function<void(const Vec3&)> call;
};

Ray ray_from(const Vec3& origin) { return {origin, Vec3::UnitX()}; }
Ray ray_along(const Vec3& direction) { return {Vec3::Zero(), direction}; }
plane::Vec2 flat(const Vec3& x) { return {x.y(), x.x() + x.z()}; }

TEST_F(NotFiniteVectors, VectorsAreRefused) {
  const Triangle one{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
  const auto touching = [&](const Vec3& point, const Vec3& normal) {
    Contact c;
    c.face_a = c.face_b = 0;
    c.point_b = point;
    c.normal = normal;
    return c;
  };
  const std::vector<OfVector> calls = {
      {"closest_point", [&](const Vec3& x) { (void)closest_point(a, {}, x); }},
      {"closest_point of a shape", [&](const Vec3& x) { (void)closest_point(ball, {}, x); }},
      {"cast_ray", [&](const Vec3& x) { (void)cast_ray(a, {}, ray_from(x)); }},
      {"cast_ray", [&](const Vec3& x) { (void)cast_ray(a, {}, ray_along(x)); }},
      {"cast_segment", [&](const Vec3& x) { (void)cast_segment(a, {}, segment_to(x)); }},
      {"all_ray_hits", [&](const Vec3& x) { (void)all_ray_hits(a, {}, ray_along(x)); }},
      {"all_segment_hits", [&](const Vec3& x) { (void)all_segment_hits(a, {}, segment_to(x)); }},
      {"cast_ray at a shape", [&](const Vec3& x) { (void)cast_ray(box, {}, ray_along(x)); }},
      {"cast_segment at a shape",
       [&](const Vec3& x) { (void)cast_segment(box, {}, segment_to(x)); }},
      {"ray_hits", [&](const Vec3& x) { (void)ray_hits(ball, {}, ray_from(x)); }},
      {"faces_in_ball",
       [&](const Vec3& x) {
         (void)faces_in_ball(a, {}, {x, 1});
       }},
      {"winding_number", [&](const Vec3& x) { (void)inside.winding_number(x); }},
      {"contains", [&](const Vec3& x) { (void)inside.contains(x); }},
      {"contains", [&](const Vec3& x) { (void)inside_box.contains(x); }},
      {"signed_distance", [&](const Vec3& x) { (void)inside.signed_distance(x); }},
      {"signed_distance", [&](const Vec3& x) { (void)inside_box.signed_distance(x); }},
      {"support", [&](const Vec3& x) { (void)box.support(x); }},
      {"box", [&](const Vec3& x) { (void)Shape::box(x); }},
      {"ellipsoid", [&](const Vec3& x) { (void)Shape::ellipsoid(x); }},
      {"hull",
       [&](const Vec3& x) {
         (void)Shape::hull(std::vector{Vec3(1, 2, 3), x});
       }},
      {"zonotope", [&](const Vec3& x) { (void)Shape::zonotope(Vec3::Zero(), std::vector{x}); }},
      {"half_space", [&](const Vec3& x) { (void)Shape::half_space(x, 0); }},
      {"screw", [&](const Vec3& x) { (void)Motion::screw({}, x, Vec3::UnitX(), 1, 1); }},
      {"screw", [&](const Vec3& x) { (void)Motion::screw({}, Vec3::Zero(), x, 1, 1); }},
      {"swept_box",
       [&](const Vec3& x) {
         (void)way.swept_box({x, x});
       }},
      {"opening",
       [&](const Vec3& x) { (void)opening(a, {}, b, {}, touching(Vec3::Zero(), x), 1); }},
      {"manifold",
       [&](const Vec3& x) { Manifold().update(std::vector{touching(x, Vec3::UnitX())}); }},
      {"manifold",
       [&](const Vec3& x) { Manifold().update(std::vector{touching(Vec3::Zero(), x)}); }},
      {"resolved_pose",
       [&](const Vec3& x) {
         Separation separation;
         separation.shift = x;
         (void)resolved_pose(separation, {});
       }},
      {"slide", [&](const Vec3& x) { (void)slide(x, Vec3::UnitZ()); }},
      {"slide", [&](const Vec3& x) { (void)slide(Vec3::UnitZ(), x); }},
      {"slide", [&](const Vec3& x) { (void)slide(x, std::vector{Vec3(0, 0, 1)}); }},
      {"reflect", [&](const Vec3& x) { (void)reflect(x, Vec3::UnitZ(), 1); }},
      {"reflect", [&](const Vec3& x) { (void)reflect(Vec3::UnitZ(), x, 1); }},
      {"reflect", [&](const Vec3& x) { (void)reflect(Vec3::UnitZ(), std::vector{x}, 1); }},
      {"cast_ball", [&](const Vec3& x) { (void)cast_ball(a, {}, segment_to(x), 1, 1); }},
      {"cast_ball", [&](const Vec3& x) { (void)cast_ball(box, {}, segment_to(x), 1, 1); }},
      {"move_ball",
       [&](const Vec3& x) {
         (void)move_ball({x, 1}, {1, 0, 0}, box, {}, {.tolerance = 1});
       }},
      {"move_ball",
       [&](const Vec3& x) {
         (void)move_ball({Vec3(9, 0, 0), 1}, x, world, {.tolerance = 1});
       }},
      {"move_object",
       [&](const Vec3& x) { (void)move_object(ball, at(9), x, box, {}, {.tolerance = 1}); }},
      {"linear",
       [&](const Vec3& x) {
         (void)vertex_face_impact({{{x, x}, {x, x}, {x, x}, {x, x}}});
       }},
      {"point_triangle_distance", [&](const Vec3& x) { (void)point_triangle_distance(x, one); }},
      {"point_box_distance",
       [&](const Vec3& x) {
         (void)point_box_distance(x, {x, x});
       }},
      {"point_triangle_distances",
       [&](const Vec3& x) {
         std::vector<RegionDistance> found(1);
         point_triangle_distances(std::vector{Vec3(1, 2, 3)}, std::vector{Triangle{x, x, x}},
                                  found);
       }},
      {"triangle_triangle_distances",
       [&](const Vec3& x) {
         std::vector<RegionDistance> found(1);
         triangle_triangle_distances(std::vector{one},
                                     std::vector{Triangle{Vec3::Zero(), Vec3::UnitX(), x}}, found);
       }},
      {"SelfContact",
       [&](const Vec3& x) {
         std::vector<double> start, end;
         for (const Vec3& v : a.soup().vertices()) start.insert(start.end(), v.begin(), v.end());
         end = start;
         std::copy(x.begin(), x.end(), end.begin());
         (void)SelfContact(a.soup()).first_contact(start, end);
       }},
      {"refitted",
       [&](const Vec3& x) {
         std::vector<double> moved;
         for (const Vec3& v : a.soup().vertices()) moved.insert(moved.end(), v.begin(), v.end());
         std::copy(x.begin(), x.end(), moved.begin());
         (void)a.refitted(moved);
       }},
      {"Octree",
       [&](const Vec3& x) {
         (void)Octree(std::vector{Aabb{x, x}});
       }},
      {"World::closest_point", [&](const Vec3& x) { (void)world.closest_point(body, x); }},
      {"nearest", [&](const Vec3& x) { (void)world.nearest(x, 1); }},
      {"World::cast_ray", [&](const Vec3& x) { (void)world.cast_ray(ray_along(x)); }},
      {"World::cast_segment", [&](const Vec3& x) { (void)world.cast_segment(segment_to(x)); }},
      {"touching_box",
       [&](const Vec3& x) {
         (void)world.touching_box({x, x});
       }},
      {"touching_ball",
       [&](const Vec3& x) {
         (void)world.touching_ball({x, 1});
       }},
      {"Stepper",
       [&](const Vec3& x) {
         Stepper stepper(world);
         stepper.move(body, still);
         StepOptions options{.tolerance = 1e-3};
         options.viewer = x;
         (void)stepper.run(options);
       }},
      {"plane::closest_point",
       [&](const Vec3& x) { (void)plane::closest_point(square, {}, flat(x)); }},
      {"plane::cast_ray",
       [&](const Vec3& x) { (void)plane::cast_ray(square, {}, {.origin = flat(x)}); }},
      {"plane::cast_segment",
       [&](const Vec3& x) {
         (void)plane::cast_segment(square, {}, {plane::Vec2::Zero(), flat(x)});
       }},
      {"plane::Region", [&](const Vec3& x) { (void)plane::Region(square).place(flat(x)); }},
      {"plane::Pose", [&](const Vec3& x) { (void)plane::Pose(0, flat(x)); }},
      {"plane::Motion", [&](const Vec3& x) { (void)plane::Motion::turning({}, 1, flat(x)); }},
      {"plane::Circle::fit",
       [&](const Vec3& x) { (void)plane::Circle::fit(std::vector{flat(x)}); }},
  };
  for (const OfVector& of : calls)
    for (const double bad : {kNan, kInfinity, -kInfinity})
      for (int k = 0; k < 3; ++k) {
        SCOPED_TRACE(testing::Message() << "coordinate " << k << " is " << bad);
        Vec3 x(0.6, 0.8, 0);
        x[k] = bad;
        expect_refused(of.name, [&] { of.call(x); });
      }
}

}  // namespace
}  // namespace touche::not_finite_vectors_test
