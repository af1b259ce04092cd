// SPDX-License-Identifier: Apache-2.0
// Where there is material: which points lie inside of a closed object, whether one object lies
// inside another, and how thick the overlap of two objects is.
#pragma once

#include <cstdint>
#include <memory>

#include "touche/budget.h"
#include "touche/names.h"
#include "touche/object.h"
#include "touche/pose.h"

namespace touche {

/// The inside of an object: where its faces wind around a point, by its winding number (Jacobson,
/// Kavan, Sorkine-Hornung 2013), which also makes sense for soups with holes and overlapping
/// shells. Faces are turned to run like their neighbours before, see inside_fault(). Faces that
/// enclose nothing have no inside. That of an outline's in_space() is what its closed chains
/// enclose by the even-odd rule, whatever the height of a point; it is closed where all chains are.
/// Holds a hierarchy of its own; a value, copies share their data; const use is thread-safe.
class Interior {
 public:
  explicit Interior(Object object);

  [[nodiscard]] const Object& object() const;

  /// Whether the faces enclose a volume without gaps: each edge is run through as often one way as
  /// the other, vertices at the same position being one. Otherwise the inside is a matter of
  /// degree, and cut off at one half.
  [[nodiscard]] bool closed() const;

  /// Coordinates are the object's own. 1 inside of a closed object whose faces run
  /// counterclockwise seen from outside, −1 for the other way round, 0 outside.
  [[nodiscard]] double winding_number(const Vec3& x) const;

  /// Whether the winding number is at least one half in size, and the point within the bounds of
  /// the object: decided by bounds of that number, and where these are not enough by the sum over
  /// all faces. Points on a face may be either.
  [[nodiscard]] bool contains(const Vec3& x) const;

  /// Distance from the faces, negative inside; right up to 2^-45 times the sum of the distance and
  /// the longest edge. Where the object is not closed, the sign may also change away from faces.
  [[nodiscard]] double signed_distance(const Vec3& x) const;

  struct Data;  ///< for the library

 private:
  friend struct DataAccess;
  std::shared_ptr<const Data> data_;
};

enum class Containment : std::uint8_t {
  undecided,  ///< the budget ended first, or it cannot be told: an object is not closed
  none,
  a_in_b,
  b_in_a,
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<Containment> = {"undecided", "none",
                                                                        "a_in_b", "b_in_a"};

/// Whether all of one object lies inside the other. For objects that do not intersect (else: none).
/// Parts of an object, which hang together by vertices at the same position, are looked at one by
/// one. A part lies inside another object when all its vertices do; since no face is crossed, one
/// says it for all where the other object is closed. Work: of the search for an intersection, and
/// as many points.
[[nodiscard]] Containment containment(const Interior& a, const Pose& pose_a, const Interior& b,
                                      const Pose& pose_b, const Budget& budget = {});

struct ThicknessOptions {
  double relative_error = 0.01;           ///< of the thickness; the larger allowance holds
  double absolute_error = 0;              ///< length
  Budget budget = {.max_work = 100'000};  ///< work: points looked at
};

/// The diameter of the largest ball that fits into both objects: its centre lies inside both, and
/// no face of either passes through it. How much would have to go for closed objects not to overlap
/// there. Symmetric; when meshes are refined towards smooth bodies it converges to theirs, since
/// both distances do. 0 for objects that only touch, that are apart, or of which one has no inside.
/// Where an object is not closed, its inside is cut off at a winding number of one half, and the
/// bracket holds for that; it takes longer, unless its gaps are slits narrower than a millionth of
/// its size, as where edges meet that are cut differently: these widen the bracket a little.
struct [[nodiscard]] Thickness {
  Bracket diameter;            ///< of that ball, a length
  Vec3 centre = Vec3::Zero();  ///< world; of a ball of diameter `diameter.lower`, where that is > 0
  bool complete = false;       ///< false when the budget ended the search: the bracket still holds
  std::uint64_t work = 0;
};
Thickness overlap_thickness(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const ThicknessOptions& options = {});

}  // namespace touche
