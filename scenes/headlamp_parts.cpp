// SPDX-License-Identifier: Apache-2.0
#include "headlamp_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pi.h"
#include "scenes.h"

namespace touche::scenes {
namespace {

using Profile = std::vector<Vec2>;

/// The same profile with no segment longer than about 4 mm at factor 1.
Profile refined(const Profile& profile, const Detail& detail, bool closed) {
  Profile result;
  const std::size_t n = profile.size();
  for (std::size_t i = 0; i + (closed ? 0 : 1) < n; ++i) {
    const Vec2 &a = profile[i], &b = profile[(i + 1) % n];
    const int pieces = std::max(1, static_cast<int>((b - a).norm() / 4 * detail.factor));
    for (int k = 0; k < pieces; ++k) result.push_back(a + (b - a) * k / pieces);
  }
  if (!closed) result.push_back(profile.back());
  return result;
}

void turn(MeshBuilder& mesh, const Profile& profile, const Detail& detail, double around,
          bool closed = false) {
  mesh.lathe(refined(profile, detail, closed), detail.around(around), closed);
}

/// Along the radius at `angle` degrees: from radius r0 to r1, `width` across, from z0 to z1.
void radial_box(MeshBuilder& mesh, const Detail& detail, double angle, double r0, double r1,
                double width, double z0, double z1) {
  mesh.add(box({r0, -width / 2, z0}, {r1, width / 2, z1}, detail.along(1.2)),
           Pose::from_axis_angle(Vec3::UnitZ(), angle * kPi / 180, Vec3::Zero()));
}

PolygonSoup in_place(const MeshBuilder& mesh, const LampUnit& unit) {
  MeshBuilder result;
  result.add(mesh.soup(), Pose::from_translation(unit.centre), unit.scale);
  return result.soup();
}

PolygonSoup to_scale(const MeshBuilder& mesh, const LampUnit& unit) {
  MeshBuilder result;
  result.add(mesh.soup(), {}, unit.scale);
  return result.soup();
}

/// A rectangle with round corners, half sizes 160 and 86.
Vec2 housing_outline(Index i, Index n) {
  const auto bulge = [](double c) { return std::copysign(std::pow(std::abs(c), 0.25), c); };
  const Vec2 u = on_circle(i, n);
  return {160 * bulge(u.x()), 86 * bulge(u.y())};
}

void add_outline(MeshBuilder& mesh, const Profile& profile, const Detail& detail, bool closed) {
  const Index n = detail.around(72);
  mesh.loft(
      profile, n, [n](Index i) { return housing_outline(i, n); }, closed);
}

/// One half of the rear wall: a plate from x0 to x1 with a round hole, 4 mm thick.
void add_rear_wall(MeshBuilder& mesh, const Detail& detail, const LampUnit& unit, double x0,
                   double x1, double z) {
  const Index n = detail.around(48);
  const auto corners = [&](double at) {
    return mesh.ring(
        4, [&](Index i) { return Vec3(i == 1 || i == 2 ? x0 : x1, i < 2 ? 75 : -75, at); });
  };
  const auto hole = [&](double at) {
    return mesh.ring(n, [&](Index i) {
      const Vec2 p = on_circle(i + n / 8, n) * 47.5 * unit.scale;
      return Vec3(unit.centre.x() + p.x(), unit.centre.y() + p.y(), at);
    });
  };
  const Ring front = corners(z - 4), rear = corners(z), hole_front = hole(z - 4),
             hole_rear = hole(z);
  mesh.uneven_strip(hole_front, front);
  for (Index i = 0; i < 4; ++i)
    mesh.face({front[i], front[(i + 1) % 4], rear[(i + 1) % 4], rear[i]});
  mesh.uneven_strip(rear, hole_rear);
  mesh.strip(hole_rear, hole_front);
}

/// The collar that the cover is put on, its three bayonet clips, ribs around it, and inside it the
/// thin leaf spring that once held the bulb's connector.
PolygonSoup collar(const Detail& detail, const LampUnit& unit) {
  MeshBuilder mesh;
  turn(mesh, {{46, -8}, {49, -8}, {49, 16.5}, {48, 18}, {47, 18}, {46, 17}}, detail, 48, true);
  for (const double angle : {90.0, 210.0, 330.0}) {
    radial_box(mesh, detail, angle, 57, 59.5, 13, -3, 16);
    radial_box(mesh, detail, angle, 53, 59.2, 13.4, 12.6, 15.8);
  }
  for (int i = 0; i < 12; ++i)
    radial_box(mesh, detail, 15 + 30 * i, 48, 60 + 2 * (i % 3), 1.6, -2, 5);
  radial_box(mesh, detail, 30, 27.5, 47, 0.6, 2, 9);
  return in_place(mesh, unit);
}

}  // namespace

Index Detail::along(double base) const {
  return std::max<Index>(1, static_cast<Index>(std::lround(base * factor)));
}

Index Detail::around(double base) const {
  return 4 * std::max<Index>(2, static_cast<Index>(std::lround(base * factor / 4)));
}

PolygonSoup headlamp_housing(const Detail& detail) {
  MeshBuilder mesh;
  // The shell: open to the front, a rim inwards at the rear.
  Profile shell = refined({{1, -60}, {1, 38}}, detail, false);
  for (const Vec2& p : {Vec2(0.99, 40), Vec2(0.86, 40), Vec2(0.86, 37), Vec2(0.98, 37)})
    shell.push_back(p);
  shell.push_back({0.98, -60});
  add_outline(mesh, shell, detail, true);
  add_rear_wall(mesh, detail, kMainLamp, -151, 9, 40);
  add_rear_wall(mesh, detail, kAuxiliaryLamp, 8, 151, 39.6);
  mesh.add(collar(detail, kMainLamp));
  mesh.add(collar(detail, kAuxiliaryLamp));

  // Ribs across the rear wall, above and below the collars, and bosses at the corners.
  for (int i = 0; i < 14; ++i) {
    const double x = -143 + 22 * i, height = 4 + 1.5 * (i % 4);
    for (const double y : {-74.0, 64.0})
      mesh.add(box({x - 0.9, y, 38.5}, {x + 0.9, y + 10, 40 + height}, detail.along(1.2)));
  }
  for (const double y : {-70.0, 69.0})
    mesh.add(box({-148, y - 0.8, 38.7}, {148, y + 0.8, 44}, detail.along(1.2)));
  MeshBuilder boss;
  turn(boss, {{3, -3}, {6.5, -3}, {6, 12}, {5.4, 13}, {3, 13}}, detail, 20, true);
  for (const double x : {-140.0, 140.0})
    for (const double y : {-62.0, 58.0}) mesh.add(boss.soup(), Pose::from_translation({x, y, 40}));
  return mesh.soup();
}

PolygonSoup headlamp_lens(const Detail& detail) {
  const auto dome = [&](double scale, double shift) {
    Profile result;
    const int n = static_cast<int>(detail.along(10));
    for (int i = 0; i <= n; ++i) {
      const double r = static_cast<double>(i) / n;
      result.push_back({scale * r, -61 - shift - 32 * (1 - r * r * r)});
    }
    return result;
  };
  Profile profile = dome(1, 0);
  const Profile inside = dome(0.97, -2.5);
  profile.insert(profile.end(), inside.rbegin(), inside.rend());
  MeshBuilder mesh;
  add_outline(mesh, profile, detail, false);
  return mesh.soup();
}

PolygonSoup headlamp_harness(const Detail& detail) {
  MeshBuilder mesh;
  const auto cable = [&](std::initializer_list<Vec3> knots, double radius) {
    mesh.tube(std::vector<Vec3>(knots), radius, detail.around(12),
              detail.along(14.0 * static_cast<double>(knots.size())));
  };
  // Along the upper edge, sagging between its holders.
  cable({{-175, 74, 58},
         {-130, 76, 62},
         {-80, 71, 64},
         {-20, 75, 66},
         {40, 72, 63},
         {100, 74, 64},
         {178, 70, 58}},
        4.2);
  cable({{-176, 80, 70},
         {-120, 83, 74},
         {-60, 80, 72},
         {0, 84, 75},
         {60, 80, 73},
         {120, 81, 72},
         {176, 79, 68}},
        3.2);
  // Down between the two collars, and along the lower edge.
  cable({{4, 78, 60},
         {9, 62, 58},
         {11, 40, 62},
         {8, 10, 66},
         {11, -25, 64},
         {13, -58, 58},
         {20, -84, 60}},
        3);
  cable({{-160, -78, 56},
         {-110, -80, 62},
         {-50, -77, 66},
         {10, -81, 64},
         {80, -78, 66},
         {165, -80, 58}},
        3.8);
  // Holders of the upper cables.
  MeshBuilder holder;
  turn(holder, {{4.6, -4}, {6.2, -4}, {6.2, 4}, {4.6, 4}}, detail, 16, true);
  for (const Vec3& at : {Vec3(-130, 76, 62), Vec3(-20, 75, 66), Vec3(100, 74, 64)})
    mesh.add(holder.soup(), Pose::from_axis_angle(Vec3::UnitY(), kPi / 2, at));
  return mesh.soup();
}

PolygonSoup headlamp_screws(const Detail& detail) {
  MeshBuilder mesh;
  const PolygonSoup screw =
      nut_and_bolt({.size = "M6", .segments = detail.around(24)}).parts[0].soup;
  const Pose heads_to_the_rear = Pose::from_axis_angle(Vec3::UnitX(), kPi, {0, 0, 0});
  for (const Vec3& at : {Vec3(-146, 34, 51), Vec3(144, -40, 51)})
    mesh.add(screw, Pose::from_translation(at) * heads_to_the_rear);
  return mesh.soup();
}

PolygonSoup engine_bay(const Detail& detail) {
  MeshBuilder mesh;
  mesh.add(box({-170, -130, 147}, {170, 30, 210}, detail.along(6)));
  for (int i = 0; i < 8; ++i) {
    const double x = -140 + 40 * i;
    mesh.add(box({x - 1.5, -128, 144}, {x + 1.5, 26, 150}, detail.along(1.2)));
  }
  mesh.tube(std::array{Vec3(-190, 66, 176), Vec3(-110, 60, 170), Vec3(-30, 64, 172),
                       Vec3(60, 58, 168), Vec3(140, 62, 174), Vec3(200, 90, 190)},
            13, detail.around(24), detail.along(70));
  return mesh.soup();
}

PolygonSoup reflector(const Detail& detail, const LampUnit& unit) {
  // A paraboloid of focal length 14 from the neck to the rim, 2 mm thick.
  const auto bowl = [&](double r) { return -18.0 + 3 - (r * r - 21 * 21) / 60; };
  Profile profile{{20, -6}, {20, -19}};
  const int n = static_cast<int>(detail.along(18));
  for (int i = 0; i <= n; ++i) profile.push_back({21 + 43.0 * i / n, bowl(21 + 43.0 * i / n) - 4});
  profile.push_back({66, bowl(64) - 4});
  for (int i = n; i >= 0; --i)
    profile.push_back({23 + 43.0 * i / n, bowl(21 + 43.0 * i / n) - 1.5});
  profile.push_back({23, -6});
  MeshBuilder mesh;
  mesh.lathe(profile, detail.around(56), true);
  return to_scale(mesh, unit);
}

PolygonSoup cover(const Detail& detail, const LampUnit& unit) {
  // From the inside of the dome out over the skirt: around the collar with 0.8 mm of play.
  Profile inside{{0, 35.5}, {28.5, 35.5}, {30, 34}, {30, 19.5}, {49.8, 19.5}, {49.8, 6}};
  Profile outside{{52, 6}, {52, 20}, {51, 21.5}};
  for (int i = 1; i <= 6; ++i) outside.push_back({51 - 3.0 * i, i % 2 == 0 ? 21.5 : 22.6});
  for (const Vec2& p : {Vec2(32, 22), Vec2(32, 36), Vec2(30.5, 38), Vec2(0, 38)})
    outside.push_back(p);
  Profile profile = inside;
  profile.insert(profile.end(), outside.begin(), outside.end());
  MeshBuilder mesh;
  turn(mesh, profile, detail, 56);
  for (const double angle : {90.0, 210.0, 330.0})
    radial_box(mesh, detail, angle, 51.5, 56.2, 12, 8, 12);
  mesh.add(box({-24, -2.5, 36}, {24, 2.5, 45}, detail.along(2)));
  return to_scale(mesh, unit);
}

PolygonSoup bulb_glass(const Detail& detail, const LampUnit& unit) {
  Profile profile;
  const int n = static_cast<int>(detail.along(8));
  for (int i = 0; i < n; ++i) {
    const double a = 0.5 * kPi * i / n;
    profile.push_back({i == 0 ? 0 : 8 * std::sin(a), -52 - 8 * std::cos(a)});
  }
  for (const Vec2& p : {Vec2(8, -52), Vec2(8, -24), Vec2(7, -20), Vec2(7, -14), Vec2(0, -14)})
    profile.push_back(p);
  MeshBuilder mesh;
  turn(mesh, profile, detail, 32);
  return to_scale(mesh, unit);
}

PolygonSoup bulb_base(const Detail& detail, const LampUnit& unit) {
  MeshBuilder mesh;
  turn(mesh,
       {{0, -16},
        {17.6, -16},
        {18.6, -15},
        {18.6, -5.6},
        {26, -5.6},
        {26, -4},
        {15, -4},
        {14, 2},
        {14, 9},
        {13, 10},
        {0, 10}},
       detail, 40);
  for (const double angle : {0.0, 120.0, 240.0})
    radial_box(mesh, detail, angle, 24, 31, 9, -5.5, -4.2);
  for (const double angle : {0.0, 90.0, 180.0}) radial_box(mesh, detail, angle, 7, 8, 6, 9, 18);
  return to_scale(mesh, unit);
}

}  // namespace touche::scenes
