// SPDX-License-Identifier: Apache-2.0
// Convex shapes against soups: every face by itself, closed forms, exact predicates, polytopes
// inside and outside of round shapes, and the same hulls as soups.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faces_around.h"
#include "geometry/box_triangle.h"
#include "hit_share.h"
#include "query/relative.h"
#include "test_scale.h"
#include "touche/distance.h"
#include "touche/point_query.h"
#include "touche/reference.h"
#include "touche/shape.h"

namespace touche {
namespace {

using namespace test;

template <class Distance>
std::vector<Index> faces_within(const Object& object, const Distance& distance, double limit) {
  std::vector<Index> faces;
  for (Index t = 0; t < object.soup().triangle_count(); ++t)
    if (distance(query::triangle_of(object.soup(), t)) <= limit)
      faces.push_back(object.soup().face_of_triangle(t));
  std::sort(faces.begin(), faces.end());
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  return faces;
}

// The result must contain all faces that certainly meet, and only faces that may meet.
void expect_between(const ShapeFacesResult& r, const std::vector<Index>& least,
                    const std::vector<Index>& most) {
  EXPECT_TRUE(r.complete);
  std::vector<Index> all = r.faces;
  all.insert(all.end(), r.undecided.begin(), r.undecided.end());
  std::sort(all.begin(), all.end());
  EXPECT_TRUE(std::includes(all.begin(), all.end(), least.begin(), least.end()));
  EXPECT_TRUE(std::includes(most.begin(), most.end(), r.faces.begin(), r.faces.end()));
}

TEST(ShapeFaces, SpheresAndCapsulesAgreeWithClosedForms) {
  base::Random random(1841);
  int hits = 0;
  const int cases = scaled(150);
  for (int i = 0; i < cases; ++i) {
    const Object object = faces_around(random, 1 + random.below(200), 0.3);
    const double radius = random.uniform(0.01, 0.4), length = random.uniform(0, 1);
    const bool sphere = random.below(2) == 0;
    const Shape shape = sphere ? Shape::sphere(radius) : Shape::capsule(radius, length);
    const Pose pose = random_pose(random, 1.5);
    const Vec3 tip = pose.rotate(Vec3(0, 0, 0.5 * length));
    const auto closed_form = [&](const Triangle& t) {
      return (sphere ? point_triangle_distance(pose.translation(), t).distance
                     : segment_triangle_distance(
                           {pose.translation() - tip, pose.translation() + tip}, t)
                           .distance) -
             radius;
    };
    const std::vector<Index> least = faces_within(object, closed_form, -1e-12),
                             most = faces_within(object, closed_form, 1e-12);
    SCOPED_TRACE(testing::Message() << "case " << i);
    expect_between(intersecting_faces(shape, pose, object, {}), least, most);
    const IntersectsResult meet = intersects(shape, pose, Shape::soup(object), {});
    if (least.size() == most.size()) {
      EXPECT_TRUE(meet.complete);
      EXPECT_EQ(meet.intersects, !most.empty());
    }
    hits += meet.intersects;

    double nearest = kInfinity;
    for (Index t = 0; t < object.soup().triangle_count(); ++t)
      nearest = std::min(nearest, closed_form(query::triangle_of(object.soup(), t)));
    nearest = std::max(nearest, 0.0);
    const DistanceResult d = distance(shape, pose, Shape::soup(object), {});
    EXPECT_TRUE(d.complete);
    EXPECT_LE(d.distance.lower, nearest + 1e-12);
    EXPECT_GE(d.distance.upper, nearest - 1e-12);
    EXPECT_LE(d.distance.upper - d.distance.lower, 1e-11);
  }
  expect_about_half(hits, cases);
}

// With the identity as pose, the exact test of boxes decides the same. Corners on a lattice, too.
TEST(ShapeFaces, BoxesAreExact) {
  base::Random random(1842);
  int hits = 0, total = 0;
  for (int i = 0; i < scaled(150); ++i) {
    const bool lattice = i % 2 == 0;
    const auto place = [&](const Vec3& x) -> Vec3 {
      return lattice ? Vec3((4 * x).array().round() / 4) : x;
    };
    std::vector<double> coordinates;
    std::vector<Index> indices;
    for (Index k = 0; k < 90; ++k) {
      const Vec3 centre = random.in_box(1.5);
      const Vec3 x = place(centre + (k % 3 == 0 ? 0 : 0.5) * random.direction());
      coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
      indices.push_back(k);
    }
    const Object object{PolygonSoup(coordinates, indices)};
    const Vec3 half = place(random.in_box(0.3)).cwiseAbs() + Vec3(0.5, 0.5, lattice ? 0.0 : 0.25);
    const ShapeFacesResult r = intersecting_faces(Shape::box(half), {}, object, {});
    EXPECT_TRUE(r.undecided.empty());
    const auto exact = [&](const Triangle& t) {
      return geometry::box_meets_triangle({-half, half}, t) ? 0.0 : 1.0;
    };
    const std::vector<Index> expected = faces_within(object, exact, 0.5);
    EXPECT_EQ(r.faces, expected) << "case " << i;
    hits += static_cast<int>(expected.size());
    total += static_cast<int>(object.soup().face_count());
  }
  expect_about_half(hits, total);
}

TEST(ShapeFaces, AgreeWithEveryFaceByItself) {
  base::Random random(1843);
  int hits = 0;
  const int cases = scaled(250);
  for (int i = 0; i < cases; ++i) {
    // Some very large or small.
    const double size = i % 5 == 0 ? std::exp2(std::round(random.uniform(-60, 60))) : 1;
    const Object unit = i % 4 == 0 ? Object(scenes::bumpy_sphere(500, random.next()))
                                   : faces_around(random, 1 + random.below(200), 0.15);
    std::vector<double> coordinates;
    for (Index v = 0; v < unit.soup().vertex_count(); ++v)
      for (int k = 0; k < 3; ++k) coordinates.push_back(size * unit.soup().vertex(v)[k]);
    const Object object = unit.refitted(coordinates);
    const int kind = size != 1 ? 6 : static_cast<int>(random.below(12));
    std::vector<Vec3> corners = on_sphere(random, 12, 0.5 * size);
    const Shape shape = size != 1    ? Shape::hull(corners)
                        : kind == 11 ? Shape::half_space(random.direction(), -1.2)
                                     : some_shape(random, kind);
    const auto scaled_pose = [&](double spread) {
      const Pose p = random_pose(random, spread);
      return Pose::from_quaternion_unchecked(p.rotation(), size * p.translation());
    };
    const Pose pose_a = scaled_pose(1.7), pose_b = scaled_pose(0.3);
    SCOPED_TRACE(testing::Message() << "case " << i << " kind " << kind << " size " << size);
    const ShapeFacesResult fast = intersecting_faces(shape, pose_a, object, pose_b),
                           slow = brute_force::intersecting_faces(shape, pose_a, object, pose_b);
    EXPECT_EQ(fast.faces, slow.faces);
    EXPECT_EQ(fast.undecided, slow.undecided);
    const ShapeFacesResult exchanged = intersecting_faces(object, pose_b, shape, pose_a);
    EXPECT_EQ(exchanged.faces, fast.faces);
    EXPECT_EQ(exchanged.undecided, fast.undecided);
    EXPECT_EQ(brute_force::intersecting_faces(object, pose_b, shape, pose_a).faces, slow.faces);
    if (object.soup().triangle_count() > 150) {
      EXPECT_LT(fast.stats.primitive_tests, slow.stats.primitive_tests);
    }

    const Shape soup = Shape::soup(object);
    const IntersectsResult meet = intersects(shape, pose_a, soup, pose_b);
    EXPECT_TRUE(meet.complete);
    EXPECT_EQ(meet.intersects, !slow.faces.empty());
    const IntersectsResult turned = intersects(soup, pose_b, shape, pose_a);
    EXPECT_EQ(turned.intersects, meet.intersects);
    EXPECT_EQ(turned.face_a, meet.face_b);
    hits += meet.intersects;

    const DistanceResult near = distance(shape, pose_a, soup, pose_b),
                         twin = brute_force::distance(shape, pose_a, soup, pose_b);
    // With cones and their like, rounding may leave a little more than is called complete.
    EXPECT_TRUE(!shape.is_polytope() || (near.complete && twin.complete));
    EXPECT_LE(near.distance.lower, twin.distance.upper);
    EXPECT_LE(twin.distance.lower, near.distance.upper);
    EXPECT_LE(near.distance.upper - near.distance.lower, 1e-10 * size);
    EXPECT_EQ(near.distance.upper == 0, meet.intersects);
    if (!meet.intersects) {
      ASSERT_TRUE(near.closest);
      const Contact& c = *near.closest;
      EXPECT_NEAR((c.point_b - c.point_a).norm(), near.distance.upper, 1e-10 * size);
      EXPECT_NEAR(c.normal.dot(c.point_b - c.point_a), near.distance.upper, 1e-9 * size);
      EXPECT_LE(brute_force::closest_point(object, pose_b, c.point_b).distance, 1e-12 * size);
      EXPECT_LE(near.stats.primitive_tests, twin.stats.primitive_tests);
    }

    // Allowed errors hold.
    const DistanceOptions rough{.relative_error = 0.3};
    const Bracket wide = distance(shape, pose_a, soup, pose_b, rough).distance;
    EXPECT_LE(wide.lower, near.distance.upper);
    EXPECT_GE(wide.upper, near.distance.lower);
    EXPECT_LE(wide.upper, 1.3 * wide.lower + 1e-10 * size);
    const DistanceOptions close{.max_distance = 0.1 * size};
    const DistanceResult limited = distance(shape, pose_a, soup, pose_b, close);
    if (near.distance.lower > 0.1 * size) {
      EXPECT_FALSE(limited.closest);
    } else {
      EXPECT_LE(limited.distance.upper, 0.1 * size);
    }
    EXPECT_LE(limited.distance.lower, near.distance.upper);
  }
  expect_about_half(hits, cases);
}

// Far away, much larger and much smaller than the soup, with many corners and with few.
TEST(ShapeFaces, FarLargeAndSmallAgreeWithEveryFace) {
  base::Random random(1848);
  int hits = 0, total = 0;
  for (int i = 0; i < scaled(80); ++i) {
    const Object object = faces_around(random, 120, 0.15);
    const double size = std::array{1e-7, 1e-3, 1e3, 1e7}[i % 4],
                 near = size > 1 ? size * random.uniform(0.6, 1.2) : random.uniform(0, 1.6),
                 away = i % 5 == 0 ? 1e6 * (1 + size) : near;
    const std::vector<Vec3> points = on_sphere(random, i % 3 == 0 ? 400 : 20, size);
    const Shape shape = i % 3 == 1 ? Shape::hull(points).rounded(0.1 * size) : Shape::hull(points);
    const Pose turned = random_pose(random, 0),
               pose = Pose::from_quaternion_unchecked(turned.rotation(), away * random.direction());
    SCOPED_TRACE(testing::Message() << "case " << i);
    const ShapeFacesResult fast = intersecting_faces(shape, pose, object, {}),
                           slow = brute_force::intersecting_faces(shape, pose, object, {});
    EXPECT_EQ(fast.faces, slow.faces);
    EXPECT_EQ(fast.undecided, slow.undecided);
    const Shape soup = Shape::soup(object);
    const Bracket found = distance(shape, pose, soup, {}).distance,
                  twin = brute_force::distance(shape, pose, soup, {}).distance;
    EXPECT_LE(found.lower, twin.upper);
    EXPECT_LE(twin.lower, found.upper);
    EXPECT_LE(found.upper - found.lower, 1e-11 * (away + size));
    if (i % 5 != 0) {
      hits += !fast.faces.empty();
      ++total;
    }
  }
  EXPECT_GT(hits, 0.1 * total);
  EXPECT_LT(hits, 0.7 * total);
}

// A plane across the lattice touches corners, edges and faces exactly.
// Bounds for round shapes meet to 2^-34 of the sizes, not closer: nothing is left to be done then.
TEST(ShapeFaces, DistancesOfRoundShapesAreComplete) {
  base::Random random(1849);
  const Object object(scenes::bumpy_sphere(500, 5));
  const Shape surface = Shape::soup(object);
  int wide = 0;
  for (int i = 0; i < 300; ++i) {
    const double size = i % 2 == 0 ? 3 : 100, thin = i % 4 < 2 ? 0.1 : 0.01;
    const Shape shape = Shape::ellipsoid({size, size * thin, size * 0.3});
    const double turn = random.uniform(0, 3), out = 1.3 + size * random.uniform(0.3, 1);
    const Vec3 axis = random.direction(), way = random.direction();
    const DistanceResult d =
        distance(shape, Pose::from_axis_angle(axis, turn, out * way), surface, {});
    const double width = d.distance.upper - d.distance.lower, sizes = 2 + size + out;
    EXPECT_TRUE(d.complete) << i << ' ' << width;
    EXPECT_LE(width, 0x1p-34 * sizes);
    wide += width > 0x1p-40 * sizes;
  }
  EXPECT_GE(wide, 1);
}

TEST(ShapeFaces, HalfSpacesAreExact) {
  base::Random random(1849);
  int hits = 0, total = 0;
  for (int i = 0; i < scaled(60); ++i) {
    std::vector<double> coordinates;
    std::vector<Index> indices;
    for (Index k = 0; k < 60; ++k) {
      const Vec3 x = (4 * random.in_box(1.5)).array().round() / 4;
      coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
      indices.push_back(k);
    }
    const Object object{PolygonSoup(coordinates, indices)};
    const double offset = std::round(4 * random.uniform(-1.4, 0)) / 4;
    const int axis = static_cast<int>(random.below(3));
    const Shape plane = Shape::half_space(3 * Vec3::Unit(axis), 3 * offset);
    const auto below = [&](const Triangle& t) {
      return std::min({t[0][axis], t[1][axis], t[2][axis]}) - offset;
    };
    const std::vector<Index> expected = faces_within(object, below, 0);
    const ShapeFacesResult r = intersecting_faces(plane, {}, object, {});
    EXPECT_EQ(r.faces, expected);
    EXPECT_TRUE(r.undecided.empty());
    hits += static_cast<int>(expected.size());
    total += static_cast<int>(object.soup().face_count());
  }
  expect_about_half(hits, total);
}

// Round shapes between the hulls of points on them and what encloses them.
TEST(ShapeFaces, RoundShapesLieBetweenPolytopes) {
  base::Random random(1844);
  const double r = 0.5, h = 0.7;
  const int n = 32;
  std::vector<Vec3> rim;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    rim.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
  }
  std::vector<Vec3> cylinder_in, cylinder_out, cone_in, cone_out, ellipsoid_in, ellipsoid_out;
  const double wider = 1 / std::cos(std::numbers::pi / n);
  for (const Vec3& p : rim)
    for (const double z : {-0.5 * h, 0.5 * h}) {
      cylinder_in.push_back(p + Vec3(0, 0, z));
      cylinder_out.push_back(wider * p + Vec3(0, 0, z));
    }
  const Vec3 apex(0, 0, 0.5 * h), half_axes(0.5, 0.3, 0.7);
  for (const Vec3& p : rim) {
    cone_in.push_back(p - Vec3(0, 0, 0.5 * h));
    cone_out.push_back(wider * p - Vec3(0, 0, 0.5 * h));
  }
  cone_in.push_back(apex);
  cone_out.push_back(apex);
  for (int k = 0; k < 24; ++k)
    for (int l = 0; l <= 12; ++l) {
      const double u = 2 * std::numbers::pi * k / 24, v = std::numbers::pi * l / 12;
      const Vec3 p(std::sin(v) * std::cos(u), std::sin(v) * std::sin(u), std::cos(v));
      ellipsoid_in.push_back(half_axes.cwiseProduct(p));
      ellipsoid_out.push_back(1.05 * half_axes.cwiseProduct(p));
    }
  struct Kind {
    Shape round, inside, outside;
  };
  const Kind kinds[] = {
      {Shape::cylinder(r, h), Shape::hull(cylinder_in), Shape::hull(cylinder_out)},
      {Shape::cone(r, h), Shape::hull(cone_in), Shape::hull(cone_out)},
      {Shape::ellipsoid(half_axes), Shape::hull(ellipsoid_in), Shape::hull(ellipsoid_out)}};
  for (int i = 0; i < scaled(90, 20); ++i) {
    const Object object = faces_around(random, 40, 0.2);
    const Pose pose = random_pose(random, 1.5);
    const Kind& kind = kinds[i % 3];
    const Shape soup = Shape::soup(object);
    const Bracket d = distance(kind.round, pose, soup, {}).distance,
                  more = distance(kind.inside, pose, soup, {}).distance,
                  less = distance(kind.outside, pose, soup, {}).distance;
    EXPECT_LE(d.lower, more.upper);
    EXPECT_GE(d.upper, less.lower);
    EXPECT_LE(d.upper - d.lower, 1e-11);
    const std::vector<Index> faces = intersecting_faces(kind.round, pose, object, {}).faces,
                             some = intersecting_faces(kind.inside, pose, object, {}).faces,
                             many = intersecting_faces(kind.outside, pose, object, {}).faces;
    EXPECT_TRUE(std::includes(faces.begin(), faces.end(), some.begin(), some.end()));
    EXPECT_TRUE(std::includes(many.begin(), many.end(), faces.begin(), faces.end()));
  }
}

// A box as a solid and as a soup: they differ in the faces inside of it only.
TEST(ShapeFaces, BoxesAgreeWithTheirSurfaces) {
  base::Random random(1845);
  for (int i = 0; i < scaled(60, 20); ++i) {
    const Vec3 half(0.6, 0.4, 0.5);
    const Object surface{scenes::box(-half, half)};
    const Object object = faces_around(random, 150, 0.1);
    const Pose pose = random_pose(random, 1.2);
    const Shape box = Shape::box(half);
    std::vector<Index> crossing;
    for (const FacePair& pair : intersecting_faces(object, {}, surface, pose).pairs)
      crossing.push_back(pair.a);
    crossing.erase(std::unique(crossing.begin(), crossing.end()), crossing.end());
    const std::vector<Index> faces = intersecting_faces(box, pose, object, {}).faces;
    EXPECT_TRUE(std::includes(faces.begin(), faces.end(), crossing.begin(), crossing.end()));
    std::vector<Index> rest;
    std::set_difference(faces.begin(), faces.end(), crossing.begin(), crossing.end(),
                        std::back_inserter(rest));
    for (const Index face : rest)
      for (const Index v : object.soup().face(face)) {
        const Vec3 x = pose.inverse() * object.soup().vertex(v);
        EXPECT_TRUE((x.cwiseAbs().array() <= half.array()).all());
      }
    if (faces.empty()) {
      const Bracket solid = distance(box, pose, Shape::soup(object), {}).distance,
                    hollow = distance(surface, pose, object, {}).distance;
      EXPECT_LE(solid.lower, hollow.upper);
      EXPECT_LE(hollow.lower, solid.upper);
    }
  }
}

TEST(ShapeFaces, SolidAndSurfaceAreToldApart) {
  const Object hollow{scenes::sphere(1, 500)};
  const Shape soup = Shape::soup(hollow);
  // Inside of the surface nothing is touched; a solid around the surface touches all of it.
  EXPECT_FALSE(intersects(Shape::sphere(0.5), {}, soup, {}).intersects);
  EXPECT_GT(distance(Shape::sphere(0.5), {}, soup, {}).distance.lower, 0.3);
  EXPECT_TRUE(intersects(Shape::sphere(2), {}, soup, {}).intersects);
  EXPECT_EQ(intersecting_faces(Shape::box({2, 2, 2}), {}, hollow, {}).faces.size(),
            hollow.soup().face_count());
  EXPECT_EQ(intersecting_faces(soup, {}, hollow, {}).faces.size(), hollow.soup().face_count());
  // A search that is stopped says so.
  const Budget little{.max_work = 3};
  EXPECT_FALSE(intersecting_faces(Shape::sphere(1), {}, hollow, {}, little).complete);
  EXPECT_FALSE(
      intersects(Shape::sphere(0.5), Pose::from_translation({0.45, 0, 0}), soup, {}, little)
          .complete);
  const DistanceResult stopped =
      distance(Shape::sphere(0.1), Pose::from_translation({3, 0, 0}), soup, {}, {.budget = little});
  EXPECT_FALSE(stopped.complete);
  EXPECT_LE(stopped.distance.lower, 1.91);
}

}  // namespace
}  // namespace touche
