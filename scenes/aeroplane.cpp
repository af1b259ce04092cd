// SPDX-License-Identifier: Apache-2.0
// A small aeroplane on its runway: x points forwards, y to the left, z up.
#include <array>
#include <cmath>

#include "hand.h"
#include "mesh_builder.h"
#include "pi.h"

namespace touche::scenes {
namespace {

constexpr Index kAround = 32;

// Wheels touch the ground at z = 0 where the aeroplane's own origin is, below its middle.
constexpr double kWheel = 14, kTread = 4;  // radius of a wheel, and of its round tread
constexpr double kAxis = 48;               // height of the fuselage
const std::array<Vec3, 3> kWheels = {Vec3(85, 0, kWheel), Vec3(-25, 55, kWheel),
                                     Vec3(-25, -55, kWheel)};

/// Round in its cross-section, from the spinner to the tail.
PolygonSoup fuselage() {
  MeshBuilder mesh;
  const std::array<Vec2, 10> outline = {Vec2(0, -150), Vec2(6, -148), Vec2(10, -120), Vec2(17, -60),
                                        Vec2(22, 0),   Vec2(23, 50),  Vec2(20, 90),   Vec2(11, 112),
                                        Vec2(5, 122),  Vec2(0, 125)};
  mesh.lathe(outline, kAround);
  const Mat3 nose_to_x = (Mat3() << 0, 0, 1, 0, 1, 0, -1, 0, 0).finished();
  MeshBuilder placed;
  placed.add(mesh.soup(), Pose::from_matrix(nose_to_x, {0, 0, kAxis}));
  return placed.soup();
}

/// A surface that carries or steers: an outline like that of a wing, swept along y from `root` to
/// `tip` on either side.
PolygonSoup wing(double root, double tip, double half_span, double thickness) {
  MeshBuilder mesh;
  const Index n = 24;
  const auto section = [&](double y, double chord) {
    return mesh.ring(n, [&](Index i) {
      const Vec2 p = on_circle(i, n);
      // Blunt in front, thin behind.
      return Vec3(chord / 2 * p.x(), y, thickness / 2 * p.y() * (0.6 + 0.4 * p.x()) * chord / root);
    });
  };
  // Rings run counter-clockwise as seen from the left, where y is largest, when z turns to x.
  const Ring left = section(half_span, tip), middle = section(0, root),
             right = section(-half_span, tip);
  mesh.strip(left, middle);
  mesh.strip(middle, right);
  mesh.cap_below(left);
  mesh.cap(right);
  return mesh.soup();
}

PolygonSoup wheel() {
  MeshBuilder mesh;
  std::vector<Vec2> profile{{0, -kTread}};
  for (int i = 0; i <= 8; ++i) {
    const double a = kPi * (i / 8.0 - 0.5);
    profile.push_back({kWheel - kTread + kTread * std::cos(a), kTread * std::sin(a)});
  }
  profile.push_back({0, kTread});
  mesh.lathe(profile, 2 * kAround);
  MeshBuilder placed;
  placed.add(mesh.soup(), Pose::from_axis_angle(Vec3::UnitX(), kPi / 2, Vec3::Zero()));
  return placed.soup();
}

/// From the middle of a wheel up into the fuselage or the wing.
PolygonSoup strut(const Vec3& from, const Vec3& to) {
  MeshBuilder mesh;
  mesh.tube(std::array{from, Vec3((from + to) / 2), to}, 2.5, 12, 2);
  return mesh.soup();
}

std::vector<ScenePart> parts() {
  MeshBuilder gear;
  for (const Vec3& at : kWheels)
    gear.add(strut(at + 0.2 * Vec3::UnitX(), Vec3(at.x(), 0.6 * at.y(), kAxis - 12)));
  MeshBuilder tail;
  tail.add(wing(34, 24, 48, 4), Pose::from_translation({-132, 0, kAxis + 2}));
  MeshBuilder fin;
  fin.add(wing(36, 36, 22, 4),
          Pose::from_axis_angle(Vec3::UnitX(), kPi / 2, {-132, 0, kAxis + 26}));
  std::vector<ScenePart> result{{"fuselage", fuselage(), {}},
                                {"tail", tail.soup(), {}},
                                {"fin", fin.soup(), {}},
                                {"undercarriage", gear.soup(), {}}};
  MeshBuilder main_wing;
  main_wing.add(wing(62, 40, 160, 9), Pose::from_translation({18, 0, kAxis - 10}));
  result.insert(result.begin() + 1, {"wing", main_wing.soup(), {}});
  const std::array<const char*, 3> names = {"nose wheel", "left wheel", "right wheel"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    MeshBuilder placed;
    placed.add(wheel(), Pose::from_translation(kWheels[i]));
    result.push_back({names[i], placed.soup(), {}});
  }
  return result;
}

/// Comes down with its right wheel low, is pressed onto the runway, rolls, is pushed aside, and at
/// last tips onto a wing and back.
Pose landing(double t) {
  const double press = 6, flight = 2;
  const double x = -250 + 110 * t - 60 * eased(4.5, 6, t) * (t - 4.5);
  const double y = 40 * eased(3.2, 4.2, t);
  // It tips about its right wheel.
  const double tip = 0.5 * (eased(4.4, 5.2, t) - eased(5.6, 6.4, t));
  const double height = 60 * (1 - eased(0, flight, t)) - press * eased(flight - 0.6, flight, t) -
                        kWheels[2].y() * std::sin(tip);
  const double bank = 0.1 * eased(0, 0.8, t) * (1 - eased(flight, 2.6, t)) + tip;
  const double climb = -0.12 * eased(0, 0.6, t) * (1 - eased(flight, 2.8, t));
  const double turn = 0.25 * (eased(3.0, 3.6, t) - eased(3.8, 4.4, t));
  return Pose::from_fixed_xyz(bank, climb, turn, {x, y, height});
}

}  // namespace

Scene aeroplane(const Trembling& trembling) {
  Scene scene;
  scene.title = "A small aeroplane is set down on a runway, by hand";
  scene.parts = parts();
  SceneGroup group{"aeroplane", {}, {}};
  for (std::size_t i = 0; i < scene.parts.size(); ++i) group.parts.push_back(i);
  group.motion = led_by_hand(7, landing, trembling, {0, 0, kAxis});
  scene.groups.push_back(std::move(group));
  scene.parts.push_back({"runway", box({-420, -230, -11}, {640, 260, -1}, 8), {}});
  scene.tolerance = 0.01;
  scene.clearance_threshold = 5;
  scene.truth.reset();
  return scene;
}

}  // namespace touche::scenes
