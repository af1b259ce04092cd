// SPDX-License-Identifier: Apache-2.0
// Convex shapes against soups: every face by itself, closed forms, exact predicates, polytopes
// inside and outside of round shapes, and the same hulls as soups. One file, though long: at rest
// and in motion the same cases are judged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/box_triangle.h"
#include "hit_share.h"
#include "query/relative.h"
#include "shape/seen_shape_kernels.h"
#include "shape_motions.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/distance.h"
#include "touche/point_query.h"
#include "touche/shape_faces.h"

namespace touche {
namespace {

using namespace test;

Object faces_around(Random& random, Index faces, double size = 0.4) {
  return Object(scenes::random_soup(random.next(), {.faces = faces, .face_size = size}));
}

template <class Distance>
std::vector<Index> faces_within(const Object& object, const Distance& distance, double limit) {
  std::vector<Index> faces;
  for (Index t = 0; t < object.soup().triangle_count(); ++t)
    if (distance(triangle_of(object.soup(), t)) <= limit)
      faces.push_back(object.soup().face_of_triangle(t));
  std::sort(faces.begin(), faces.end());
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  return faces;
}

// The faces that surely meet, and no more than those that may.
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
  Random random(1841);
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
      EXPECT_TRUE(meet.decided);
      EXPECT_EQ(meet.intersects, !most.empty());
    }
    hits += meet.intersects;

    double nearest = kInfinity;
    for (Index t = 0; t < object.soup().triangle_count(); ++t)
      nearest = std::min(nearest, closed_form(triangle_of(object.soup(), t)));
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
  Random random(1842);
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
      return box_meets_triangle({-half, half}, t) ? 0.0 : 1.0;
    };
    const std::vector<Index> expected = faces_within(object, exact, 0.5);
    EXPECT_EQ(r.faces, expected) << "case " << i;
    hits += static_cast<int>(expected.size());
    total += static_cast<int>(object.soup().face_count());
  }
  expect_about_half(hits, total);
}

TEST(ShapeFaces, AgreeWithEveryFaceByItself) {
  Random random(1843);
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
    if (object.soup().triangle_count() > 150) {
      EXPECT_LT(fast.stats.primitive_tests, slow.stats.primitive_tests);
    }

    const Shape soup = Shape::soup(object);
    const IntersectsResult meet = intersects(shape, pose_a, soup, pose_b);
    EXPECT_TRUE(meet.decided);
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
  Random random(1848);
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
  Random random(1849);
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

// Eight lanes at a time, against one after the other.
TEST(ShapeFaces, LanesAreTheSameOnAllInstructionSets) {
  Random random(1850);
  const auto targets = seen_shape_kernels_of_targets();
  ASSERT_GE(targets.size(), 1u);
  int apart = 0, lanes = 0;
  for (int i = 0; i < scaled(200); ++i) {
    const auto single = [&](double size) {
      return static_cast<float>(random.uniform(-size, size));
    };
    const std::size_t padded = 8 * (1 + random.below(16));
    std::vector<float> x(padded), y(padded), z(padded);
    for (std::size_t k = 0; k < padded; ++k) x[k] = single(1), y[k] = single(1), z[k] = single(1);
    BvhNode node = {};
    BvhLeaf leaf = {};
    for (auto& column : node.bounds.frame.columns)
      for (float& c : column) c = single(1);
    FloatSpan span = {};
    for (int k = 0; k < 3; ++k) {
      span.lo[k] = single(1);
      span.hi[k] = span.lo[k] + std::abs(single(1));
      for (int lane = 0; lane < kWidth; ++lane) {
        node.children.centre[k][lane] = single(2);
        node.children.half[k][lane] = std::abs(single(0.5));
        for (auto& corner : leaf.corner) corner[k][lane] = single(2);
      }
    }
    const auto square = [&](const auto& low, const auto& high) {
      float sum = 0;
      for (int k = 0; k < 3; ++k) {
        const float gap = std::max({low(k) - span.hi[k], span.lo[k] - high(k), 0.0F});
        sum += gap * gap;
      }
      return sum;
    };
    for (const SeenShapeKernels& kernels : targets) {
      FloatSpan found = {};
      kernels.span({x.data(), y.data(), z.data()}, padded, node.bounds.frame, found);
      for (int k = 0; k < 3; ++k) {
        float least = 1e30F, most = -1e30F;
        for (std::size_t c = 0; c < padded; ++c) {
          const Frame& f = node.bounds.frame;
          const float along = (f.axis(k, 0) * x[c] + f.axis(k, 1) * y[c]) + f.axis(k, 2) * z[c];
          least = std::min(least, along), most = std::max(most, along);
        }
        EXPECT_EQ(found.lo[k], least);
        EXPECT_EQ(found.hi[k], most);
      }
      SquaredGaps of_node, of_leaf;
      kernels.node_gaps(node, span, of_node);
      kernels.leaf_gaps(leaf, span, of_leaf);
      for (int lane = 0; lane < kWidth; ++lane) {
        const auto corner = [&](int v, int k) { return leaf.corner[v][k][lane]; };
        const auto at = static_cast<std::size_t>(lane);
        const Boxes8& b = node.children;
        EXPECT_EQ(of_node[at], square([&](int k) { return b.centre[k][lane] - b.half[k][lane]; },
                                      [&](int k) { return b.centre[k][lane] + b.half[k][lane]; }));
        EXPECT_EQ(of_leaf[at], square(
                                   [&](int k) {
                                     return std::min({corner(0, k), corner(1, k), corner(2, k)});
                                   },
                                   [&](int k) {
                                     return std::max({corner(0, k), corner(1, k), corner(2, k)});
                                   }));
        apart += of_node[at] > 0;
        ++lanes;
      }
    }
  }
  EXPECT_GE(apart, lanes / 10);
  EXPECT_LT(apart, lanes);
}

TEST(ShapeFaces, HalfSpacesAreExact) {
  Random random(1849);
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
  Random random(1844);
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
  Random random(1845);
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
  EXPECT_THROW((void)intersecting_faces(soup, {}, hollow, {}), InvalidInput);
  // What is stopped says so.
  const Budget little{.max_work = 3};
  EXPECT_FALSE(intersecting_faces(Shape::sphere(1), {}, hollow, {}, little).complete);
  EXPECT_FALSE(
      intersects(Shape::sphere(0.5), Pose::from_translation({0.45, 0, 0}), soup, {}, little)
          .decided);
  const DistanceResult stopped =
      distance(Shape::sphere(0.1), Pose::from_translation({3, 0, 0}), soup, {}, {.budget = little});
  EXPECT_FALSE(stopped.complete);
  EXPECT_LE(stopped.distance.lower, 1.91);
}

// ---- in motion
// -----------------------------------------------------------------------------------

TEST(ShapeFaces, MotionsAreFreeUntilAFaceIsTouched) {
  Random random(1846);
  int hits = 0;
  const int cases = scaled(150);
  for (int i = 0; i < cases; ++i) {
    const Object object = i % 3 == 0 ? Object(scenes::bumpy_sphere(300, random.next()))
                                     : faces_around(random, 1 + random.below(60), 0.3);
    const int kind = static_cast<int>(random.below(12));
    const Shape shape =
        kind == 11 ? Shape::half_space(random.direction(), -1.8) : some_shape(random, kind);
    const int move_a = static_cast<int>(random.below(kShapeMotions)),
              move_b = static_cast<int>(random.below(kShapeMotions));
    const Motion motion_a = some_motion(random, move_a, Vec3(3, 0, 0) + random.in_box(0.3),
                                        Vec3(0, kind == 11 ? 0.6 : 2.2, 0) + random.in_box(0.8)),
                 motion_b = some_motion(random, move_b, random.in_box(0.2), random.in_box(0.2));
    const ToiOptions options{.tolerance = std::exp2(random.uniform(-30, -8)),
                             .clearance = random.below(4) == 0 ? 0.05 : 0};
    SCOPED_TRACE(testing::Message()
                 << "case " << i << ": shape " << kind << ", motions " << move_a << ' ' << move_b);
    const Shape soup = Shape::soup(object);
    const ToiResult r = time_of_impact(shape, motion_a, soup, motion_b, options);
    judge_impact(shape, motion_a, soup, motion_b, options, r, 30);
    EXPECT_NE(r.status, ToiStatus::undecided) << "at " << r.time.lower;
    hits += r.status == ToiStatus::contact;

    // The same, face by face: both are in contact once the distance is 0, and neither before it is
    // at most the tolerance.
    const ToiResult slow = brute_force::time_of_impact(shape, motion_a, soup, motion_b, options);
    judge_impact(shape, motion_a, soup, motion_b, options, slow, 5);
    if (r.status == slow.status && r.status == ToiStatus::contact) {
      EXPECT_NEAR(r.time.upper, slow.time.upper, 3 * std::sqrt(options.tolerance));
      if (std::abs(r.time.upper - slow.time.upper) == 0) {
        EXPECT_EQ(r.contact->face_b, slow.contact->face_b);
      }
    }
    const ToiResult turned = time_of_impact(soup, motion_b, shape, motion_a, options);
    EXPECT_EQ(turned.status, r.status);
    EXPECT_EQ(turned.time, r.time);
    if (r.contact) {
      EXPECT_EQ(turned.contact->face_a, r.contact->face_b);
      EXPECT_LE(brute_force::closest_point(object, motion_b.pose(r.time.upper), r.contact->point_b)
                    .distance,
                r.tolerance);
    }
  }
  expect_about_half(hits, cases);
}

// A box as a solid and as a soup moves the same way until it touches.
TEST(ShapeFaces, MotionsAgreeWithThoseOfSoups) {
  Random random(1847);
  int hits = 0;
  const int cases = scaled(60);
  for (int i = 0; i < cases; ++i) {
    const Vec3 half(0.5, 0.3, 0.4);
    const Object surface{scenes::box(-half, half)}, object = faces_around(random, 60, 0.2);
    const Motion motion_a = some_motion(random, i, Vec3(2.5, 0, 0),
                                        random.direction() * random.uniform(1.5, 4)),
                 motion_b = some_motion(random, i / kShapeMotions, Vec3(0, 0, 0), Vec3(0.1, 0, 0));
    const Shape box = Shape::box(half), soup = Shape::soup(object);
    const ToiOptions sharp{.tolerance = 1e-9}, wide{.tolerance = 1e-8, .clearance = 1e-7};
    const ToiResult solid = time_of_impact(box, motion_a, soup, motion_b, sharp),
                    hollow = time_of_impact(surface, motion_a, object, motion_b, sharp),
                    solid_wide = time_of_impact(box, motion_a, soup, motion_b, wide),
                    hollow_wide = time_of_impact(surface, motion_a, object, motion_b, wide);
    if (solid.status == ToiStatus::initially_touching) continue;
    // Within the tolerance of one is within the clearance of the other.
    if (solid.status == ToiStatus::contact) {
      EXPECT_LE(hollow_wide.time.lower, solid.time.upper);
      EXPECT_NE(hollow_wide.status, ToiStatus::free);
    }
    if (hollow.status == ToiStatus::contact) {
      EXPECT_LE(solid_wide.time.lower, hollow.time.upper);
      EXPECT_NE(solid_wide.status, ToiStatus::free);
    }
    hits += solid.status == ToiStatus::contact;
  }
  expect_about_half(hits, cases);
}

TEST(ShapeFaces, ABallOnASoupMaySeparate) {
  const Object plate{scenes::box({-2, -2, -0.1}, {2, 2, 0}, 8)};
  const Shape soup = Shape::soup(plate), ball = Shape::sphere(0.5);
  const Motion still = Motion::at({}),
               up = Motion::interpolated(Pose::from_translation({0.1, 0.2, 0.5}),
                                         Pose::from_translation({0.1, 0.2, 2})),
               down = Motion::interpolated(Pose::from_translation({0.1, 0.2, 0.5}),
                                           Pose::from_translation({0.1, 0.2, 0.1}));
  const ToiOptions options{.tolerance = 1e-6, .may_separate = true};
  const ToiResult lifted = time_of_impact(ball, up, soup, still, options);
  EXPECT_EQ(lifted.status, ToiStatus::free);
  EXPECT_GT(lifted.separated_at, 0);
  EXPECT_LT(lifted.separated_at, 1e-3);
  judge_impact(ball, up, soup, still, options, lifted);
  EXPECT_EQ(time_of_impact(ball, down, soup, still, options).status, ToiStatus::initially_touching);
  EXPECT_EQ(time_of_impact(ball, up, soup, still, {.tolerance = 1e-6}).status,
            ToiStatus::initially_touching);
}

TEST(ShapeFaces, RoundedSoupsAreThicker) {
  const Object plate{scenes::box({-2, -2, -0.1}, {2, 2, 0}, 3)};
  const Shape thick = Shape::soup(plate).rounded(0.25), ball = Shape::sphere(0.5);
  const Motion fall = Motion::interpolated(Pose::from_translation({0.3, 0.2, 3}),
                                           Pose::from_translation({0.3, 0.2, 0}));
  const ToiResult r = time_of_impact(ball, fall, thick, Motion::at({}), {.tolerance = 1e-9});
  ASSERT_EQ(r.status, ToiStatus::contact);
  EXPECT_NEAR(r.time.upper, 2.25 / 3, 1e-8);
  EXPECT_NEAR(distance(ball, fall.pose(0), thick, {}).distance.upper, 2.25, 1e-12);
  EXPECT_TRUE(intersects(ball, Pose::from_translation({0, 0, 0.74}), thick, {}).intersects);
  EXPECT_FALSE(intersects(ball, Pose::from_translation({0, 0, 0.76}), thick, {}).intersects);
}

}  // namespace
}  // namespace touche
