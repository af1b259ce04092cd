// SPDX-License-Identifier: Apache-2.0
#include "deforming_scenes.h"

#include <algorithm>
#include <cmath>

#include "headlamp_parts.h"
#include "mesh_builder.h"
#include "pi.h"
#include "shapes.h"

namespace touche::scenes {
namespace {

/// Two functions of an angle that stay smooth where a bend straightens out.
double sine_over(double k, double s) { return std::abs(k) < 1e-9 ? s : std::sin(k * s) / k; }
double versine_over(double k, double s) {
  return std::abs(k) < 1e-9 ? 0.0 : (1 - std::cos(k * s)) / k;
}

/// The position, at time t, of the point of the cloth whose position in the flat square [−1, 1]² is
/// (u, v).
Vec3 cloth_at(double u, double v, double t) {
  const double wave = 0.5 - 0.5 * std::cos(2 * kPi * t);  // 0 at both ends, 1 in the middle
  const double lift = 0.62 - 0.56 * wave, droop = 1.1 * wave;
  const double ripple = 0.05 * std::sin(5 * u + 3 * v - 6 * kPi * t) +
                        0.03 * std::sin(-7 * u + 8 * v + 4 * kPi * t) +
                        0.015 * std::sin(17 * v - 10 * kPi * t);
  const double x = sine_over(droop, u), down = versine_over(droop, u);
  // The ripple stands on the drooping cloth.
  return {x + wave * ripple * std::sin(droop * u), v * (1 - 0.04 * wave),
          lift - down + wave * ripple * std::cos(droop * u)};
}

/// The hose's middle is an arc in a plane, which sways about the straight hose.
struct Hose {
  Vec3 start{-190, 40, 210};
  double length = 330, radius = 9;

  Vec3 at(double s, const Vec2& u, double t) const {
    const double bend = 1.5 * kPi * (0.5 - 0.5 * std::cos(2 * kPi * t)) / length;
    const double sway = 0.5 * std::sin(4 * kPi * t);
    const Vec3 along = Vec3::UnitX();
    const Vec3 aside(0, -std::sin(sway), -std::cos(sway));  // it bends to there
    const Vec3 across = along.cross(aside);
    const Vec3 out = std::cos(bend * s) * aside - std::sin(bend * s) * along;
    return start + sine_over(bend, s) * along + versine_over(bend, s) * aside +
           radius * (u.x() * out + u.y() * across);
  }
};

void append(std::vector<double>& coordinates, const Vec3& p) {
  coordinates.insert(coordinates.end(), p.begin(), p.end());
}

PolygonSoup with_vertices(PolygonSoup soup, const std::vector<double>& coordinates) {
  soup.move_vertices(coordinates);
  return soup;
}

}  // namespace

DeformingScene cloth_and_ball(Index triangles) {
  const auto n = static_cast<Index>(std::max(1L, std::lround(std::sqrt(triangles / 2.0))));
  const auto at = [n](Index i) { return 2.0 * i / n - 1; };
  MeshBuilder mesh;
  for (Index i = 0; i <= n; ++i)
    for (Index j = 0; j <= n; ++j) mesh.vertex({at(i), at(j), 0});
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Index a = i * (n + 1) + j, b = a + n + 1;
      mesh.face({a, b, b + 1});
      mesh.face({a, b + 1, a + 1});
    }

  DeformingScene scene;
  scene.title = "A waving cloth and a ball";
  scene.vertices = [n, at](double t) {
    std::vector<double> coordinates;
    coordinates.reserve(3 * (n + 1) * (n + 1));
    for (Index i = 0; i <= n; ++i)
      for (Index j = 0; j <= n; ++j) append(coordinates, cloth_at(at(i), at(j), t));
    return coordinates;
  };
  scene.rest = with_vertices(mesh.soup(), scene.vertices(0));
  MeshBuilder ball;
  ball.add(sphere(0.5, triangles), Pose::from_translation({0, 0, -0.5}));
  scene.obstacle = ball.soup();
  return scene;
}

DeformingScene hose_and_housing(Index triangles) {
  // Six times as long as round: nearly square pieces.
  const auto around =
      std::max<Index>(8, 4 * static_cast<Index>(std::lround(std::sqrt(triangles / 12.0) / 4)));
  const auto along = std::max<Index>(12, triangles / (2 * around));
  const Hose hose;
  const auto vertices = [=](double t) {
    std::vector<double> coordinates;
    coordinates.reserve(3 * around * (along + 1));
    for (Index i = 0; i <= along; ++i)
      for (Index k = 0; k < around; ++k)
        append(coordinates, hose.at(hose.length * i / along, on_circle(k, around), t));
    return coordinates;
  };

  MeshBuilder mesh;
  std::vector<Ring> rings;
  for (Index i = 0; i <= along; ++i)
    rings.push_back(mesh.ring(around, [&](Index k) {
      return hose.at(hose.length * i / along, on_circle(k, around), 0);
    }));
  mesh.cap_below(rings.front());
  for (Index i = 0; i < along; ++i) mesh.strip(rings[i], rings[i + 1]);
  mesh.cap(rings.back());

  DeformingScene scene;
  scene.title = "A bending hose behind a headlamp";
  scene.rest = mesh.soup();
  scene.vertices = vertices;
  scene.obstacle = headlamp_housing(Detail{});
  return scene;
}

}  // namespace touche::scenes
