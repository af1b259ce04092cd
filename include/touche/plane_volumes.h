// SPDX-License-Identifier: Apache-2.0
// Bounding volumes of the plane: circle, box, oriented box, 4- and 8-DOP, zonogon, convex hull. For
// queries of these as bodies (contact, distance, time of impact) see touche/plane_shape.h.
//
// Volumes are closed sets, and touching counts as overlapping. Rounding is conservative: a fitted
// volume contains its points as real numbers; `contains` is true for every point of the volume;
// `overlap` is true whenever two volumes have a point in common; `lower_bound` never exceeds their
// distance, and is 0 if they overlap. `overlap` may also be true for volumes that are apart by less
// than some 1e-14 of their coordinates. The relative error of areas, perimeters and diameters is at
// most 1e-12.
//
// `fit` throws InvalidInput for an empty list, and for coordinates that are not finite or larger
// than 1e90. It accepts any points: a single one, several equal ones, or all on one line.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "touche/names.h"
#include "touche/plane.h"

namespace touche::plane {

/// All points within `radius` of the convex polygon of `corners`, which are counter-clockwise; one
/// corner gives a disc, two a rounded segment. Each volume is contained in such a set, which is
/// used for drawing and for tests against other kinds.
struct Rounded {
  std::vector<Vec2> corners;
  double radius = 0;
};

/// A disc: all points within the radius of the centre.
struct Circle {
  static constexpr std::string_view kName = "circle";
  Vec2 centre = Vec2::Zero();
  double radius = 0;

  /// The smallest enclosing circle, up to rounding (Welzl 1991).
  [[nodiscard]] static Circle fit(std::span<const Vec2> points);
  [[nodiscard]] bool contains(const Vec2& p) const;
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const { return 2 * radius; }
};

/// An axis-aligned box.
struct Box {
  static constexpr std::string_view kName = "box";
  Vec2 lo = Vec2::Zero(), hi = Vec2::Zero();

  /// The smallest box. Exact.
  [[nodiscard]] static Box fit(std::span<const Vec2> points);
  [[nodiscard]] bool contains(const Vec2& p) const;  ///< exact
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

/// The measure that `fit` minimises.
enum class Measure : std::uint8_t { area, perimeter, diameter };
}  // namespace touche::plane
template <>
inline constexpr std::array<std::string_view, 3> touche::kNames<touche::plane::Measure> = {
    "area", "perimeter", "diameter"};
namespace touche::plane {

/// The points centre + x axis + y across with |x| <= half.x and |y| <= half.y, where `across` is
/// the axis rotated by +90°.
struct OrientedBox {
  static constexpr std::string_view kName = "oriented_box";
  Vec2 centre = Vec2::Zero();
  Vec2 axis = Vec2::UnitX();  ///< of unit length up to rounding
  Vec2 half = Vec2::Zero();

  /// The box of least measure, up to rounding; one of its sides lies on an edge of the convex hull
  /// (rotating callipers, Toussaint 1983).
  [[nodiscard]] static OrientedBox fit(std::span<const Vec2> points,
                                       Measure measure = Measure::area);
  [[nodiscard]] Vec2 across() const { return {-axis.y(), axis.x()}; }
  [[nodiscard]] bool contains(const Vec2& p) const;
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

/// Intervals of x and y, and for K = 8 also of x + y and x − y: a box, for K = 8 with its corners
/// cut off.
template <int K>
struct Dop {
  static_assert(K == 4 || K == 8);
  static constexpr std::string_view kName = K == 4 ? "dop4" : "dop8";
  std::array<double, K / 2> lo = {}, hi = {};

  /// The smallest DOP: x and y are exact, sums and differences are rounded outwards.
  [[nodiscard]] static Dop fit(std::span<const Vec2> points);
  [[nodiscard]] bool contains(const Vec2& p) const;
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

/// The points centre + Σ λᵢ gᵢ with |λᵢ| <= 1: a convex polygon with a centre of symmetry, whose
/// sides are 2 gᵢ, each twice.
struct Zonogon {
  static constexpr std::string_view kName = "zonogon";
  Vec2 centre = Vec2::Zero();
  std::vector<Vec2> generators;  ///< sorted by direction, y >= 0; no two are parallel

  /// A small zonogon, not always the smallest. For a given centre the smallest is the hull of the
  /// points and their reflections; the centre is optimised (Nelder, Mead 1965), starting from that
  /// of the oriented box. While there are more than `max_generators` (>= 2) generators, the side
  /// whose removal adds the least area is removed, and its neighbours are extended until they meet.
  /// Up to two further tiny generators may be added to compensate for rounding.
  [[nodiscard]] static Zonogon fit(std::span<const Vec2> points, int max_generators = 4);
  [[nodiscard]] bool contains(const Vec2& p) const;
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

/// The convex hull.
struct Hull {
  static constexpr std::string_view kName = "hull";
  /// Counter-clockwise, no three on one line; 1 or 2 corners if all points are equal or on one
  /// line.
  std::vector<Vec2> corners;
  /// Length: points within this of the corners' hull belong to it; > 0 for moved hulls.
  double margin = 0;

  /// Exact (Andrew's monotone chain with exact signs).
  [[nodiscard]] static Hull fit(std::span<const Vec2> points);
  [[nodiscard]] bool contains(const Vec2& p) const;  ///< exact if the margin is 0
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

using Dop4 = Dop<4>;
using Dop8 = Dop<8>;
using AllVolumes = std::tuple<Circle, Box, OrientedBox, Dop4, Dop8, Zonogon, Hull>;

/// A set that contains the volume and is larger by rounding only.
[[nodiscard]] Rounded rounded(const Circle& v);
[[nodiscard]] Rounded rounded(const Box& v);
[[nodiscard]] Rounded rounded(const OrientedBox& v);
[[nodiscard]] Rounded rounded(const Dop4& v);
[[nodiscard]] Rounded rounded(const Dop8& v);
[[nodiscard]] Rounded rounded(const Zonogon& v);
[[nodiscard]] Rounded rounded(const Hull& v);

/// A volume of the same kind that contains the moved volume. Boxes and DOPs are fitted again and
/// grow; others keep their shape.
[[nodiscard]] Circle moved(const Circle& v, const Pose& pose);
[[nodiscard]] Box moved(const Box& v, const Pose& pose);
[[nodiscard]] OrientedBox moved(const OrientedBox& v, const Pose& pose);
[[nodiscard]] Dop4 moved(const Dop4& v, const Pose& pose);
[[nodiscard]] Dop8 moved(const Dop8& v, const Pose& pose);
[[nodiscard]] Zonogon moved(const Zonogon& v, const Pose& pose);
[[nodiscard]] Hull moved(const Hull& v, const Pose& pose);

/// The concept of a volume of the plane, which all of the above fulfil.
template <typename V>
concept Volume = std::copyable<V> &&
    requires(const V& v, const Vec2& p, std::span<const Vec2> points, const Pose& pose) {
  { V::kName } -> std::convertible_to<std::string_view>;
  { V::fit(points) } -> std::same_as<V>;
  { v.contains(p) } -> std::same_as<bool>;
  { v.area() } -> std::same_as<double>;
  { v.perimeter() } -> std::same_as<double>;
  { v.diameter() } -> std::same_as<double>;
  { rounded(v) } -> std::same_as<Rounded>;
  { moved(v, pose) } -> std::same_as<V>;
};

// ---- pairs of volumes ------------------------------------------------------------------------

/// Use separating axes, found by the algorithm of Gilbert, Johnson and Keerthi (1988).
[[nodiscard]] bool overlap(const Rounded& a, const Rounded& b);
[[nodiscard]] double lower_bound(const Rounded& a, const Rounded& b);

/// Test two volumes of the same kind without allocating, by their centres, intervals or axes.
[[nodiscard]] bool overlap(const Circle& a, const Circle& b);
[[nodiscard]] bool overlap(const Box& a, const Box& b);  ///< exact
[[nodiscard]] bool overlap(const OrientedBox& a, const OrientedBox& b);
[[nodiscard]] bool overlap(const Dop4& a, const Dop4& b);
[[nodiscard]] bool overlap(const Dop8& a, const Dop8& b);
[[nodiscard]] double lower_bound(const Circle& a, const Circle& b);
[[nodiscard]] double lower_bound(const Box& a, const Box& b);

/// Test volumes of any two kinds.
template <Volume A, Volume B>
[[nodiscard]] bool overlap(const A& a, const B& b) {
  return overlap(rounded(a), rounded(b));
}
template <Volume A, Volume B>
[[nodiscard]] double lower_bound(const A& a, const B& b) {
  return lower_bound(rounded(a), rounded(b));
}

}  // namespace touche::plane
