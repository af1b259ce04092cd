// SPDX-License-Identifier: Apache-2.0
#include "shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "mesh_builder.h"
#include "pi.h"
#include "random.h"

namespace touche::scenes {
namespace {

/// Directions on a sphere, from an octahedron with `k` segments per edge.
class Octasphere {
 public:
  explicit Octasphere(int k) : k_(k) {
    for (int octant = 0; octant < 8; ++octant) add_octant(octant);
  }
  template <class Radius>
  PolygonSoup soup(Radius radius) const {
    MeshBuilder mesh;
    for (const Vec3& d : directions_) mesh.vertex(radius(d) * d);
    for (const auto& t : triangles_) mesh.face({t[0], t[1], t[2]});
    return mesh.soup();
  }

 private:
  void add_octant(int octant) {
    const int sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
    const auto corner = [&](int i, int j) { return vertex(sx * i, sy * j, sz * (k_ - i - j)); };
    const auto add = [&](Index a, Index b, Index c) {
      if (sx * sy * sz < 0) std::swap(b, c);
      triangles_.push_back({a, b, c});
    };
    for (int i = 0; i < k_; ++i)
      for (int j = 0; i + j < k_; ++j) {
        add(corner(i, j), corner(i + 1, j), corner(i, j + 1));
        if (i + j + 1 < k_) add(corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
      }
  }

  Index vertex(int x, int y, int z) {
    const auto [found, is_new] =
        numbers_.try_emplace({x, y, z}, static_cast<Index>(directions_.size()));
    if (is_new) {
      // The sine evens out the triangles' areas.
      const auto bend = [&](int i) { return std::sin(0.5 * kPi * i / k_); };
      directions_.push_back(Vec3(bend(x), bend(y), bend(z)).normalized());
    }
    return found->second;
  }

  int k_;
  std::map<std::tuple<int, int, int>, Index> numbers_;
  std::vector<Vec3> directions_;
  std::vector<std::array<Index, 3>> triangles_;
};

int octasphere_segments(Index triangles) {
  return std::max(1, static_cast<int>(std::lround(std::sqrt(triangles / 8.0))));
}

}  // namespace

PolygonSoup box(const Vec3& lo, const Vec3& hi, Index divisions) {
  const int n = static_cast<int>(std::max<Index>(1, divisions));
  MeshBuilder mesh;
  std::map<std::array<int, 3>, Index> numbers;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [found, is_new] = numbers.try_emplace(at, static_cast<Index>(numbers.size()));
    if (is_new) {
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = at[k] == n ? hi[k] : lo[k] + (hi[k] - lo[k]) * at[k] / n;
      mesh.vertex(p);
    }
    return found->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const auto corner = [&](int di, int dj) {
            std::array<int, 3> at{};
            at[axis] = side * n;
            at[(axis + 1) % 3] = i + di;
            at[(axis + 2) % 3] = j + dj;
            return vertex(at);
          };
          if (side == 1)
            mesh.face({corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)});
          else
            mesh.face({corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)});
        }
  return mesh.soup();
}

PolygonSoup cylinder(double radius, double height, Index segments) {
  MeshBuilder mesh;
  mesh.lathe(std::array{Vec2(radius, 0), Vec2(radius, height)}, std::max<Index>(3, segments));
  return mesh.soup();
}

PolygonSoup sphere(double radius, Index triangles) {
  return Octasphere(octasphere_segments(triangles)).soup([&](const Vec3&) { return radius; });
}

PolygonSoup bumpy_sphere(Index triangles, std::uint64_t seed, double amplitude) {
  struct Wave {
    Vec3 direction;
    double phase, height;
  };
  Random random(seed);
  std::array<Wave, 16> waves;
  double total = 0;
  for (Wave& w : waves) {
    const double frequency = random.uniform(4, 14);
    w.direction = frequency * random.direction();
    w.phase = random.uniform(0, 2 * kPi);
    w.height = random.uniform(0.3, 1);
    total += w.height;
  }
  return Octasphere(octasphere_segments(triangles)).soup([&](const Vec3& d) {
    double sum = 0;
    for (const Wave& w : waves) sum += w.height * std::sin(w.direction.dot(d) + w.phase);
    return 1 + amplitude * sum / total;
  });
}

PolygonSoup torus(double ring_radius, double tube_radius, Index around, Index tube) {
  std::vector<Vec2> profile;
  for (Index i = 0; i < std::max<Index>(3, tube); ++i) {
    const Vec2 u = on_circle(i, std::max<Index>(3, tube)) * tube_radius;
    profile.push_back({ring_radius + u.x(), u.y()});
  }
  MeshBuilder mesh;
  mesh.lathe(profile, std::max<Index>(3, around), true);
  return mesh.soup();
}

PolygonSoup torus_knot(int p, int q, Index triangles, double tube_radius) {
  const Index tube =
      std::max<Index>(3, static_cast<Index>(std::lround(std::sqrt(triangles / 50.0))));
  const Index along = std::max<Index>(24, triangles / (2 * tube));
  const auto curve = [&](double s) {
    const double r = 1 + 0.4 * std::cos(q * s);
    return Vec3(r * std::cos(p * s), r * std::sin(p * s), 0.4 * std::sin(q * s));
  };
  MeshBuilder mesh;
  std::vector<Ring> rings;
  for (Index i = 0; i < along; ++i) {
    const double s = 2 * kPi * i / along, step = 1e-4;
    // The normal of the torus that carries the knot is a frame that closes after one round.
    const Vec3 centre(std::cos(p * s), std::sin(p * s), 0);
    const Vec3 out = (curve(s) - centre) / 0.4;
    const Vec3 side = (curve(s + step) - curve(s - step)).normalized().cross(out);
    rings.push_back(mesh.ring(tube, [&](Index k) {
      const Vec2 u = on_circle(k, tube) * tube_radius;
      return Vec3(curve(s) + out * u.x() + side * u.y());
    }));
  }
  for (Index i = 0; i < along; ++i) mesh.strip(rings[i], rings[(i + 1) % along]);
  return mesh.soup();
}

PolygonSoup random_soup(std::uint64_t seed, const RandomSoup& options) {
  Random random(seed);
  MeshBuilder mesh;
  for (Index f = 0; f < options.faces; ++f) {
    const Vec3 centre = random.in_box(options.extent);
    const Vec3 normal = random.direction();
    const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
    const Index n = 3 + random.below(std::max<Index>(1, options.max_corners - 2));
    const double squeeze = random.uniform() < options.slivers ? 1e-4 : 1;
    const double turn = random.uniform(0, 2 * kPi);
    mesh.face(std::span<const Index>(mesh.ring(n, [&](Index i) {
      // On an ellipse, one corner in each n-th of it: convex whatever the numbers are.
      const double angle = turn + 2 * kPi * (i + random.uniform(0.1, 0.9)) / n;
      return Vec3(centre +
                  options.face_size * (std::cos(angle) * u + squeeze * std::sin(angle) * v));
    })));
  }
  return mesh.soup();
}

}  // namespace touche::scenes
