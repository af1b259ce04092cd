// SPDX-License-Identifier: Apache-2.0
// Two bodies whose surfaces slide in themselves along nearly the same screw: a nut on its bolt.
//
// Their facets stand for smooth surfaces, along which they slide by many facets in a step. So
// contacts get the normals of these: the rest of a facet's normal across the direction in which
// its surface slides. And a surface that slides in itself is the same after any such slide, so gaps
// change only by what the motion does beside it: a small shift and tilt.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "touche/object.h"
#include "touche/pose.h"

namespace touche {

/// A rigid motion, x → turn x + shift.
struct Shift {
  Mat3 turn = Mat3::Identity();
  Vec3 shift = Vec3::Zero();
  Vec3 operator()(const Vec3& x) const { return turn * x + shift; }
};

/// Points move by their velocity for each radian about the axis.
struct Screw {
  Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ();
  double advance = 0;
  Vec3 velocity(const Vec3& at) const { return axis.cross(at - point) + advance * axis; }
};

/// Tells what of an object's surface slides in itself, and how.
class SlidingSurface {
 public:
  /// Null where most of it does not. Takes some milliseconds for ten thousand triangles.
  static std::unique_ptr<const SlidingSurface> of(const Object& object);

  const Screw& screw() const { return screw_; }  // in the object's coordinates
  /// Says whether the feature's surface slides; false for a vertex, of which it is not known.
  bool slides(const PolygonSoup& soup, const Feature& feature) const;

 private:
  Screw screw_;
  std::vector<bool> faces_;
};

/// Keeps what was found out about objects.
class SlidingSurfaces {
 public:
  /// Null where it does not slide.
  const SlidingSurface* of(const Object& object);
  /// Forgets all where objects come and go; what was returned before is gone then.
  void forget_if_many() {
    constexpr std::size_t kMany = 1024;
    if (known_.size() > kMany) known_.clear();
  }

 private:
  struct Known {
    Object object;  // so that no other one comes to lie where it is
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

  /// If the axes and advances hardly differ. `size` is that of the smaller body.
  static std::optional<SlidingPair> of(const Body& a, const Body& b, double size);

  /// Whose surface makes the normal between two features, and slides there: the end of a nut does
  /// not, for example.
  Side side(const Feature& a, const Feature& b) const;
  /// Both surfaces around their axis, either way along it: in which part a contact is.
  static constexpr std::size_t kSectors = 8, kParts = 2 * kSectors;
  std::size_t part(const Vec3& point, const Vec3& normal) const;
  /// The normal of that surface in place of its facet's at a point.
  Vec3 smooth(Side side, const Vec3& point, const Vec3& normal) const;

  /// Returns what is left of a motion of b as seen from a, which turns it about so, when the
  /// surface of a or b has slid by all that it turns about the axis.
  Shift beside(Side side, const Shift& motion, const Vec3& turn) const;
  /// Both after such a rest.
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
  /// These are left of the motion beside the slides of a and of b, in half of a time and in all
  /// of it.
  std::array<Shift, 2> beside_a{}, beside_b{};
  double time = 0;
};

inline Screw placed(const Screw& screw, const Pose& pose) {
  return {pose * screw.point, pose.rotate(screw.axis), screw.advance};
}

}  // namespace touche
