// SPDX-License-Identifier: Apache-2.0
// The normals of faces that touch.
#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "shapes.h"
#include "touche/query.h"

namespace touche::contact_normals_test {
namespace {

/// Two triangles at z = 0 that face upwards.
Object plate(double half) {
  const double xyz[] = {-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0};
  const Index corners[] = {0, 1, 2, 0, 2, 3};
  return Object(PolygonSoup(xyz, corners));
}

/// A box that stands on z = 0, turned about an axis across it. At turn = 0 everything is exact.
Object standing_box(const Vec3& at, double turn) {
  const PolygonSoup box = scenes::box({-0.5, -0.5, 0}, {0.5, 0.5, 1}, 1);
  const Pose pose = Pose::from_axis_angle(Vec3::UnitZ(), turn, at);
  std::vector<double> xyz;
  for (const Vec3& v : box.vertices()) {
    const Vec3 x = turn == 0 ? Vec3(v + at) : pose * v;
    xyz.insert(xyz.end(), x.begin(), x.end());
  }
  std::vector<Index> corners;
  for (const auto& t : box.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  return Object(PolygonSoup(xyz, corners));
}

/// Checks that all normals lead from the plate to the box; returns the number of contacts.
std::size_t expect_upright(const Object& ground, const Object& box, const Pose& pose) {
  const Vec3 up = pose.rotate(Vec3::UnitZ());
  const ContactsResult on_plate = contacts(ground, pose, box, pose),
                       under_box = contacts(box, pose, ground, pose);
  for (const Contact& c : on_plate.contacts)
    EXPECT_LT((c.normal - up).norm(), 1e-9) << c.face_a << ' ' << c.face_b;
  for (const Contact& c : under_box.contacts)
    EXPECT_LT((c.normal + up).norm(), 1e-9) << c.face_a << ' ' << c.face_b;
  return on_plate.contacts.size() + under_box.contacts.size();
}

// In the middle both triangles meet below two corners of the box; at 1.5 the box's sides are flush
// with the plate's sides; further out it overhangs.
TEST(ContactNormals, ABoxFlatOnAPlateHasThoseOfThePlate) {
  base::Random random(5);
  const Object ground = plate(2);
  for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0.25, -0.5, 0), Vec3(1.5, 1.5, 0), Vec3(1.5, -1, 0),
                         Vec3(2, 0.3, 0), Vec3(2.25, 2.25, 0)}) {
    const Object box = standing_box(at, 0);
    SCOPED_TRACE(testing::Message() << "at " << at.transpose());
    EXPECT_GE(expect_upright(ground, box, {}), 8U);
    for (int i = 0; i < 20; ++i)
      expect_upright(
          ground, box,
          Pose::from_axis_angle(random.direction(), random.uniform(0, 3), random.in_box(3)));
  }
  std::size_t listed = 0;
  for (int i = 0; i < 50; ++i) {
    const Vec3 at(random.uniform(-1, 1), random.uniform(-1, 1), 0);
    const Object box = standing_box(at, random.uniform(0, 3));
    listed += expect_upright(ground, box, {});
    listed += expect_upright(
        ground, box,
        Pose::from_axis_angle(random.direction(), random.uniform(0, 3), random.in_box(3)));
  }
  EXPECT_GT(listed, 1000U);
}

TEST(ContactNormals, FacesThatCrossHaveThatOfThePiercedFace) {
  const double tip[] = {0.5, 0, -0.1, 0.6, 0, 1, 0.4, 0, 1};
  const Index corners[] = {0, 1, 2};
  const Object ground = plate(2), needle(PolygonSoup(tip, corners));
  const ContactsResult r = contacts(ground, {}, needle, {});
  ASSERT_EQ(r.contacts.size(), 1U);
  EXPECT_LT((r.contacts[0].normal - Vec3::UnitZ()).norm(), 1e-12);
}

// Two roofs, one on top of the other, whose ridges cross: no face has the other body on one side.
TEST(ContactNormals, EdgesThatCrossHaveTheirCommonNormal) {
  const double below[] = {-1, 0, 0, 1, 0, 0, 0, 1, -1, 0, -1, -1};
  const double above[] = {0, -1, 0, 0, 1, 0, 1, 0, 1, -1, 0, 1};
  const Index corners[] = {0, 1, 2, 1, 0, 3};
  const Object a(PolygonSoup(below, corners)), b(PolygonSoup(above, corners));
  const ContactsResult r = contacts(a, {}, b, {});
  ASSERT_EQ(r.contacts.size(), 4U);
  for (const Contact& c : r.contacts) EXPECT_LT((c.normal - Vec3::UnitZ()).norm(), 1e-12);
}

}  // namespace
}  // namespace touche::contact_normals_test
