// SPDX-License-Identifier: Apache-2.0
// Second derivatives of gaps against differences, and the spring that they make.
#include "response/gap_curvature.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "shape/near_shapes.h"
#include "shape/shape_data.h"
#include "test_scale.h"
#include "touche/pose.h"

namespace touche::gap_curvature_test {
namespace {

using test::scaled;

// A contact of two features at given points: of a at `p`, of b at `q`.
struct Place {
  Contact contact;
  Vec3 centre = Vec3::Zero(), along_a = Vec3::Zero(), along_b = Vec3::Zero();
};

Place random_place(base::Random& random, FeatureKind a, FeatureKind b) {
  Place place;
  Contact& contact = place.contact;
  contact.feature_a.kind = a;
  contact.feature_b.kind = b;
  place.along_a = random.direction();
  place.along_b = random.direction();
  const Vec3 across = place.along_a.cross(place.along_b);
  contact.normal = across.norm() > 0.2 ? Vec3(across.normalized()) : place.along_a.unitOrthogonal();
  if (random.below(2) == 0) contact.normal = -contact.normal;
  contact.distance = 1e-7;
  contact.point_a = random.in_box(2);
  contact.point_b = contact.point_a + contact.distance * contact.normal;
  place.centre = random.in_box(2);
  return place;
}

// The distance along the normal when a's body has turned about the centre and was shifted.
double gap(const Place& place, const response::Vec6& twist) {
  const Contact& contact = place.contact;
  const Vec3 turn = twist.tail<3>();
  const Mat3 rotation = Pose::from_axis_angle(turn, turn.norm(), Vec3::Zero()).matrix();
  const Vec3 p = place.centre + twist.head<3>() + rotation * (contact.point_a - place.centre);
  Vec3 normal = contact.normal;
  if (contact.feature_b.kind == FeatureKind::vertex) normal = rotation * normal;
  if (contact.feature_a.kind == FeatureKind::edge) {
    normal = (rotation * place.along_a).cross(place.along_b).normalized();
    if (normal.dot(contact.normal) < 0) normal = -normal;
  }
  return normal.dot(contact.point_b - p);
}

TEST(GapCurvature, IsTheSecondDerivative) {
  base::Random random(1);
  const std::pair<FeatureKind, FeatureKind> kinds[] = {{FeatureKind::vertex, FeatureKind::face},
                                                       {FeatureKind::face, FeatureKind::vertex},
                                                       {FeatureKind::edge, FeatureKind::edge}};
  double largest = 0;
  for (const auto& [a, b] : kinds)
    for (int i = 0; i < scaled(200); ++i) {
      const Place place = random_place(random, a, b);
      if (std::abs(place.along_a.cross(place.along_b).norm()) < 0.2) continue;
      response::Vec6 twist;
      twist.head<3>() = random.direction();
      twist.tail<3>() = random.direction();
      constexpr double kStep = 1e-3;
      const double by_differences =
          (gap(place, kStep * twist) - 2 * gap(place, response::Vec6(1e-9 * twist)) +
           gap(place, -kStep * twist)) /
          (kStep * kStep);
      const response::Mat6 curvature =
          response::gap_curvature(place.contact, place.centre, place.along_a, place.along_b);
      EXPECT_EQ(curvature, response::Mat6(curvature.transpose()));
      EXPECT_NEAR(twist.dot(curvature * twist), by_differences, 2e-2);
      largest = std::max(largest, std::abs(by_differences));
    }
  EXPECT_GT(largest, 1);
}

// The same of round features: against distances of the bodies themselves.
double shape_gap(const Shape& a, const Pose& pose_a, const Shape& b, const Vec3& centre,
                 const response::Vec6& twist) {
  const Vec3 turn = twist.tail<3>();
  const Pose moved =
      twist.isZero(0) ? Pose() : Pose::from_axis_angle(turn, turn.norm(), Vec3::Zero());
  const Vec3 place = centre + twist.head<3>() + moved * (pose_a.translation() - centre);
  const Pose pose = Pose::from_quaternion_unchecked(moved.rotation() * pose_a.rotation(), place);
  return distance(a, pose, b, {}).distance.upper;
}

TEST(GapCurvature, OfShapesIsTheSecondDerivativeOfTheirDistance) {
  base::Random random(3);
  const Vec3 tetrahedron[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const Shape shapes[] = {Shape::sphere(0.5),
                          Shape::capsule(0.3, 1),
                          Shape::cylinder(0.4, 1),
                          Shape::cylinder(0.4, 1).rounded(0.2),
                          Shape::ellipsoid({0.5, 0.7, 0.4}),
                          Shape::hull(tetrahedron).rounded(0.3),
                          Shape::box({0.5, 0.4, 0.3}).rounded(0.3),
                          Shape::half_space(Vec3::UnitZ(), 0)};
  int asked = 0;
  double largest = 0;
  for (int i = 0; i < scaled(400, 100); ++i) {
    const Shape &a = shapes[random.below(7)], &b = shapes[random.below(8)];
    const Vec3 axis = random.direction(), aside = 3 * random.direction();
    const bool above = b.kind() == ShapeKind::half_space;
    const Pose pose_a =
        Pose::from_axis_angle(axis, 2, above ? Vec3(aside.x(), 0, 2 + aside.z() / 6) : aside);
    NearResult near;
    near_features(a, pose_a, b, {}, {.max_distance = 5, .turn = 1e-4}, near);
    // A single contact candidate that is the nearest pair; others meet in a segment or a polygon.
    if (near.contacts.size() != 1 || !(near.contacts[0].distance > 0.01)) continue;
    const Contact& contact = near.contacts[0];
    const Vec3 centre = pose_a.translation() + random.in_box(0.5);
    const Mat3 turn = pose_a.matrix();
    shape::CurvatureRadii radii_a = shape::curvature_radii(shape::body_of(a), contact.feature_a,
                                                           turn.transpose() * contact.normal);
    radii_a = {turn * radii_a.round * turn.transpose(), turn * radii_a.flat * turn.transpose()};
    shape::CurvatureRadii radii_b;
    if (above)
      radii_b.flat.setIdentity();
    else
      radii_b = shape::curvature_radii(shape::body_of(b), contact.feature_b, -contact.normal);
    const response::Mat6 curvature = response::gap_curvature(contact, centre, radii_a, radii_b);
    EXPECT_EQ(curvature, response::Mat6(curvature.transpose()));
    response::Vec6 twist;
    twist.head<3>() = random.direction();
    twist.tail<3>() = random.direction();
    constexpr double kStep = 1e-3;
    const auto gap_at = [&](double t) {
      return shape_gap(a, pose_a, b, centre, response::Vec6(t * twist));
    };
    const double by_differences =
        (gap_at(kStep) - 2 * gap_at(0) + gap_at(-kStep)) / (kStep * kStep);
    // Difference quotients disagree where the contact moves on to other features.
    const double by_half =
        (gap_at(kStep / 2) - 2 * gap_at(0) + gap_at(-kStep / 2)) * 4 / (kStep * kStep);
    if (std::abs(by_half - by_differences) > 0.01) continue;
    EXPECT_NEAR(twist.dot(curvature * twist), by_differences, 0.02 * (1 + std::abs(by_differences)))
        << name(a.kind()) << ' ' << name(b.kind()) << ' ' << i;
    largest = std::max(largest, std::abs(by_differences));
    ++asked;
  }
  EXPECT_GT(asked, scaled(400, 100) / 3);
  EXPECT_GT(largest, 1);
}

// Where nothing is bent it is the spring itself; else no direction is weaker than half of it, and
// it pulls as the spring does at first.
TEST(GapCurvature, BendsASpring) {
  base::Random random(2);
  int weaker = 0;
  for (int i = 0; i < scaled(200); ++i) {
    response::Mat6 root, change;
    for (double& value : root.reshaped()) value = random.uniform(-1, 1);
    for (double& value : change.reshaped()) value = random.uniform(-1, 1);
    const response::Mat6 metric = root * root.transpose() + 0.1 * response::Mat6::Identity();
    response::Vec6 start;
    for (double& value : start) value = random.uniform(-1, 1);
    const response::BentSpring same = response::bend(metric, start, response::Mat6::Zero());
    EXPECT_LT((same.metric - metric).norm(), 1e-9);
    EXPECT_LT((same.start - start).norm(), 1e-9);

    const response::Mat6 curvature = change + change.transpose();
    const response::BentSpring bent = response::bend(metric, start, curvature);
    EXPECT_LT((bent.metric * bent.start - metric * start).norm(), 1e-9);
    const Eigen::GeneralizedSelfAdjointEigenSolver<response::Mat6> by_spring(bent.metric, metric),
        unbent(response::Mat6(metric - curvature), metric);
    EXPECT_GT(by_spring.eigenvalues().minCoeff(), 0.5 - 1e-9);
    EXPECT_NEAR(by_spring.eigenvalues().maxCoeff(), std::max(0.5, unbent.eigenvalues().maxCoeff()),
                1e-6);
    if (unbent.eigenvalues().minCoeff() < 0.5) ++weaker;
  }
  EXPECT_GT(weaker, scaled(200) / 4);
}

}  // namespace
}  // namespace touche::gap_curvature_test
