// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "mesh_builder.h"
#include "pi.h"
#include "scenes.h"

namespace touche::scenes {
namespace {

/// Along x, its tip at the origin.
PolygonSoup bullet() {
  MeshBuilder mesh;
  mesh.lathe(std::array{Vec2(3.8, -18), Vec2(4.5, -17), Vec2(4.5, -9), Vec2(4.1, -6),
                        Vec2(3.2, -3.2), Vec2(1.8, -1.1), Vec2(0, 0)},
             32);
  MeshBuilder turned;
  turned.add(mesh.soup(), Pose::from_axis_angle(Vec3::UnitY(), kPi / 2, Vec3::Zero()));
  return turned.soup();
}

/// Along x from the origin, vertices exactly on its upper and lower line.
PolygonSoup rod(double length, double radius) {
  MeshBuilder mesh;
  const Index n = 24;
  const auto end = [&](double x) {
    return mesh.ring(n, [&](Index i) {
      const Vec2 u = on_circle(i, n) * radius;
      return Vec3(x, u.x(), u.y());
    });
  };
  const Ring a = end(0), b = end(length);
  mesh.cap_below(a);
  mesh.strip(a, b);
  mesh.cap(b);
  return mesh.soup();
}

Scene flying_bullet(const BulletOptions& options) {
  Scene scene;
  scene.title = "A bullet flies through a sheet of paper between two recorded poses";
  const double start = -400, end = 430;
  const double aside = options.miss ? 155 : 0;  // the sheet ends at 150, the bullet is 4.5 thick
  scene.parts.push_back({"bullet", bullet(), Pose::from_translation({start, aside, 0})});
  scene.parts.push_back(
      {"paper", box({-options.wall / 2, -150, -100}, {options.wall / 2, 150, 100}), {}});
  scene.groups.push_back({"bullet", {0}, TranslationMotion{{end - start, 0, 0}, 1}});
  if (!options.miss) scene.first_contact = (-options.wall / 2 - start) / (end - start);
  return scene;
}

Scene sweeping_rod(const BulletOptions& options) {
  Scene scene;
  scene.title = "The end of a long rod sweeps through a sheet of paper between two recorded poses";
  const double radius = 1, near = 900;
  scene.parts.push_back({"rod", rod(options.miss ? near - 1 : 1000, radius), {}});
  scene.parts.push_back({"paper",
                         box({near, -options.wall / 2, -100}, {near + 200, options.wall / 2, 100}),
                         Pose::from_axis_angle(Vec3::UnitZ(), kPi / 4, Vec3::Zero())});
  const Pose end = Pose::from_axis_angle(Vec3::UnitZ(), kPi / 2, Vec3::Zero());
  scene.groups.push_back({"rod", {0}, RecordedMotion{{Pose(), end}, {}}});
  if (!options.miss) {
    // The rod's upper line meets the sheet's inner lower edge, both seen from the pivot.
    const double corner = std::hypot(near, options.wall / 2);
    const double angle = kPi / 4 - std::atan2(options.wall / 2, near) - std::asin(radius / corner);
    scene.first_contact = angle / (kPi / 2);
  }
  return scene;
}

}  // namespace

Scene bullet_and_paper(const BulletOptions& options) {
  if (!(options.wall > 0 && options.wall <= 10))
    throw InvalidInput("bullet_and_paper: the wall's thickness must be in (0, 10]");
  Scene scene =
      options.motion == BulletMotion::translation ? flying_bullet(options) : sweeping_rod(options);
  scene.tolerance = 1e-4;
  scene.truth = options.miss ? Truth::free : Truth::contact;
  if (options.miss) scene.title += ": just missed";
  return scene;
}

}  // namespace touche::scenes
