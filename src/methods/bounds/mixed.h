// SPDX-License-Identifier: Apache-2.0
// The volume that fits best: a sphere, an axis-aligned or an oriented box, whichever has the lowest
// product of quality and cost of a test. For hierarchies whose nodes differ in shape.
#pragma once

#include <cstdint>
#include <span>

#include "methods/bounds/bounding_volume.h"
#include "methods/bounds/obb.h"

namespace touche::bounds {

/// The cost of a test of two of a kind: multiplications counted in the sources. Spheres: 9 to move
/// the centre, 3 for the norm. Boxes: 9 and 9 to bring the centre into a's axes, 54 for the
/// products of the frames, and up to 27 and 54 for the axes, where half is saved by stopping early:
/// about 120. Boxes aligned to their own frames are at an angle to each other and cost the same.
struct TestCosts {
  double sphere = 1, aabb = 10, obb = 10;
};

/// Numbers without gaps between them, so that hierarchies on disk can hold it as it is.
struct Mixed {
  static constexpr std::string_view kName = "mixed";
  enum class Kind : std::uint64_t { sphere, aabb, obb };
  Kind kind = Kind::sphere;
  Obb box;  ///< tests use this; of a sphere only `centre` and half.x(), its radius

  Mixed() = default;
  Mixed(const Sphere& s) : kind(Kind::sphere) {  // implicit: each of the three is one of these
    box.centre = s.centre;
    box.half.x() = s.radius;
  }
  Mixed(const AabbMinMax& b) : kind(Kind::aabb), box(to_obb(b)) {}
  Mixed(const Obb& b) : kind(Kind::obb), box(b) {}

  static Mixed fit(std::span<const Vec3> points);
  static Mixed fit(std::span<const Vec3> points, Criterion criterion, const TestCosts& costs);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;

  /// Calls f with the shape it is.
  template <typename F>
  auto visit(F&& f) const {
    switch (kind) {
      case Kind::sphere:
        return f(Sphere{box.centre, box.half.x()});
      case Kind::aabb:
        return f(to_min_max(AabbCentre{box.centre, box.half}));
      default:
        return f(box);
    }
  }
};

Mixed moved(const Mixed& m, const PoseMatrix& pose);
bool overlap(const Mixed& a, const Mixed& b, const PoseMatrix& pose);
double lower_bound(const Mixed& a, const Mixed& b, const PoseMatrix& pose);

}  // namespace touche::bounds
