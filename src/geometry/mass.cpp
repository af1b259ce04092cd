// SPDX-License-Identifier: Apache-2.0
// Integrals over a solid are sums over its surface: each triangle forms a tetrahedron with a point
// near the solid, with the sign of the side that the triangle turns to that point.
#include "touche/mass.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "geometry/equal_positions.h"
#include "geometry/half_edges.h"

namespace touche {

namespace {

void check_closed(const PolygonSoup& soup) {
  const std::vector<Index> merged = geometry::merge_equal_positions(soup.vertices());
  Index open = 0, inconsistent = 0;
  geometry::for_each_edge(
      soup.vertex_count(), soup.corner_count(),
      [&](Index c) { return merged[soup.corner_vertex(c)]; },
      [&](Index c) { return soup.next_corner(c); },
      [&](std::span<const geometry::EdgeUse> uses) {
        std::size_t backward = 0;
        for (const geometry::EdgeUse& use : uses) backward += use.backward;
        if (2 * backward == uses.size()) return;
        ++(uses.size() % 2 ? open : inconsistent);
      });
  if (open > 0)
    throw InvalidInput("mass properties: the surface is not closed: " + std::to_string(open) +
                       " edges have an odd number of faces");
  if (inconsistent > 0)
    throw InvalidInput("mass properties: the faces are not consistently oriented: " +
                       std::to_string(inconsistent) + " edges have the same direction in both");
}

/// Integrals of 1, x and x xᵀ over a solid, relative to a point near it and in a unit of its own
/// size.
struct Moments {
  double volume = 0, magnitude = 0;  ///< the latter: sum of absolute values
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

Moments moments(const PolygonSoup& soup, const Vec3& middle, double unit) {
  Moments sum;
  for (const auto& [i, j, k] : soup.triangles()) {
    const Vec3 a = (soup.vertex(i) - middle) / unit, b = (soup.vertex(j) - middle) / unit,
               c = (soup.vertex(k) - middle) / unit, s = a + b + c;
    // For the tetrahedron with corners 0, a, b, c, the mean of x is s / 4, and the mean of x xᵀ is
    // (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20.
    const double volume = a.dot((b - a).cross(c - a)) / 6;
    sum.volume += volume;
    sum.magnitude += std::abs(volume);
    sum.first += volume / 4 * s;
    sum.second += volume / 20 *
                  (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  return sum;
}

/// Converts the integral of x xᵀ to that of |x|² − x xᵀ, and back up to a factor.
Mat3 inertia_of(const Mat3& second) { return second.trace() * Mat3::Identity() - second; }

/// The inertia of a point mass.
Mat3 point_inertia(double mass, const Vec3& at) { return mass * inertia_of(at * at.transpose()); }

}  // namespace

MassProperties mass_properties(const PolygonSoup& soup, double density) {
  if (!(density > 0) || !std::isfinite(density))
    throw InvalidInput("mass properties: the density must be a positive number");
  check_closed(soup);

  // The unit is a power of two, so that scaling is exact.
  const Vec3 middle = 0.5 * soup.bounds().lo + 0.5 * soup.bounds().hi;
  const double size = (soup.bounds().hi - middle).maxCoeff();
  if (!(size > 0)) throw InvalidInput("mass properties: the surface encloses no volume");
  const double unit = std::ldexp(1, std::ilogb(size));
  Moments sum = moments(soup, middle, unit);
  // A smaller volume is only rounding error.
  if (!(std::abs(sum.volume) > 1e-13 * sum.magnitude))
    throw InvalidInput("mass properties: the surface encloses no volume");
  if (sum.volume < 0) {
    sum.volume = -sum.volume;
    sum.first = -sum.first;
    sum.second = -sum.second;
  }

  const Vec3 centre = sum.first / sum.volume;
  const Mat3 about_centre = sum.second - sum.volume * centre * centre.transpose();
  MassProperties body;
  body.mass = density * sum.volume * unit * unit * unit;
  body.centre = middle + unit * centre;
  body.inertia = body.mass / sum.volume * unit * unit * inertia_of(about_centre);
  validate(body);
  return body;
}

MassProperties placed(const MassProperties& body, const Pose& pose) {
  const Mat3 r = pose.matrix(), turned = r * body.inertia * r.transpose();
  return {body.mass, pose * body.centre, 0.5 * (turned + turned.transpose())};
}

MassProperties combined(std::span<const MassProperties> bodies) {
  if (bodies.empty()) throw InvalidInput("combined mass properties: there are no bodies");
  if (bodies.size() == 1) return bodies[0];
  MassProperties all;
  // Relative to the first centre, which is near the others even if the origin is not.
  const Vec3 origin = bodies[0].centre;
  for (const MassProperties& body : bodies) {
    validate(body);
    all.mass += body.mass;
    all.centre += body.mass * (body.centre - origin);
  }
  all.centre = origin + all.centre / all.mass;
  for (const MassProperties& body : bodies)
    all.inertia += body.inertia + point_inertia(body.mass, body.centre - all.centre);
  return all;
}

void validate(const MassProperties& body) {
  if (!(body.mass > 0) || !std::isfinite(body.mass))
    throw InvalidInput("mass properties: the mass must be a positive number");
  if (!body.centre.allFinite())
    throw InvalidInput("mass properties: the centre of mass must be finite");
  if (!body.inertia.allFinite()) throw InvalidInput("mass properties: the inertia must be finite");
  const double size = body.inertia.cwiseAbs().maxCoeff();
  if (!(size >= std::numeric_limits<double>::min()))
    throw InvalidInput("mass properties: the inertia must not be zero");
  const Mat3 scaled = body.inertia / size;
  if ((scaled - scaled.transpose()).cwiseAbs().maxCoeff() > 1e-12)
    throw InvalidInput("mass properties: the inertia must be symmetric");
  const Vec3 principal =
      Eigen::SelfAdjointEigenSolver<Mat3>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(principal[0] > 0))
    throw InvalidInput("mass properties: the principal moments of inertia must be positive");
  if (principal[2] > principal[0] + principal[1] + 1e-12)
    throw InvalidInput(
        "mass properties: no body has a moment of inertia larger than the other two together");
}

}  // namespace touche
