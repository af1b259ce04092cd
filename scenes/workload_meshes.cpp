// SPDX-License-Identifier: Apache-2.0
#include "workload_meshes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pi.h"
#include "random.h"
#include "shapes.h"

namespace touche::scenes {
namespace {

Vec2 polar(double radius, double angle) { return radius * Vec2(std::cos(angle), std::sin(angle)); }

}  // namespace

PolygonSoup plate(Index triangles) {
  const auto n = std::max<Index>(1, static_cast<Index>(std::lround(std::sqrt(triangles / 2.0))));
  MeshBuilder mesh;
  for (Index i = 0; i <= n; ++i)
    for (Index j = 0; j <= n; ++j) mesh.vertex({2.0 * i / n - 1, 2.0 * j / n - 1, 0});
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Index at = i * (n + 1) + j, next = at + n + 1;
      mesh.face({at, next, next + 1});
      mesh.face({at, next + 1, at + 1});
    }
  return mesh.soup();
}

PolygonSoup scales(std::uint64_t seed, Index count) {
  Random random(seed);
  MeshBuilder mesh;
  for (Index f = 0; f < count; ++f) {
    const Vec3 centre = random.direction();
    const Vec3 u = centre.unitOrthogonal(), v = centre.cross(u);
    const double size = 0.3 * std::pow(10, -random.uniform(0, 4)),
                 turn = random.uniform(0, 2 * kPi);
    mesh.cap(mesh.ring(3, [&](Index k) {
      const Vec2 corner = polar(size, turn + 2 * kPi * k / 3);
      return Vec3(centre + corner.x() * u + corner.y() * v);
    }));
  }
  return mesh.soup();
}

PolygonSoup bundle_of_rods(Index triangles) {
  const auto n = std::max<Index>(1, static_cast<Index>(std::lround(std::sqrt(triangles / 60.0))));
  const PolygonSoup rod = cylinder(0.02, 10, 16);
  const Pose lie = Pose::from_axis_angle(Vec3::UnitY(), kPi / 2, Vec3::Zero());
  MeshBuilder mesh;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      mesh.add(
          rod,
          Pose::from_translation({-5, 0.1 * (i - 0.5 * (n - 1)), 0.1 * (j - 0.5 * (n - 1))}) * lie);
  return mesh.soup();
}

PolygonSoup prism(std::span<const Vec2> outline, double length, Index stations) {
  std::vector<Vec2> profile;
  for (Index i = 0; i <= stations; ++i) profile.push_back({1, length * i / stations});
  MeshBuilder mesh;
  mesh.loft(profile, static_cast<Index>(outline.size()), [&](Index i) { return outline[i]; });
  return mesh.soup();
}

PolygonSoup spur_gear(Index teeth, double backlash, Index triangles) {
  constexpr Index kStations = 3;
  constexpr double kWidth = 0.3, kPressureAngle = 20 * kPi / 180;
  const double module = 2.0 / teeth, base = std::cos(kPressureAngle);
  const double root = 1 - 1.25 * module, tip = 1 + module;
  const auto involute = [&](double radius) {
    const double angle = std::acos(std::min(1.0, base / radius));
    return std::tan(angle) - angle;
  };
  // Half the angle that a tooth takes up at some radius; below the base circle its sides are
  // radial.
  const auto half_tooth = [&](double radius) {
    return kPi / (2 * teeth) - 0.25 * backlash + involute(1) - involute(std::max(radius, base));
  };
  // A prism over n corners has 2 n triangles in each ring of its sides and as many at its ends.
  const Index corners = triangles / (2 * kStations + 2) / teeth;
  const Index on_flank = std::max<Index>(2, corners / 2);
  std::vector<Vec2> outline;
  for (Index tooth = 0; tooth < teeth; ++tooth) {
    const double middle = 2 * kPi * tooth / teeth;
    for (Index i = 0; i < 2 * on_flank; ++i) {
      const bool up = i < on_flank;
      const Index step = up ? i : 2 * on_flank - 1 - i;
      const double radius = root + (tip - root) * step / (on_flank - 1);
      outline.push_back(polar(radius, middle + (up ? -1 : 1) * half_tooth(radius)));
    }
  }
  return prism(outline, kWidth, kStations);
}

PolygonSoup shaft(Index triangles) {
  constexpr Index kStations = 10;
  std::vector<Vec2> profile;
  for (Index i = 0; i <= kStations; ++i) profile.push_back({1, 10.0 * i / kStations});
  MeshBuilder mesh;
  mesh.lathe(profile, std::max<Index>(8, triangles / (2 * kStations + 2)));
  return mesh.soup();
}

PolygonSoup sleeve(double gap, Index triangles) {
  constexpr Index kStations = 10;
  const Index around = std::max<Index>(8, triangles / (2 * kStations + 6));
  // Flat facets come closer to the axis than their corners do.
  const double inner = (1 + gap) / std::cos(kPi / around);
  std::vector<Vec2> profile{{2, 1}, {2, 9}};
  for (Index i = 0; i <= kStations; ++i) profile.push_back({inner, 9 - 8.0 * i / kStations});
  MeshBuilder mesh;
  mesh.lathe(profile, around, true);
  return mesh.soup();
}

PolygonSoup beam(Index segments) {
  constexpr double kHalf = 0.5, kFlange = 0.08, kWeb = 0.05, kFillet = 0.12;
  std::vector<Vec2> outline;
  // One quarter after the other, each from the middle of a web's side to the outer corner, or back.
  const auto add_quarter = [&](double x, double y, bool outwards) {
    std::vector<Vec2> quarter;
    const Vec2 centre(kWeb + kFillet, kHalf - kFlange - kFillet);
    for (Index i = 0; i <= segments; ++i)
      quarter.push_back(centre + polar(kFillet, kPi - 0.5 * kPi * i / segments));
    quarter.push_back({kHalf, kHalf - kFlange});
    quarter.push_back({kHalf, kHalf});
    if (!outwards) std::reverse(quarter.begin(), quarter.end());
    for (const Vec2& p : quarter) outline.push_back({x * p.x(), y * p.y()});
  };
  add_quarter(1, 1, true);
  add_quarter(-1, 1, false);
  add_quarter(-1, -1, true);
  add_quarter(1, -1, false);
  return prism(outline, 10);
}

PolygonSoup bored_plate(Index segments) {
  const Index n = std::max<Index>(8, segments / 4 * 4);
  MeshBuilder mesh;
  const auto square = [&](double z) {
    return mesh.ring(4, [&](Index i) {
      const Vec2 p = on_circle(2 * i + 1, 8) * std::sqrt(0.5);
      return Vec3(p.x(), p.y(), z);
    });
  };
  const auto bore = [&](double z) {
    return mesh.ring(n, [&](Index i) {
      const Vec2 p = on_circle(2 * i + n / 4, 2 * n) * 0.2;
      return Vec3(p.x(), p.y(), z);
    });
  };
  const Ring below = square(-0.05), above = square(0.05), mouth = bore(0.05), end = bore(-0.05);
  mesh.strip(below, above);
  mesh.uneven_strip(above, mouth);
  mesh.strip(mouth, end);
  mesh.uneven_strip(end, below);
  return mesh.soup();
}

PolygonSoup bolt(Index segments) {
  const Index n = std::max<Index>(12, segments / 12 * 12);
  std::vector<Vec2> profile{{0, 0}};
  for (Index i = 0; i <= segments / 2; ++i) profile.push_back({0.2, 0.001 + i * 2.0 / segments});
  profile.push_back({0, profile.back().y()});
  MeshBuilder mesh;
  mesh.lathe(std::array{Vec2(0.35, -0.2), Vec2(0.35, 0)}, 6);
  mesh.lathe(profile, n);
  return mesh.soup();
}

PolygonSoup fan(Index blades, Index triangles) {
  constexpr double kHub = 0.2, kThickness = 0.01, kHalfChord = 0.15;
  MeshBuilder mesh;
  mesh.add(cylinder(kHub, 0.2, 48), Pose::from_translation({0, 0, -0.1}));
  // Across its four edges a blade has 8 triangles from one station to the next.
  const Index stations = std::max<Index>(4, triangles / (8 * blades));
  for (Index blade = 0; blade < blades; ++blade) {
    const Pose turn = Pose::from_axis_angle(Vec3::UnitZ(), 2 * kPi * blade / blades, Vec3::Zero());
    Ring last;
    for (Index i = 0; i <= stations; ++i) {
      const double along = static_cast<double>(i) / stations;
      const double radius = 0.9 * kHub + (1 - 0.9 * kHub) * along;
      const double pitch = (70 - 45 * along) * kPi / 180;  // steep at the hub, flatter at the tip
      // A blade's end is an arc about the axis, so that its tip is nowhere beyond radius 1.
      const Ring ring = mesh.ring(4, [&](Index k) {
        const double across = (k == 0 || k == 3 ? -1 : 1) * kHalfChord;
        const double up = (k < 2 ? -0.5 : 0.5) * kThickness;
        const double aside = across * std::cos(pitch) - up * std::sin(pitch);
        const double z = across * std::sin(pitch) + up * std::cos(pitch);
        const Vec2 p = polar(radius, aside / radius);
        return turn * Vec3(p.x(), p.y(), z);
      });
      if (i == 0)
        mesh.cap_below(ring);
      else
        mesh.strip(last, ring);
      last = ring;
    }
    mesh.cap(last);
  }
  return mesh.soup();
}

PolygonSoup cage(double gap, Index triangles) {
  constexpr double kWire = 0.01, kHalfHeight = 0.15;
  constexpr Index kRings = 6, kBars = 12, kAroundWire = 8;
  const double outer = 1 + gap + kWire, height = kHalfHeight + gap + kWire;
  const Index along = std::max<Index>(12, triangles / (2 * kAroundWire * (2 * kRings + 3)));
  MeshBuilder mesh;
  for (const double z : {-height, height})
    for (Index i = 0; i < kRings; ++i)
      mesh.add(torus(outer * (i + 1) / kRings, kWire, along, kAroundWire),
               Pose::from_translation({0, 0, z}));
  for (Index bar = 0; bar < kBars; ++bar) {
    const Vec2 end = polar(outer, 2 * kPi * bar / kBars), inner = end / kRings;
    for (const double z : {-height, height})
      mesh.tube(std::vector<Vec3>{{inner.x(), inner.y(), z}, {end.x(), end.y(), z}}, kWire,
                kAroundWire, std::max<Index>(1, along / 12));
    mesh.tube(std::vector<Vec3>{{end.x(), end.y(), -height}, {end.x(), end.y(), height}}, kWire,
              kAroundWire, std::max<Index>(1, along / 12));
  }
  return mesh.soup();
}

}  // namespace touche::scenes
