// SPDX-License-Identifier: Apache-2.0
// Random soups, as nasty as they come, and random motions of every kind, for tests of continuous
// queries against the independent oracle.
#pragma once

#include <array>
#include <cmath>
#include <ostream>
#include <vector>

#include "motion_kinds.h"
#include "random.h"
#include "toi_judge.h"

namespace touche::test {

using scenes::Random;

inline double log_uniform(Random& random, double lo, double hi) {
  return std::exp(random.uniform(std::log(lo), std::log(hi)));
}
inline double sign(Random& random) { return random.below(2) ? 1 : -1; }

// ---- soups ----------------------------------------------------------------------------------

inline PolygonSoup soup_of(const std::vector<Vec3>& corners, double scale) {
  std::vector<double> coordinates;
  std::vector<Index> indices;
  for (const Vec3& v : corners) {
    for (int k = 0; k < 3; ++k) coordinates.push_back(scale * v[k]);
    indices.push_back(static_cast<Index>(indices.size()));
  }
  return PolygonSoup(coordinates, indices);
}

using MakeCorners = std::vector<Vec3> (*)(Random&);

inline std::vector<Vec3> triangles(Random& random) {
  std::vector<Vec3> v;
  for (Index n = 1 + random.below(4); n > 0; --n) {
    const Vec3 centre = random.in_box(0.5);
    for (int i = 0; i < 3; ++i) v.push_back(centre + 0.7 * random.direction());
  }
  return v;
}

inline std::vector<Vec3> needles(Random& random) {
  std::vector<Vec3> v;
  for (Index n = 1 + random.below(4); n > 0; --n) {
    const Vec3 p = random.in_box(0.3), q = p + 1.5 * random.direction();
    const double thin = log_uniform(random, 1e-14, 1e-2);
    v.insert(v.end(), {p, q, p + random.uniform(-0.1, 1.1) * (q - p) + thin * random.direction()});
  }
  return v;
}

// Points, segments and flat triangles with three collinear corners.
inline std::vector<Vec3> degenerate(Random& random) {
  std::vector<Vec3> v;
  for (Index n = 1 + random.below(3); n > 0; --n) {
    const Vec3 p = random.in_box(0.7), q = p + random.direction();
    const Vec3 thirds[] = {p, q, 0.5 * (p + q), p + 2 * (q - p)};
    const Vec3 second = random.below(3) ? q : p;
    v.insert(v.end(), {p, second, second == p ? p : thirds[random.below(4)]});
  }
  return v;
}

inline std::vector<Vec3> sticks(Random& random) {
  std::vector<Vec3> v;
  for (Index n = 1 + random.below(3); n > 0; --n) {
    const Vec3 p = random.in_box(0.7), q = p + 2 * random.direction();
    v.insert(v.end(), {p, q, p});
  }
  return v;
}

// Small enough to be inside a box.
inline std::vector<Vec3> crumbs(Random& random) {
  std::vector<Vec3> v = triangles(random);
  for (Vec3& p : v) p *= 0.1;
  return v;
}

inline std::vector<Vec3> box(Random& random) {
  const double h[] = {0.5, 0.25, random.uniform(0.1, 1)};
  const auto corner = [&](int i) {
    return Vec3((i & 1) ? h[0] : -h[0], (i & 2) ? h[1] : -h[1], (i & 4) ? h[2] : -h[2]);
  };
  std::vector<Vec3> v;
  for (const auto& q : {std::array{0, 1, 3, 2},
                        {4, 5, 7, 6},
                        {0, 1, 5, 4},
                        {2, 3, 7, 6},
                        {0, 2, 6, 4},
                        {1, 3, 7, 5}})
    for (const int i : {0, 1, 2, 0, 2, 3}) v.push_back(corner(q[static_cast<std::size_t>(i)]));
  return v;
}

// Corners on a lattice: they meet corners and edges, edges run in parallel, faces in one plane.
inline Vec3 rounded(const Vec3& x) { return (4 * x).array().round() / 4; }
inline std::vector<Vec3> lattice(Random& random) {
  std::vector<Vec3> v = triangles(random);
  for (Vec3& p : v) p = rounded(p);
  return v;
}

inline std::vector<Vec3> flat(Random& random) {
  std::vector<Vec3> v = triangles(random);
  for (Vec3& p : v) p.z() = 0;
  return v;
}

// ---- motions --------------------------------------------------------------------------------

enum class Kind {
  slerp,
  nlerp,
  screw,
  glide,
  tiny_turn,
  rocking,
  through,
  chain,
  recorded,
  axis_parallel,
  planar,
  on_lattice
};

// Makes rides in units of `scale` about `offset`.
struct Stage {
  Random& random;
  double scale;
  Vec3 offset;

  Vec3 world(const Vec3& p) const { return offset + scale * p; }
  Pose pose(const Vec3& at) const {
    return Pose::from_axis_angle(random.direction(), random.uniform(-3.1, 3.1), world(at));
  }
  Pose turned(const Pose& start, const Vec3& axis, double angle, const Vec3& at) const {
    const Pose turn = Pose::from_axis_angle(axis, angle, Vec3::Zero());
    return Pose::from_quaternion_unchecked(turn.rotation() * start.rotation(), world(at));
  }

  // An orbit about an axis half way to `about`, so that half a turn leads there.
  Ride screw_around(const Pose& start, const Vec3& from, const Vec3& about, double angle) const {
    const Vec3 axis = (about - from).cross(random.direction()) + 0.3 * random.direction();
    return test::screw(start, world(0.5 * (from + about)), axis, angle,
                       scale * random.uniform(-0.3, 0.3));
  }

  Ride ride(Kind kind, const Vec3& from, const Vec3& to) const {
    const Pose start = pose(from);
    switch (kind) {
      case Kind::slerp:
        return interpolated(start, pose(to), Interpolation::slerp);
      case Kind::nlerp:
        return interpolated(start, pose(to), Interpolation::nlerp);
      case Kind::screw:
        return screw_around(start, from, to, sign(random) * log_uniform(random, 2, 20 * kPi));
      case Kind::glide:
        return interpolated(start, Pose::from_quaternion_unchecked(start.rotation(), world(to)),
                            Interpolation::slerp);
      case Kind::tiny_turn: {
        const double angle = log_uniform(random, 1e-12, 1e-3);
        if (random.below(2))
          return interpolated(start, turned(start, random.direction(), angle, to),
                              random.below(2) ? Interpolation::slerp : Interpolation::nlerp);
        const Vec3 way = to - from;
        return test::screw(start, world(random.in_box(1)), way, angle, scale * way.norm());
      }
      case Kind::rocking:
        return rocking(start, scale * random.in_box(0.5), scale * (to - from), random.direction(),
                       random.uniform(-3, 3), random.uniform(0.2, 2));
      case Kind::through:
      case Kind::chain:
        return joined(kind, start, from, to);
      case Kind::recorded:
        return recorded(start, from, to);
      case Kind::axis_parallel: {
        const auto any = [&] { return Vec3(Vec3::Unit(random.below(3))); };
        const Pose quarter = turned(Pose(), any(), 0.5 * kPi * random.below(4), from);
        return interpolated(quarter, turned(quarter, any(), 0.5 * kPi * random.below(2), to),
                            Interpolation::slerp);
      }
      case Kind::on_lattice:
        return interpolated(Pose::from_translation(world(rounded(from))),
                            Pose::from_translation(world(rounded(to))), Interpolation::slerp);
      case Kind::planar: {
        const Vec3 z = Vec3::UnitZ(), p(from.x(), from.y(), 0), q(to.x(), to.y(), 0);
        const Pose first = turned(Pose(), z, random.uniform(-3, 3), p);
        return interpolated(first, turned(first, z, random.uniform(-3, 3), q),
                            Interpolation::slerp);
      }
    }
    return still(start);
  }

  Ride joined(Kind kind, const Pose& start, const Vec3& from, const Vec3& to) const {
    std::vector<double> times{0};
    const int parts = 2 + static_cast<int>(random.below(4));
    for (int i = 1; i < parts; ++i) times.push_back(times.back() + random.uniform(0.01, 1));
    times.push_back(times.back() + 0.5);
    for (double& t : times) t /= times.back();
    std::vector<Pose> poses{start};
    std::vector<Ride> rides;
    for (int i = 1; i <= parts; ++i) {
      const Vec3 at = from + (to - from) * (static_cast<double>(i) / parts) + random.in_box(0.3);
      rides.push_back(
          i % 2 ? interpolated(poses.back(), pose(at), Interpolation::slerp)
                : screw_around(poses.back(), at, random.in_box(2), random.uniform(-2, 2)));
      poses.push_back(kind == Kind::through ? pose(at) : rides.back().motion.pose(1));
    }
    if (kind == Kind::through)
      return test::through(poses, times,
                           random.below(2) ? Interpolation::slerp : Interpolation::nlerp);
    const Ride whole = test::chain(rides, times);
    return random.below(2) ? whole : part(whole, random.uniform(0, 0.3), random.uniform(0.6, 1));
  }

  // A smooth motion as a recorder writes it down: often, not always steadily, not quite exactly.
  Ride recorded(const Pose& start, const Vec3& from, const Vec3& to) const {
    const Kind kinds[] = {Kind::slerp, Kind::glide, Kind::screw, Kind::rocking, Kind::chain};
    const Kind kind = kinds[random.below(5)];
    const Ride smooth =
        kind == Kind::screw
            ? screw_around(start, from, to, sign(random) * log_uniform(random, 0.3, 6))
            : ride(kind, from, to);
    const bool steady = random.below(2) == 0;
    const double noise = std::array{0.0, 1e-13, 1e-8, 1e-4}[random.below(4)];
    const int steps = 10 + static_cast<int>(random.below(50));
    std::vector<double> times;
    std::vector<Pose> poses;
    for (int i = 0; i <= steps; ++i) {
      const bool inside = i > 0 && i < steps;
      times.push_back((i + (steady || !inside ? 0 : random.uniform(-0.4, 0.4))) / steps);
      const Pose at = smooth.motion.pose(times.back());
      const Vec3 off = noise == 0 ? Vec3(Vec3::Zero()) : Vec3(noise * scale * random.direction());
      poses.push_back(turned(at, random.direction(), noise, Vec3::Zero()));
      poses.back() =
          Pose::from_quaternion_unchecked(poses.back().rotation(), at.translation() + off);
    }
    return test::through(poses, times,
                         random.below(4) ? Interpolation::slerp : Interpolation::nlerp);
  }
};

// ---- the families ---------------------------------------------------------------------------

struct Family {
  const char* name;
  MakeCorners a, b;
  Kind kind_a, kind_b;
  double start = 2.6;   // where b starts, from a
  double miss = 1.2;    // how far its aim is off, so that 30 to 70 % touch
  double wander = 0.5;  // of a
};

inline void PrintTo(const Family& f, std::ostream* out) { *out << f.name; }

inline Scenario make(const Family& f, std::uint64_t seed) {
  Random random(seed);
  const bool exact = f.kind_a == Kind::on_lattice;  // then nothing is rounded
  const double any_scale = log_uniform(random, 1e-6, 1e6);
  const double scale = exact ? std::exp2(std::round(std::log2(any_scale))) : any_scale;
  const double any_away = std::array{0.0, 10.0, log_uniform(random, 1, 1e6)}[random.below(3)];
  const double away = exact ? 0 : any_away;
  const Stage stage{random, scale, scale * away * random.direction()};
  const Vec3 from = f.start * random.direction();
  const Vec3 to = -random.uniform(0, 1) * from + random.in_box(f.miss);
  Scenario s;
  s.a = soup_of(f.a(random), scale);
  s.b = soup_of(f.b(random), scale);
  s.ride_a = random.below(4) ? stage.ride(f.kind_a, Vec3::Zero(), random.in_box(f.wander))
                             : still(stage.pose(Vec3::Zero()));
  if (f.kind_a == Kind::planar || f.kind_a == Kind::axis_parallel)
    s.ride_a = stage.ride(f.kind_a, Vec3::Zero(), random.in_box(f.wander));
  s.ride_b = stage.ride(f.kind_b, from, to);
  s.tolerance = random.below(8) ? scale * log_uniform(random, 1e-8, 1e-2) : 1e-300;
  return s;
}

}  // namespace touche::test
