// SPDX-License-Identifier: Apache-2.0
// Truth comes from two sources, neither of which is the library: closed forms, and the judge that
// the tests use, which walks each pair of triangles in extended precision with steps so short that
// nothing can happen between two of them. Cases that it is not sure of are drawn again.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "case.h"
#include "oracle.h"
#include "random.h"
#include "shapes.h"

namespace touche::bench {
namespace {

using scenes::Random;
using Kind = CcdMotion::Kind;
constexpr double kPi = std::numbers::pi;
constexpr double kTolerance = 1e-6;

PolygonSoup scaled(PolygonSoup soup, double size) {
  std::vector<double> coordinates;
  for (const Vec3& v : soup.vertices())
    for (int k = 0; k < 3; ++k) coordinates.push_back(size * v[k]);
  soup.move_vertices(coordinates);
  return soup;
}

PolygonSoup triangles_of(const PolygonSoup& soup) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const Vec3& v : soup.vertices()) coordinates.insert(coordinates.end(), v.begin(), v.end());
  for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  return {coordinates, corners};
}

PolygonSoup body(base::Random& random) {
  const std::uint64_t seed = random.next();
  switch (random.below(3)) {
    case 0:
      return scaled(scenes::bumpy_sphere(32, seed), 0.6);
    case 1:
      return scenes::random_soup(seed, {.faces = 14, .extent = 0.5, .face_size = 0.4});
    default:
      return triangles_of(scenes::box(Vec3(-0.4, -0.3, -0.5), Vec3(0.4, 0.3, 0.5)));
  }
}

PolygonSoup slivers(base::Random& random) {
  return scenes::random_soup(random.next(),
                             {.faces = 10, .extent = 0.5, .face_size = 0.7, .slivers = 1});
}

Pose rotation(base::Random& random, double most) {
  const Vec3 axis = random.direction();
  return Pose::from_axis_angle(axis, random.uniform(-most, most), Vec3::Zero());
}

CcdMotion still(const Pose& pose) {
  CcdMotion motion;
  motion.start = pose;
  return motion;
}

/// From somewhere around towards the middle, or past it.
CcdMotion approach(base::Random& random, double turn) {
  CcdMotion motion;
  motion.kind = Kind::linear;
  const Vec3 from = 2.5 * random.direction();
  const Pose start = rotation(random, kPi);
  motion.start = Pose::from_translation(from) * start;
  const Vec3 aside = random.in_box(2);
  const Vec3 to = -random.uniform(-0.3, 1) * from + aside;
  motion.end = Pose::from_translation(to) * rotation(random, turn) * start;
  return motion;
}

test::Ride ride(const CcdMotion& m) {
  switch (m.kind) {
    case Kind::still:
      return test::still(m.start);
    case Kind::linear:
      return test::interpolated(m.start, m.end, Interpolation::slerp);
    case Kind::screw:
      return test::screw(m.start, m.point, m.axis, m.angle, m.travel);
  }
  return test::still(m.start);
}

/// False where the judge is not sure.
bool judge(CcdCase& scene) {
  const test::Truth truth =
      test::find_touch(scene.a, ride(scene.motion_a), scene.b, ride(scene.motion_b), kTolerance);
  scene.contact = truth.touch.has_value();
  if (!scene.contact) {
    scene.distance = kTolerance;
    return truth.sure && truth.clear();
  }
  scene.time = {truth.near_from, *truth.touch};
  return scene.time.upper - scene.time.lower < 1e-4;
}

/// Both bodies elsewhere, in the same way.
void move_all(CcdCase& scene, const Pose& by) {
  for (CcdMotion* motion : {&scene.motion_a, &scene.motion_b}) {
    motion->start = by * motion->start;
    motion->end = by * motion->end;
  }
}

Pose anywhere(base::Random& random) {
  const Pose turned = rotation(random, kPi);
  return Pose::from_translation(random.in_box(2)) * turned;
}

// The order in which the compiler takes the arguments of a call is its own choice, so no expression
// below draws twice: the same cases come out of every compiler.
using Make = std::optional<CcdCase> (*)(base::Random&, int);

std::optional<CcdCase> judged(CcdCase scene) {
  scene.tolerance = kTolerance;
  if (!judge(scene)) return std::nullopt;
  return scene;
}

std::optional<CcdCase> translation(base::Random& random, int) {
  CcdCase scene{.a = body(random), .b = body(random)};
  scene.motion_a = still(anywhere(random));
  scene.motion_a.start = rotation(random, kPi);
  scene.motion_b = approach(random, 0);
  return judged(scene);
}

std::optional<CcdCase> turning(base::Random& random, int) {
  CcdCase scene{.a = body(random), .b = body(random)};
  scene.motion_a = still(rotation(random, kPi));
  scene.motion_b = approach(random, 2.5);
  return judged(scene);
}

std::optional<CcdCase> both_moving(base::Random& random, int) {
  CcdCase scene{.a = body(random), .b = body(random)};
  scene.motion_a.kind = Kind::linear;
  scene.motion_a.start = rotation(random, kPi);
  const Pose turn = rotation(random, 2.5);
  scene.motion_a.end = Pose::from_translation(random.in_box(0.8)) * turn * scene.motion_a.start;
  scene.motion_b = approach(random, 2.5);
  return judged(scene);
}

std::optional<CcdCase> screwing(base::Random& random, int) {
  CcdCase scene{.a = body(random), .b = body(random)};
  scene.motion_a = still(rotation(random, kPi));
  CcdMotion& m = scene.motion_b;
  m.kind = Kind::screw;
  const Vec3 direction = random.direction();
  const Vec3 from = random.uniform(1.2, 2.5) * direction;
  m.start = Pose::from_translation(from) * rotation(random, kPi);
  m.point = random.in_box(1.2);
  m.axis = random.direction();
  m.angle = random.uniform(-4 * kPi, 4 * kPi);
  m.travel = random.uniform(-1, 1);
  return judged(scene);
}

std::optional<CcdCase> thin(base::Random& random, int) {
  CcdCase scene{.a = slivers(random), .b = slivers(random)};
  scene.motion_a = still(rotation(random, kPi));
  scene.motion_b = approach(random, 2.5);
  return judged(scene);
}

// A small body passes a plate far faster than it is long, and mostly hits it.
std::optional<CcdCase> tunnelling(base::Random& random, int) {
  const std::array<double, 12> corners = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
  CcdCase scene{.a = PolygonSoup(corners, std::array<Index, 6>{0, 1, 2, 0, 2, 3}),
                .b = scaled(body(random), 0.02)};
  scene.motion_a = still(rotation(random, kPi));
  const Vec3 through = random.in_box(1.2), way = 50 * random.direction();
  scene.motion_b.kind = Kind::linear;
  const double when = random.uniform(0.2, 0.8);
  const Pose start = rotation(random, kPi);
  scene.motion_b.start = Pose::from_translation(through - when * way) * start;
  scene.motion_b.end =
      Pose::from_translation(through + (1 - when) * way) * rotation(random, 2.5) * start;
  return judged(scene);
}

// A box on a box: they share a part of a plane, exactly, and part or slide.
std::optional<CcdCase> touching_start(base::Random& random, int) {
  CcdCase scene{.a = triangles_of(scenes::box(Vec3(-1, -1, -1), Vec3(1, 1, 0))),
                .b = triangles_of(scenes::box(Vec3(-0.5, -0.5, 0), Vec3(0.5, 0.5, 0.75)))};
  scene.motion_b.kind = Kind::linear;
  const double y = 0.25 * random.uniform(-1, 1), x = 0.25 * random.uniform(-1, 1);
  const Vec3 place(x, y, 0);
  scene.motion_b.start = Pose::from_translation(place);
  Vec3 to = place + random.in_box(1);
  to.z() = std::abs(to.z());
  scene.motion_b.end = Pose::from_translation(to) * rotation(random, 1);
  scene.tolerance = kTolerance;
  scene.contact = true;
  scene.time = {0, 0};
  return scene;
}

// A box slides along the top of another at a height of 1e-3 to 1e-9 and never touches it.
std::optional<CcdCase> near_miss(base::Random& random, int i) {
  const double gap = std::pow(10, -3 - i % 7);
  CcdCase scene{.a = triangles_of(scenes::box(Vec3(-1, -1, -1), Vec3(1, 1, 0))),
                .b = triangles_of(scenes::box(Vec3(-0.5, -0.5, 0), Vec3(0.5, 0.5, 0.75)))};
  const Vec3 from(-3, random.uniform(-1, 1), gap), to(3, random.uniform(-1, 1), gap);
  scene.motion_b.kind = Kind::linear;
  scene.motion_b.start = Pose::from_translation(from);
  scene.motion_b.end = Pose::from_translation(to);
  scene.tolerance = gap / 10;
  scene.distance = gap * (1 - 1e-4);
  move_all(scene, anywhere(random));
  return scene;
}

// It sinks while it passes, and is in contact from where its bottom is at height 0.
std::optional<CcdCase> grazing_hit(base::Random& random, int i) {
  const double depth = std::pow(10, -3 - i % 7), height = random.uniform(0.3, 1);
  CcdCase scene{.a = triangles_of(scenes::box(Vec3(-1, -1, -1), Vec3(1, 1, 0))),
                .b = triangles_of(scenes::box(Vec3(-0.5, -0.5, 0), Vec3(0.5, 0.5, 0.75)))};
  scene.motion_b.kind = Kind::linear;
  scene.motion_b.start = Pose::from_translation({-1, random.uniform(-0.5, 0.5), height});
  scene.motion_b.end = Pose::from_translation({1, random.uniform(-0.5, 0.5), -depth});
  scene.tolerance = depth / 10;
  scene.contact = true;
  const double t = height / (height + depth);
  scene.time = {t - 1e-12, std::min(1.0, t + 1e-12)};
  move_all(scene, anywhere(random));
  return scene;
}

std::optional<CcdCase> nothing_to_hit(base::Random& random, int) {
  CcdCase scene{.a = body(random), .b = body(random)};
  scene.motion_a = still(rotation(random, kPi));
  scene.motion_b = approach(random, 2.5);
  // Both ends to the same side of a.
  const Vec3 away = 3 * random.direction();
  scene.motion_b.start = Pose::from_translation(away) * scene.motion_b.start;
  scene.motion_b.end = Pose::from_translation(away) * scene.motion_b.end;
  std::optional<CcdCase> result = judged(scene);
  if (result && result->contact) result.reset();
  return result;
}

struct Family {
  const char* name;
  Make make;
};
constexpr Family kFamilies[] = {
    {"translation", translation},
    {"rotation", turning},
    {"both-moving", both_moving},
    {"screw", screwing},
    {"thin", thin},
    {"tunnelling", tunnelling},
    {"touching-start", touching_start},
    {"near-miss", near_miss},
    {"grazing-hit", grazing_hit},
    {"nothing-to-hit", nothing_to_hit},
};

}  // namespace

std::vector<CcdCase> generate_ccd(int count) {
  std::vector<CcdCase> cases;
  std::uint64_t seed = 1;
  for (const Family& family : kFamilies) {
    base::Random random(seed++);
    for (int i = 0; i < count;) {
      std::optional<CcdCase> scene = family.make(random, i);
      if (!scene) continue;
      scene->family = family.name;
      scene->name = std::to_string(i++);
      cases.push_back(std::move(*scene));
    }
  }
  return cases;
}

}  // namespace touche::bench
