// SPDX-License-Identifier: Apache-2.0
// The inside of closed objects and of convex shapes: which points lie inside, whether one body lies
// inside another, how thick the overlap of two bodies is, and which shift resolves a contact.
//
// Functions that take shapes belong to the library touche::shapes and need touche/shape.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "touche/budget.h"
#include "touche/names.h"
#include "touche/object.h"
#include "touche/pose.h"
#include "touche/query.h"

namespace touche {

class Shape;

/// The inside of an object or of a convex shape.
///
/// That of an object is defined by the generalised winding number (Jacobson, Kavan,
/// Sorkine-Hornung 2013), which is also defined for soups with holes and overlapping shells. First,
/// faces are reversed where needed to be oriented like their neighbours, see inside_fault(). Faces
/// that enclose nothing have no inside. The inside of an outline's in_space() is what its closed
/// chains enclose by the even-odd rule, at any height; it is closed if all chains are. An Interior
/// holds a hierarchy of its own; copies share it. Const use is thread-safe.
///
/// A convex shape is its own inside: all of its points, its surface included.
///
///     const Interior interior(object), peg(gripper);
///     if (interior.contains({0, 0, 1}) && !peg.contains({0, 0, 1})) ++count;
class Interior {
 public:
  explicit Interior(Object object);
  /// Of a convex shape, or of the object of a soup. Throws InvalidInput for a rounded soup: its
  /// surface is not made of faces.
  explicit Interior(const Shape& shape);

  /// Throws InvalidInput for the inside of a convex shape, which has no object.
  [[nodiscard]] const Object& object() const;

  /// Whether the faces enclose a volume without gaps: each edge has equally many faces in either
  /// direction, with vertices at the same position merged. Otherwise the winding number is not an
  /// integer, and the inside is where its absolute value is at least one half. True for convex
  /// shapes.
  [[nodiscard]] bool closed() const;

  /// Whether it is unknown what lies inside, see Containment::open: the faces have gaps that are
  /// too wide, see closed_gap(), or contradicting orientations. Of an outline's in_space(): whether
  /// it has open chains of several points. False for convex shapes.
  [[nodiscard]] bool is_open() const;

  /// A point at which the object is open, if it is: the middle of its longest open edge, or an end
  /// of an open chain. In the object's coordinates. Not set if only orientations contradict.
  [[nodiscard]] std::optional<Vec3> open_at() const;

  /// Length: the width of the widest gap of an object whose gaps count as closed when the question
  /// is what lies inside it. They do if no gap is wider than a thousandth of the object's size;
  /// faces are not moved. 0 if the object is closed, or open. See containment().
  [[nodiscard]] double closed_gap() const;

  /// The winding number of the faces around x, in the object's coordinates: 1 inside a closed
  /// object whose faces are counter-clockwise seen from outside, −1 if they are clockwise, 0
  /// outside. For a convex shape it is 1 or 0, as contains() decides. Throws InvalidInput for
  /// coordinates that are not finite or larger than 1e90.
  [[nodiscard]] double winding_number(const Vec3& x) const;

  /// Whether the absolute value of the winding number is at least one half and x is within the
  /// object's bounds. It is decided by bounds of the winding number or, where these do not suffice,
  /// by the sum over all faces. Points on a face may count as inside or outside. For convex shapes
  /// it is exact for polytopes and half spaces; for round ones, points that are nearer to the
  /// surface than rounding can resolve (see intersects() of shapes) may count as either. Throws
  /// InvalidInput for coordinates that are not finite or larger than 1e90.
  [[nodiscard]] bool contains(const Vec3& x) const;

  /// Distance from the faces, negative inside. Its error is at most 2^-45 times the sum of the
  /// distance and the longest edge. If the object is not closed, the sign may also change away from
  /// faces. For a convex shape it is the distance from the shape, or minus the length of the
  /// shortest shift by which x leaves it; the middle of signed_distance_bracket(). Throws
  /// InvalidInput for coordinates that are not finite or larger than 1e90.
  [[nodiscard]] double signed_distance(const Vec3& x) const;

  /// Proved bounds of the signed distance. For convex shapes they agree up to rounding, like the
  /// results of distance() and depth() of shapes. For objects the bracket is twice as wide as the
  /// error of signed_distance() with the object's size in place of its longest edge; where it
  /// contains 0, both signs are possible. Throws InvalidInput for coordinates that are not finite
  /// or larger than 1e90.
  [[nodiscard]] Bracket signed_distance_bracket(const Vec3& x) const;

  struct Data;   ///< internal
  struct Solid;  ///< internal

 private:
  friend struct DataAccess;
  std::shared_ptr<const Data> data_;    // null for convex shapes
  std::shared_ptr<const Solid> solid_;  // null for objects
};

enum class Containment : std::uint8_t {
  undecided,  ///< the budget ended first, or it could not be decided, see containment()
  none,
  a_in_b,
  b_in_a,
  /// It is unknown: an object is open, and the other one lies within its convex hull. An object
  /// is open if its faces do not determine what is inside it: they have gaps that are too wide (see
  /// Interior::closed_gap), or an inside_fault().
  open,
};
template <>
inline constexpr std::array<std::string_view, 5> kNames<Containment> = {"undecided", "none",
                                                                        "a_in_b", "b_in_a", "open"};

/// Whether all of one object lies inside the other; `none` for objects that intersect. Each
/// connected part of an object (connected by vertices at the same position) is tested on its own.
/// If the other object is closed, one vertex of a part suffices, since no face is crossed; if it
/// has gaps that count as closed (Interior::closed_gap), all vertices of the part must be inside
/// that are farther from its faces than the gaps are wide: a part that reaches in through a gap,
/// and out of it, does not lie inside (see PathResult::may_reach_in). Of an open object nothing is
/// known but that what reaches beyond its convex hull is not inside. The closed chains of an
/// outline decide, except for what lies within the hull of its open ones. The budget's work limits
/// the search for an intersection, and separately the tests of points, each of which counts as one
/// pair.
///
/// With convex shapes, proved: `a_in_b` and `b_in_a` if one body lies inside the other and its
/// surface does not touch the other's; `none` if part of each lies outside the other. It is
/// undecided where the surfaces are nearer than rounding resolves, also if they just touch; for a
/// body with round parts other than balls (cylinders, cones, ellipsoids and sums with them) inside
/// another convex shape whose surface is nearer than about a thousandth of its size; and for round
/// shapes inside an object that has slits. A polytope is inside such an object if all its corners
/// are. Throws InvalidInput for a shape and an outline's in_space().
[[nodiscard]] Containment containment(const Interior& a, const Pose& pose_a, const Interior& b,
                                      const Pose& pose_b, const Budget& budget = {});

struct ThicknessOptions {
  double relative_error = 0.01;        ///< of the thickness; the larger of both allowances holds
  double absolute_error = 0;           ///< length
  std::uint64_t max_points = 100'000;  ///< that are tested
  Budget budget = {};                  ///< its work is not counted, see `max_points`
};

/// The thickness of the overlap of two objects: the diameter of the largest ball that fits into
/// both. Its centre lies inside both objects, and no face of either passes through it. This is how
/// much material would have to be removed there for closed objects not to overlap. It is symmetric,
/// and converges to the thickness of smooth bodies as their meshes are refined. It is 0 for objects
/// that only touch or are apart, or if one has no inside.
///
/// If an object is not closed, its inside is where the absolute winding number is at least one
/// half, and the bracket holds for that. This takes longer, unless its gaps are slits narrower than
/// a millionth of its size, as where adjoining edges are divided differently. Such slits widen the
/// bracket a little.
///
/// With convex shapes the bracket is proved, too. Two convex shapes take microseconds per tested
/// point; the error is at least that of rounding, for round shapes at least the width of
/// signed_distance_bracket(). A half space may overlap any bounded body; two half spaces throw
/// InvalidInput, as do a shape and an outline's in_space().
struct [[nodiscard]] Thickness {
  Bracket diameter;  ///< length
  /// World: centre of a ball of diameter `diameter.lower`, if that is > 0.
  Vec3 centre = Vec3::Zero();
  bool complete = false;   ///< false when a limit ended the search; the bracket still holds
  std::uint64_t work = 0;  ///< number of tested points
};
Thickness overlap_thickness(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const ThicknessOptions& options = {});

// ---- how to resolve a contact -------------------------------------------------------------------

struct Opening {
  Vec3 direction = Vec3::UnitX();  ///< world, unit length: the direction in which `a` is moved
  double shift = 0;                ///< length of the shift of `a`
  Bracket clearance;               ///< proved clearance of the objects after the shift
};

struct [[nodiscard]] OpeningResult {
  std::optional<Opening> best;
  bool complete = false;  ///< false when the budget ended the search; there may be a better one
};

/// Tests the directions that a contact suggests: its normal, the normals of both faces, and the
/// means of two of these. Returns the one in which the objects are farthest apart after `a` has
/// been moved by `shift`, a length > 0. `best` is empty if in each of them the objects still
/// intersect, or one then lies inside the other. The clearance is proved; another direction may be
/// better. The budget's work limits the test of each direction. Throws InvalidInput for a shift
/// that is not a length > 0, and for a contact whose faces do not exist or whose normal is not
/// finite.
OpeningResult opening(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const Contact& contact, double shift, const Budget& budget = {});

}  // namespace touche
