// SPDX-License-Identifier: Apache-2.0
#include "touche/shape.h"

#include <cmath>
#include <numbers>
#include <string>

#include "shape/hull_soup.h"
#include "shape/shape_data.h"

namespace touche {
namespace {

constexpr double kPi = std::numbers::pi;

/// Integrals of 1 and of the squared coordinates over a solid that is symmetric about its
/// coordinate planes.
struct Moments {
  double volume = 0;
  Vec3 squares = Vec3::Zero();
};

/// A box swept by a ball consists of the box, a slab on each face, a quarter of a cylinder at each
/// edge, and an eighth of a ball at each corner. A coordinate in these quarters and eighths is that
/// in the disc or ball, away from the middle, plus the half width.
Moments of_rounded_box(const Vec3& h, double r) {
  const double r2 = r * r, r3 = r2 * r, r4 = r3 * r, r5 = r4 * r;
  Moments m;
  const double box = 8 * h.prod(), ball = 4.0 / 3 * kPi * r3;
  m.volume =
      box + 8 * r * (h[1] * h[2] + h[0] * h[2] + h[0] * h[1]) + 2 * kPi * r2 * h.sum() + ball;
  for (int i = 0; i < 3; ++i) {
    const double x = h[i], y = h[(i + 1) % 3], z = h[(i + 2) % 3], x2 = x * x;
    const double across = box + 8 * r * (x * z + x * y) + 2 * kPi * r2 * x;  // |x| <= h
    const double ends = 8 * y * z * (r * x2 + r2 * x + r3 / 3);
    const double edges = 2 * (y + z) * (kPi * r4 / 4 + 8.0 / 3 * r3 * x + kPi * r2 * x2);
    const double corners = 4.0 / 15 * kPi * r5 + kPi * r4 * x + ball * x2;
    m.squares[i] = across * x2 / 3 + ends + edges + corners;
  }
  return m;
}

/// A cylinder swept by a ball consists of the cylinder, a disc at each end, a shell, and the solid
/// of revolution of a quarter disc around the rim of each end.
Moments of_rounded_cylinder(double radius, double h, double r) {
  const double r2 = r * r, r3 = r2 * r, r4 = r3 * r, r5 = r4 * r;
  const double R = radius, R2 = R * R, R3 = R2 * R, disc = kPi * R2, outer = (R + r) * (R + r);
  // Integrals of 1, u, u², u³, u v, u v² over the quarter disc, with its coordinates u and v.
  const double q = kPi * r2 / 4, qu = r3 / 3, quu = kPi * r4 / 16, quuu = 2 * r5 / 15, quv = r4 / 8,
               quvv = r5 / 15;
  const double flat = 2 * h * kPi * outer;  // cylinder and shell
  Moments m;
  m.volume = flat + 2 * r * disc + 4 * kPi * (R * q + qu);
  const double ends = 2 * disc * (r * h * h + r2 * h + r3 / 3);
  m.squares.z() = flat * h * h / 3 + ends +
                  4 * kPi * (R * (h * h * q + 2 * h * qu + quu) + h * h * qu + 2 * h * quv + quvv);
  const double around = flat * outer / 2 + 2 * r * disc * R2 / 2 +
                        4 * kPi * (R3 * q + 3 * R2 * qu + 3 * R * quu + quuu);
  m.squares.x() = m.squares.y() = around / 2;
  return m;
}

MassProperties symmetric(const Moments& m, double density) {
  MassProperties body;
  body.mass = density * m.volume;
  body.inertia = (density * (Vec3::Constant(m.squares.sum()) - m.squares)).asDiagonal();
  return body;
}

MassProperties of_cone(double radius, double height, double density) {
  MassProperties body;
  body.mass = density * kPi * radius * radius * height / 3;
  body.centre.z() = -height / 4;
  const double across = body.mass * (3.0 / 20 * radius * radius + 3.0 / 80 * height * height);
  body.inertia = Vec3(across, across, 0.3 * body.mass * radius * radius).asDiagonal();
  return body;
}

MassProperties of_ellipsoid(const Vec3& half_axes, double density) {
  Moments m;
  m.volume = 4.0 / 3 * kPi * half_axes.prod();
  m.squares = m.volume / 5 * half_axes.cwiseAbs2();
  return symmetric(m, density);
}

[[noreturn]] void refuse(const Shape& shape, const char* why) {
  const bool rounded = shape.radius() > 0 && shape.kind() != ShapeKind::half_space;
  throw InvalidInput("mass properties: of a " + std::string(rounded ? "rounded " : "") +
                     std::string(name(shape.kind())) + " " + why);
}

MassProperties unchecked(const Shape& shape, double density) {
  constexpr const char* kGive = "there is no closed form here: give its mass, centre and inertia";
  const Shape::Data& data = base::data_of(shape);
  const double radius = data.radius;
  switch (data.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
    case ShapeKind::box: {
      Aabb core;
      for (const Vec3& p : data.corners) core.include(p);
      return symmetric(of_rounded_box(core.hi, radius), density);
    }
    case ShapeKind::cylinder:
      return symmetric(of_rounded_cylinder(data.round[0].size.x(), data.corners.back().z(), radius),
                       density);
    case ShapeKind::cone:
      if (radius > 0) refuse(shape, kGive);
      return of_cone(data.round[0].size.x(), 2 * data.round[0].size.z(), density);
    case ShapeKind::ellipsoid:
      if (radius > 0) refuse(shape, kGive);
      return of_ellipsoid(data.round[0].size, density);
    case ShapeKind::hull:
    case ShapeKind::zonotope:
    case ShapeKind::sum:
      if (!shape.is_polytope() || radius > 0) refuse(shape, kGive);
      return mass_properties(shape::hull_soup(data.corners), density);
    case ShapeKind::half_space:
      refuse(shape, "are not defined: it has no end");
    case ShapeKind::soup:
      if (radius > 0) refuse(shape, kGive);
      return mass_properties(shape.object().soup(), density);
  }
  refuse(shape, kGive);
}

}  // namespace

MassProperties mass_properties(const Shape& shape, double density) {
  if (!(density > 0) || !std::isfinite(density))
    throw InvalidInput("mass properties: the density must be a positive number");
  MassProperties body = unchecked(shape, density);
  if (body.mass == 0) refuse(shape, "without volume are not defined");
  validate(body);
  return body;
}

}  // namespace touche
