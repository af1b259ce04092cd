// SPDX-License-Identifier: Apache-2.0
// Two bodies whose surfaces slide in themselves along nearly the same screw: a nut on its bolt. A
// surface slides in itself if a motion along the screw leaves it unchanged.
//
// Their facets approximate smooth surfaces, along which they slide by many facets in a step. So
// contacts get the normals of the smooth surfaces: the facet's normal without its part along the
// direction in which its surface slides. Sliding in itself does not change a surface, so gaps
// change only by the rest of the motion: a small shift and tilt.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "touche/object.h"
#include "touche/pose.h"

namespace touche::dynamics {

/// A rigid motion, x → turn x + shift.
struct Shift {
  Mat3 turn = Mat3::Identity();
  Vec3 shift = Vec3::Zero();
  Vec3 operator()(const Vec3& x) const { return turn * x + shift; }
};

/// A screw: points move by `velocity` per radian about the axis.
struct Screw {
  Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ();
  double advance = 0;
  Vec3 velocity(const Vec3& at) const { return axis.cross(at - point) + advance * axis; }
};

/// The faces of an object that slide in themselves, and their screw.
class SlidingSurface {
 public:
  /// Null if most of the surface does not slide. Takes some milliseconds for ten thousand
  /// triangles.
  static std::unique_ptr<const SlidingSurface> of(const Object& object);

  const Screw& screw() const { return screw_; }  // in the object's coordinates
  /// True if the feature's surface slides. False for a vertex, for which it is not known.
  bool slides(const PolygonSoup& soup, const Feature& feature) const;

 private:
  Screw screw_;
  std::vector<bool> faces_;
};

/// Keeps the sliding surfaces of objects.
class SlidingSurfaces {
 public:
  /// Null if the object's surface does not slide.
  const SlidingSurface* of(const Object& object);
  /// Forgets all when there are many, as where objects come and go. Pointers that were returned
  /// before become invalid.
  void forget_if_many() {
    constexpr std::size_t kMany = 1024;
    if (known_.size() > kMany) known_.clear();
  }

 private:
  struct Known {
    Object object;  // held, so that no other object gets its address
    std::unique_ptr<const SlidingSurface> surface;
  };
  std::vector<Known> known_;
};

class SlidingPair {
 public:
  enum class Side : std::uint8_t { none, a, b };
  struct Body {
    const PolygonSoup* soup;
    const SlidingSurface* surface;
    Screw screw;  // in the world
  };

  /// Empty unless the axes and advances nearly agree. `size` is the size of the smaller body.
  static std::optional<SlidingPair> of(const Body& a, const Body& b, double size);

  /// The body whose surface slides and makes the normal between two features; none, for example, at
  /// the end of a nut.
  Side side(const Feature& a, const Feature& b) const;
  /// Contacts of a pair in parts: by sectors around the axis, and by the direction of the normal
  /// along it.
  static constexpr std::size_t kSectors = 8, kParts = 2 * kSectors;
  std::size_t part(const Vec3& point, const Vec3& normal) const;
  /// The normal of that smooth surface at a point, in place of its facet's.
  Vec3 smooth(Side side, const Vec3& point, const Vec3& normal) const;

  /// Returns the rest of a motion of b as seen from a, after the surface of a or b has slid by all
  /// that the motion turns about the axis. `turn` is roughly the motion's rotation, which counts
  /// full turns.
  Shift beside(Side side, const Shift& motion, const Vec3& turn) const;
  /// The pair after such a rest of a motion.
  SlidingPair moved(const Shift& rest) const;

 private:
  SlidingPair(const Body& a, const Body& b) : a_(a), b_(b) {}
  const Screw& screw(Side side) const { return side == Side::a ? a_.screw : b_.screw; }

  Body a_, b_;
};

/// Two bodies of a world, by their numbers, whose surfaces slide along each other.
struct SlidingBodies {
  Index a, b;
  SlidingPair pair;
  /// The rest of the motion beside the slides of a and of b, in half of `time` and in all of it.
  std::array<Shift, 2> beside_a{}, beside_b{};
  double time = 0;
};

}  // namespace touche::dynamics

namespace touche {

inline dynamics::Screw placed(const dynamics::Screw& screw, const Pose& pose) {
  return {pose * screw.point, pose.rotate(screw.axis), screw.advance};
}

}  // namespace touche
