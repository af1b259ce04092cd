// SPDX-License-Identifier: Apache-2.0
#include "workloads.h"

#include <algorithm>
#include <cmath>

#include "pi.h"
#include "random.h"
#include "scenes.h"
#include "workload_meshes.h"

namespace touche::scenes {
namespace {

Pose turned_anyhow(Random& random, const Vec3& to) {
  return Pose::from_axis_angle(random.direction(), random.uniform(0, 2 * kPi), to);
}

/// A small turn about some axis.
Pose tilted(Random& random, double most_angle, const Vec3& to) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-most_angle, most_angle), to);
}

PolygonSoup only_triangles(const PolygonSoup& soup) {
  MeshBuilder mesh;
  for (const Vec3& v : soup.vertices()) mesh.vertex(v);
  for (const auto& t : soup.triangles()) mesh.face(t);
  return mesh.soup();
}

PolygonSoup scaled(const PolygonSoup& soup, double scale) {
  MeshBuilder mesh;
  mesh.add(soup, {}, scale);
  return mesh.soup();
}

template <class RandomPose>
Workload workload(const PolygonSoup& a, const PolygonSoup& b, int poses, std::uint64_t seed,
                  const RandomPose& pose) {
  Workload result{only_triangles(a), only_triangles(b), {}};
  Random random(seed);
  for (int i = 0; i < poses; ++i) result.poses.push_back(pose(random));
  return result;
}

/// Inside a box of 12 triangles, or across one of its walls.
Workload sphere_in_box(Index triangles, int poses) {
  return workload(box({-1, -1, -1}, {1, 1, 1}), scaled(bumpy_sphere(triangles, 1), 0.5), poses, 1,
                  [](Random& random) { return turned_anyhow(random, random.in_box(0.65)); });
}

Workload mixed_sizes(Index triangles, int poses) {
  const Index count = triangles / 4;  // a quarter of them is large and meets many others
  return workload(scales(1, count), scales(2, count), poses, 2, [](Random& random) {
    return turned_anyhow(random, random.uniform(1.9, 2.3) * random.direction());
  });
}

/// The gap is everywhere the same: thousands of pairs of triangles are exactly equally near.
Workload parallel_plates(Index triangles, int poses) {
  return workload(plate(triangles), plate(triangles), poses, 3, [](Random& random) {
    const double gap = std::pow(10, random.uniform(-2, 0));
    return Pose::from_translation({random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), gap});
  });
}

Workload rods(Index triangles, int poses) {
  const PolygonSoup bundle = bundle_of_rods(triangles);
  const Vec3 size = bundle.bounds().hi - bundle.bounds().lo;
  return workload(bundle, bundle, poses, 4, [&](Random& random) {
    const Pose turn = Pose::from_axis_angle(Vec3(0.2, 0.3, 1).normalized(),
                                            random.uniform(0.4, 1.2), Vec3::Zero());
    const Vec3 up(random.uniform(-1, 1), random.uniform(-1, 1),
                  random.uniform(0.8, 1.8) * size.z());
    return Pose::from_translation(up) * turn;
  });
}

/// Upon two triangles, just so or a little too deep.
Workload on_ground(Index triangles, int poses) {
  const PolygonSoup thing = torus_knot(2, 3, triangles);
  return workload(scaled(plate(2), 20), thing, poses, 5, [&](Random& random) {
    const Pose turn = turned_anyhow(random, Vec3::Zero());
    double lowest = kInfinity;
    for (const Vec3& v : thing.vertices()) lowest = std::min(lowest, (turn * v).z());
    const double height = random.uniform(-0.02, 0.02) - lowest;
    return Pose::from_translation({random.uniform(-5, 5), random.uniform(-5, 5), height}) * turn;
  });
}

Workload hull_and_mesh(Index triangles, int poses) {
  return workload(sphere(1, 128), bumpy_sphere(triangles, 2), poses, 6, [](Random& random) {
    return turned_anyhow(random, random.uniform(1.6, 2.4) * random.direction());
  });
}

Workload peg(Index triangles, int poses) {
  const Scene scene = peg_in_hole({.clearance = 0.05, .segments = triangles / 14});
  return workload(scene.parts[1].soup, scene.parts[0].soup, poses, 7, [](Random& random) {
    const double depth = random.uniform(0, 15);
    const Vec3 place(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), -depth);
    return Pose::from_axis_angle(Vec3::UnitY(), random.uniform(-0.003, 0.003), place);
  });
}

/// A beam with two bored end plates and their bolts, and a rail that lies on it.
Workload parts_of_a_beam(Index triangles, int poses) {
  const Index segments = std::max<Index>(2, triangles / 64);
  MeshBuilder a;
  a.add(beam(segments));
  for (const double z : {-0.05, 10.05}) {
    a.add(bored_plate(segments), Pose::from_translation({0, 0, z}));
    a.add(bolt(segments / 4), Pose::from_translation({0, 0, z - 0.051}), 0.9);
  }
  return workload(a.soup(), beam(segments), poses, 8, [](Random& random) {
    const Pose across = Pose::from_axis_angle(Vec3::UnitY(), kPi / 2, {-5, 0, 0});
    const Vec3 place(random.uniform(-3, 3), 1 + random.uniform(-0.05, 0.05), random.uniform(1, 9));
    return Pose::from_translation(place) * tilted(random, 0.01, Vec3::Zero()) * across;
  });
}

/// A floor of 12 triangles, a fine shell, wheels, beams, pipes and many bolts.
PolygonSoup vehicle(Index triangles) {
  const Index fine = triangles / 8, small = std::max<Index>(12, triangles / 400);
  Random random(9);
  MeshBuilder mesh;
  mesh.add(box({-2, -0.9, -0.05}, {2, 0.9, 0}));
  mesh.add(bumpy_sphere(2 * fine, 3, 0.05), Pose::from_translation({0, 0, 1.2}));
  for (const double x : {-1.3, 1.3}) {
    for (const double y : {-1.1, 1.1}) {
      const Pose upright = Pose::from_axis_angle(Vec3::UnitX(), kPi / 2, {x, y, -0.1});
      mesh.add(torus(0.3, 0.1, std::max<Index>(8, fine / 60), 20), upright);
      mesh.add(cylinder(0.2, 0.1, small), upright);
    }
    mesh.add(beam(small),
             Pose::from_translation({x, 0, -0.2}) *
                 Pose::from_axis_angle(Vec3::UnitX(), kPi / 2, {0, 0.9, 0}),
             0.18);
  }
  for (int i = 0; i < 5; ++i) {
    std::vector<Vec3> knots;
    knots.reserve(5);
    for (int k = 0; k < 5; ++k)
      knots.push_back({-1.6 + 0.8 * k, -0.6 + 0.3 * i + random.uniform(-0.05, 0.05),
                       -0.2 + random.uniform(-0.05, 0.05)});
    mesh.tube(knots, 0.03, 12, std::max<Index>(4, fine / 60));
  }
  for (Index i = 0; i < triangles / 500; ++i)
    mesh.add(bolt(12),
             Pose::from_translation({random.uniform(-1.9, 1.9), random.uniform(-0.8, 0.8), -0.06}),
             0.05);
  return mesh.soup();
}

/// A box with a pipe and bolts is put in from below.
Workload assembly(Index triangles, int poses) {
  MeshBuilder part;
  part.add(box({-0.3, -0.2, -0.2}, {0.3, 0.2, 0}));
  part.add(torus(0.3, 0.05, std::max<Index>(16, triangles / 80), 20),
           Pose::from_translation({0, 0, -0.1}));
  for (Index i = 0; i < std::min<Index>(6, triangles / 3000); ++i)
    part.add(bolt(24), Pose::from_translation({-0.25 + 0.1 * i, 0.15, 0.01}), 0.05);
  return workload(vehicle(triangles), part.soup(), poses, 9, [](Random& random) {
    return tilted(
        random, 0.5,
        {random.uniform(-1.8, 1.8), random.uniform(-0.9, 0.9), -random.uniform(0.15, 0.6)});
  });
}

/// Two gears that mesh, with a little play; now and then the centres are too close.
Workload gears(Index triangles, int poses) {
  constexpr Index kTeeth = 24;
  constexpr double kBacklash = 0.01;
  const PolygonSoup gear = spur_gear(kTeeth, kBacklash, triangles);
  return workload(gear, gear, poses, 10, [](Random& random) {
    const auto turn = [](double angle) {
      return Pose::from_axis_angle(Vec3::UnitZ(), angle, Vec3::Zero());
    };
    const double phase = random.uniform(0, 2 * kPi), play = random.uniform(-1, 1) * 0.9 * kBacklash;
    const Vec3 apart(2 + random.uniform(-0.002, 0.004), 0, random.uniform(-0.1, 0.1));
    return turn(-phase) * Pose::from_translation(apart) * turn(kPi / kTeeth - phase + play);
  });
}

Workload shaft_in_bore(Index triangles, int poses) {
  constexpr double kGap = 0.01;
  return workload(sleeve(kGap, triangles), shaft(triangles), poses, 11, [](Random& random) {
    const Pose turn =
        Pose::from_axis_angle(Vec3::UnitZ(), random.uniform(0, 2 * kPi), Vec3::Zero());
    const Vec3 aside(random.uniform(-1.2, 1.2) * kGap, random.uniform(-1.2, 1.2) * kGap,
                     random.uniform(-0.5, 0.5));
    return Pose::from_translation(aside) * turn;
  });
}

Workload far_apart(Index triangles, int poses) {
  return workload(bumpy_sphere(triangles, 1), bumpy_sphere(triangles, 2), poses, 12,
                  [](Random& random) {
                    return turned_anyhow(random, random.uniform(10, 100) * random.direction());
                  });
}

Workload two_boxes(Index, int poses) {
  const PolygonSoup cube = box({-1, -1, -1}, {1, 1, 1});
  return workload(cube, cube, poses, 13, [](Random& random) {
    return turned_anyhow(random, random.uniform(1.5, 3.6) * random.direction());
  });
}

// ---- motions -----------------------------------------------------------------------------------

template <class RandomMotion>
MovingWorkload moving(const PolygonSoup& a, const PolygonSoup& b, int motions, std::uint64_t seed,
                      const RandomMotion& motion) {
  MovingWorkload result{only_triangles(a), only_triangles(b), {}, 1e-6};
  Random random(seed);
  for (int i = 0; i < motions; ++i) result.motions.push_back(motion(random));
  return result;
}

Pose about(const Vec3& axis, double angle, const Vec3& to) {
  return Pose::from_axis_angle(axis, angle, to);
}

/// Two long rods turn by nearly half a turn, each about its middle.
MovingWorkload turning_rods(Index, int motions) {
  const PolygonSoup rod = cylinder(0.02, 10, 16);
  const Pose middle = Pose::from_translation({0, 0, -5});
  return moving(rod, rod, motions, 21, [&](Random& random) {
    const auto turns = [&](const Vec3& at, Pose& start, Pose& end) {
      // The axis lies across the rod, or nearly so.
      const Pose lie = turned_anyhow(random, Vec3::Zero());
      const Vec3 axis =
          (lie * Vec3(1, random.uniform(-1, 1), random.uniform(-0.2, 0.2))).normalized();
      start = Pose::from_translation(at) * lie * middle;
      end = about(axis, random.uniform(0.5, 0.95) * kPi, at) * lie * middle;
    };
    PairMotion motion;
    turns(Vec3::Zero(), motion.a_start, motion.a_end);
    turns(random.uniform(0.05, 3.4) * random.direction(), motion.b_start, motion.b_end);
    return motion;
  });
}

/// One plate glides and turns over another; of every two, one sinks and tilts by about as much as
/// the gap is wide.
MovingWorkload gliding_plates(Index triangles, int motions) {
  return moving(plate(triangles), plate(triangles), motions, 22, [](Random& random) {
    const double gap = std::pow(10, random.uniform(-3, -1));
    const bool sinks = random.uniform(0, 1) < 0.5;
    const Pose place = turned_anyhow(random, random.in_box(3));
    const Vec3 from(random.uniform(-1, 1), random.uniform(-1, 1), gap);
    const Vec3 to(random.uniform(-1, 1), random.uniform(-1, 1),
                  sinks ? -random.uniform(0, 1) * gap : gap);
    const double angle = random.uniform(-kPi, kPi) / 2;
    const double tilt = sinks ? random.uniform(-1, 1) * gap : 0;
    const Vec3 axis(std::cos(angle), std::sin(angle), 0);
    return PairMotion{place, place, place * Pose::from_translation(from),
                      place * about(axis, tilt, to) * about(Vec3::UnitZ(), angle, Vec3::Zero())};
  });
}

/// A sphere turns by nearly half a turn inside of a box, and drifts towards a wall.
MovingWorkload sphere_spins_in_box(Index triangles, int motions) {
  return moving(box({-1, -1, -1}, {1, 1, 1}), scaled(bumpy_sphere(triangles, 1), 0.5), motions, 23,
                [](Random& random) {
                  const Pose start = turned_anyhow(random, random.in_box(0.2));
                  const Vec3 to = random.uniform(0.3, 0.85) * random.direction();
                  const double angle = random.uniform(0.5, 0.95) * kPi;
                  const Pose turn = about(random.direction(), angle, Vec3::Zero());
                  const Pose at_origin = Pose::from_translation(-start.translation()) * start;
                  return PairMotion{{}, {}, start, Pose::from_translation(to) * turn * at_origin};
                });
}

/// Two bodies rest 1e-4 apart, as in a simulation at rest, and move by about as much.
MovingWorkload steps_at_rest(Index triangles, int motions) {
  constexpr double kStep = 1e-4;
  const PolygonSoup ground = scaled(plate(triangles), 10), knot = torus_knot(2, 3, triangles);
  return moving(ground, knot, motions, 24, [&](Random& random) {
    const Pose turn = turned_anyhow(random, Vec3::Zero());
    double lowest = kInfinity;
    for (const Vec3& v : knot.vertices()) lowest = std::min(lowest, (turn * v).z());
    const Pose start =
        Pose::from_translation({random.uniform(-5, 5), random.uniform(-5, 5), kStep - lowest}) *
        turn;
    const Vec3 by =
        kStep * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-2, 0));
    const Pose tilt =
        about(random.direction(), random.uniform(-1, 1) * 0.1 * kStep, start.translation() + by);
    return PairMotion{{}, {}, start, tilt * turn};
  });
}

/// A fan turns in its cage, and moves a little off its axis.
MovingWorkload fan_in_cage(Index triangles, int motions) {
  constexpr double kGap = 0.03;
  return moving(cage(kGap, triangles), fan(5, triangles), motions, 25, [](Random& random) {
    const double from = random.uniform(0, 2 * kPi), by = random.uniform(0.3, 0.95) * kPi;
    const Vec3 aside = random.uniform(0, 2) * kGap * random.direction();
    return PairMotion{
        {}, {}, about(Vec3::UnitZ(), from, Vec3::Zero()), about(Vec3::UnitZ(), from + by, aside)};
  });
}

}  // namespace

const std::vector<NamedMovingWorkload>& moving_workloads() {
  static const std::vector<NamedMovingWorkload> all{
      {"turning rods", turning_rods},
      {"gliding plates", gliding_plates},
      {"sphere spins in a box", sphere_spins_in_box},
      {"steps at rest", steps_at_rest},
      {"fan in its cage", fan_in_cage},
  };
  return all;
}

const std::vector<NamedWorkload>& workloads() {
  static const std::vector<NamedWorkload> all{
      {"sphere in a box", sphere_in_box, true},
      {"mixed sizes", mixed_sizes, true},
      {"parallel plates", parallel_plates, false},
      {"rods", rods, true},
      {"on the ground", on_ground, true},
      {"hull and mesh", hull_and_mesh, true},
      {"peg in its hole", peg, true},
      {"parts of a beam", parts_of_a_beam, true},
      {"assembly", assembly, true},
      {"gears", gears, true},
      {"shaft in its bore", shaft_in_bore, true},
      {"far apart", far_apart, false},
      {"two boxes", two_boxes, true},
  };
  return all;
}

}  // namespace touche::scenes
