// SPDX-License-Identifier: Apache-2.0
#include "touche/mass.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <random>

#include "shapes.h"
#include "test_scale.h"

namespace touche {
namespace {

constexpr double kPi = std::numbers::pi;

void expect_near(const MassProperties& a, const MassProperties& b, double size, double error) {
  EXPECT_NEAR(a.mass / b.mass, 1, error);
  EXPECT_LT((a.centre - b.centre).norm(), error * size);
  EXPECT_LT((a.inertia - b.inertia).norm(), error * b.inertia.norm());
}

/// The corners of all triangles, moved: a soup of triangles with shared vertices.
PolygonSoup mapped(const PolygonSoup& soup, const auto& map, bool turn_faces = false) {
  std::vector<double> coordinates;
  for (const Vec3& v : soup.vertices()) {
    const Vec3 p = map(v);
    coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});
  }
  std::vector<Index> corners;
  for (const auto& [i, j, k] : soup.triangles())
    corners.insert(corners.end(), {i, turn_faces ? k : j, turn_faces ? j : k});
  return {coordinates, corners};
}
PolygonSoup moved(const PolygonSoup& soup, const Vec3& by) {
  return mapped(soup, [&](const Vec3& v) { return Vec3(v + by); });
}

MassProperties box_in_closed_form(const Vec3& lo, const Vec3& hi, double density) {
  const Vec3 s = hi - lo, q = s.cwiseProduct(s);
  const double mass = density * s.prod();
  const Vec3 principal(q.y() + q.z(), q.x() + q.z(), q.x() + q.y());
  return {mass, 0.5 * (lo + hi), mass / 12 * Mat3(principal.asDiagonal())};
}

TEST(Mass, OfABox) {
  const Vec3 lo(-1, 2, 3), hi(1.5, 2.25, 7);
  for (const Index divisions : {1u, 5u})
    expect_near(mass_properties(scenes::box(lo, hi, divisions), 7.8),
                box_in_closed_form(lo, hi, 7.8), 4, 1e-14);
}

TEST(Mass, OfATetrahedron) {
  // Corners 0, a, b, c along the axes: x² integrates to a³ b c / 60, x y to a² b² c / 120.
  const double a = 1, b = 2, c = 3, volume = a * b * c / 6;
  const PolygonSoup soup(std::vector<double>{0, 0, 0, a, 0, 0, 0, b, 0, 0, 0, c},
                         std::vector<Index>{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3});
  Mat3 second;
  second << a * a / 10, a * b / 20, a * c / 20, a * b / 20, b * b / 10, b * c / 20, a * c / 20,
      b * c / 20, c * c / 10;
  const Vec3 centre(a / 4, b / 4, c / 4);
  second = volume * (second - centre * centre.transpose());
  const MassProperties expected{volume, centre, second.trace() * Mat3::Identity() - second};
  expect_near(mass_properties(soup, 1), expected, 3, 1e-14);
}

TEST(Mass, OfRoundBodies) {
  // Polyhedra with more and more faces approach the round body, from inside, with 1 / faces.
  double last = 1;
  for (const Index triangles : {800u, 3200u, 12800u}) {
    const MassProperties ball = mass_properties(scenes::sphere(2, triangles), 3);
    const double mass = 3 * 4 / 3.0 * kPi * 8;
    const double error = 1 - ball.mass / mass;
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 0.3 * last);
    last = error;
    EXPECT_LT((ball.inertia / ball.mass - 0.4 * 4 * Mat3::Identity()).norm(), 10 * error);
  }
  // A prism of n sides: the area is n/2 r² sin(2π/n), and known moments.
  const Index n = 12;
  const double r = 2, h = 5, angle = 2 * kPi / n, area = n / 2.0 * r * r * std::sin(angle);
  const double mass = area * h, about_axis = mass * r * r / 6 * (2 + std::cos(angle));
  const double across = about_axis / 2 + mass * h * h / 12;
  expect_near(mass_properties(scenes::cylinder(r, h, n), 1),
              {mass, {0, 0, h / 2}, Vec3(across, across, about_axis).asDiagonal()}, h, 1e-14);
}

TEST(Mass, LosesNothingFarFromTheOrigin) {
  // Coordinates that are exact there, too.
  const PolygonSoup box = scenes::box({0, 0, 0}, {1, 2, 4}, 4);
  const Vec3 far(1e9, -3e9, 2e8);
  MassProperties expected = mass_properties(box, 1);
  expected.centre += far;
  expect_near(mass_properties(moved(box, far), 1), expected, 1e9, 1e-14);
}

TEST(Mass, ScalesWithTheUnit) {
  const PolygonSoup body = scenes::bumpy_sphere(500, 3);
  const MassProperties one = mass_properties(body, 1);
  for (const int exponent : {-180, -30, 40, 180}) {
    const double unit = std::ldexp(1, exponent);
    const MassProperties scaled =
        mass_properties(mapped(body, [&](const Vec3& v) { return Vec3(unit * v); }), 1);
    EXPECT_EQ(scaled.mass, std::ldexp(one.mass, 3 * exponent));
    EXPECT_EQ(scaled.inertia, std::ldexp(1, 5 * exponent) * one.inertia);
  }
  const auto huge = [](const Vec3& v) { return Vec3(1e80 * v); };
  EXPECT_THROW((void)mass_properties(mapped(body, huge), 1), InvalidInput);
}

TEST(Mass, TurnsWithTheBody) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const PolygonSoup body = scenes::bumpy_sphere(300, 5, 0.4);
  for (int i = 0; i < test::scaled(200); ++i) {
    const double x = number(random), y = number(random), z = number(random);
    const double angle = 4 * number(random);
    const Pose pose = Pose::from_axis_angle({x, y, z + 2}, angle, Vec3(10 * z, -x, y));
    const PolygonSoup there = mapped(body, [&](const Vec3& v) { return pose * v; });
    expect_near(mass_properties(there, 2.5), placed(mass_properties(body, 2.5), pose), 10, 1e-13);
  }
}

TEST(Mass, OfSeveralComponents) {
  const PolygonSoup a = scenes::box({0, 0, 0}, {1, 1, 1}), b = scenes::box({3, 0, 0}, {5, 2, 1});
  const std::vector<const PolygonSoup*> soups = {&a, &b};
  const std::vector<MassProperties> bodies = {mass_properties(a, 2), mass_properties(b, 2)};
  expect_near(mass_properties(merged(soups), 2), combined(bodies), 5, 1e-14);

  // A box with a cavity, and boxes that share an edge, which has four faces.
  const PolygonSoup whole = scenes::box({0, 0, 0}, {4, 4, 4});
  const PolygonSoup hole = mapped(
      scenes::box({1, 1, 1}, {2, 2, 2}), [](const Vec3& v) { return v; }, true);
  const std::vector<const PolygonSoup*> hollow = {&whole, &hole};
  EXPECT_NEAR(mass_properties(merged(hollow), 1).mass, 63, 1e-12);
  const PolygonSoup beside = scenes::box({1, 1, 0}, {2, 2, 1});
  const std::vector<const PolygonSoup*> at_an_edge = {&a, &beside};
  EXPECT_NEAR(mass_properties(merged(at_an_edge), 1).mass, 2, 1e-14);
}

TEST(Mass, TakesInwardFacesAsTurnedRound) {
  const PolygonSoup body = scenes::bumpy_sphere(300, 5);
  const PolygonSoup inward = mapped(
      body, [](const Vec3& v) { return v; }, true);
  expect_near(mass_properties(inward, 1), mass_properties(body, 1), 1, 1e-14);
}

TEST(Mass, RefusesWhatIsNoSolid) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PolygonSoup box = scenes::box({0, 0, 0}, {1, 1, 1});
  for (const double density : {0.0, -1.0, nan, kInfinity})
    EXPECT_THROW((void)mass_properties(box, density), InvalidInput);

  const std::vector<double> corners = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto refused = [&](std::vector<Index> triangles, const char* reason) {
    try {
      (void)mass_properties(PolygonSoup(corners, triangles), 1);
      ADD_FAILURE() << "accepted, expected: " << reason;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  };
  refused({0, 2, 1, 0, 1, 3, 0, 3, 2}, "not closed");
  refused({0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 3, 2}, "not consistently oriented");
  refused({0, 2, 1, 0, 1, 2}, "no volume");
  EXPECT_THROW((void)mass_properties(scenes::box({0, 0, 0}, {1, 1, 0}), 1), InvalidInput);

  // Two boxes of which one is turned inside out.
  const PolygonSoup inward = mapped(
      scenes::box({4, 0, 0}, {5, 1, 0.5}), [](const Vec3& v) { return v; }, true);
  const std::vector<const PolygonSoup*> both = {&box, &inward};
  EXPECT_THROW((void)mass_properties(merged(both), 1), InvalidInput);
}

TEST(Mass, IsValidated) {
  const MassProperties good{2, Vec3::Zero(), Vec3(1, 2, 3).asDiagonal()};
  EXPECT_NO_THROW(validate(good));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  MassProperties bad = good;
  bad.mass = 0;
  EXPECT_THROW(validate(bad), InvalidInput);
  bad = good;
  bad.centre.y() = nan;
  EXPECT_THROW(validate(bad), InvalidInput);
  bad = good;
  bad.inertia(2, 2) = 3.1;
  EXPECT_THROW(validate(bad), InvalidInput);
  bad = good;
  bad.inertia(0, 1) = 0.1;
  EXPECT_THROW(validate(bad), InvalidInput);
  bad = good;
  bad.inertia(0, 0) = -1;
  EXPECT_THROW(validate(bad), InvalidInput);
  bad.inertia.setZero();
  EXPECT_THROW(validate(bad), InvalidInput);
  EXPECT_THROW((void)combined({}), InvalidInput);
}

}  // namespace
}  // namespace touche
