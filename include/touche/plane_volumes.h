// SPDX-License-Identifier: Apache-2.0
// Bounding volumes of the plane: circle, box, oriented box, 4- and 8-DOP, zonogon, convex hull.
// touche/plane_shape.h asks them as bodies that touch, are apart by a distance, and meet in motion.
//
// Volumes are closed sets and touching counts. Rounding is on the safe side: a fitted volume
// contains its points as real numbers; `contains` holds for every point of the volume; `overlap`
// holds whenever two volumes have a point in common; `lower_bound` never exceeds their distance,
// and is 0 where they overlap. Where volumes are apart, `overlap` may hold for those nearer than
// some 1e-14 of the coordinates involved. Areas, perimeters and diameters are right up to 1e-12 of
// themselves.
//
// `fit` throws InvalidInput for no points and for coordinates that are not finite or larger than
// 1e90. Any points are fitted: one, several at one place, all on one line.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "touche/names.h"
#include "touche/plane_motion.h"

namespace touche::plane {

/// All points within `radius` of the convex polygon of `corners`, counter-clockwise; one corner for
/// a disc, two for a segment. Every volume lies in one: to be drawn, and to be tested against
/// volumes of other kinds.
struct Rounded {
  std::vector<Vec2> corners;
  double radius = 0;
};

/// All points within the radius of the centre.
struct Circle {
  static constexpr std::string_view kName = "circle";
  Vec2 centre = Vec2::Zero();
  double radius = 0;

  /// The smallest one, up to rounding (Welzl 1991).
  [[nodiscard]] static Circle fit(std::span<const Vec2> points);
  [[nodiscard]] bool contains(const Vec2& p) const;
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const { return 2 * radius; }
};

/// The axis-aligned box.
struct Box {
  static constexpr std::string_view kName = "box";
  Vec2 lo = Vec2::Zero(), hi = Vec2::Zero();

  /// The smallest one, exactly.
  [[nodiscard]] static Box fit(std::span<const Vec2> points);
  [[nodiscard]] bool contains(const Vec2& p) const;  ///< exact
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

/// Names what a fitted volume keeps small.
enum class Measure : std::uint8_t { area, perimeter, diameter };
}  // namespace touche::plane
template <>
inline constexpr std::array<std::string_view, 3> touche::kNames<touche::plane::Measure> = {
    "area", "perimeter", "diameter"};
namespace touche::plane {

/// The points centre + x axis + y across with |x| <= half.x and |y| <= half.y, where across is the
/// axis turned left.
struct OrientedBox {
  static constexpr std::string_view kName = "oriented_box";
  Vec2 centre = Vec2::Zero();
  Vec2 axis = Vec2::UnitX();  ///< of unit length up to rounding
  Vec2 half = Vec2::Zero();

  /// The best one, up to rounding: a side lies on an edge of the convex hull (rotating callipers,
  /// Toussaint 1983).
  [[nodiscard]] static OrientedBox fit(std::span<const Vec2> points,
                                       Measure measure = Measure::area);
  [[nodiscard]] Vec2 across() const { return {-axis.y(), axis.x()}; }
  [[nodiscard]] bool contains(const Vec2& p) const;
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

/// Intervals of x and y, and for K = 8 of x + y and x − y: a box, with its corners cut off.
template <int K>
struct Dop {
  static_assert(K == 4 || K == 8);
  static constexpr std::string_view kName = K == 4 ? "dop4" : "dop8";
  std::array<double, K / 2> lo = {}, hi = {};

  /// The smallest one: x and y exactly, sums and differences rounded outwards.
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
  std::vector<Vec2> generators;  ///< by direction, y >= 0; none is parallel to another

  /// A small one. For a given centre the least is the hull of the points and their reflections; the
  /// centre is searched for (Nelder, Mead 1965) from that of the oriented box. While there are more
  /// than `max_generators`, at least 2, the side whose loss adds the least area is taken away and
  /// its neighbours are made longer until they meet. (Against rounding there may be two more,
  /// tiny.)
  [[nodiscard]] static Zonogon fit(std::span<const Vec2> points, int max_generators = 4);
  [[nodiscard]] bool contains(const Vec2& p) const;
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

/// The convex hull.
struct Hull {
  static constexpr std::string_view kName = "hull";
  /// Counter-clockwise, no three on one line; 1 or 2 where all points lie on one place or line.
  std::vector<Vec2> corners;
  double margin = 0;  ///< points within this of the corners' hull belong to it; for moved hulls

  /// Exact (Andrew's monotone chain with exact signs).
  [[nodiscard]] static Hull fit(std::span<const Vec2> points);
  [[nodiscard]] bool contains(const Vec2& p) const;  ///< exact where there is no margin
  [[nodiscard]] double area() const;
  [[nodiscard]] double perimeter() const;
  [[nodiscard]] double diameter() const;
};

using Dop4 = Dop<4>;
using Dop8 = Dop<8>;
using AllVolumes = std::tuple<Circle, Box, OrientedBox, Dop4, Dop8, Zonogon, Hull>;

/// Contains the volume, with nothing more than rounding in between.
[[nodiscard]] Rounded rounded(const Circle& v);
[[nodiscard]] Rounded rounded(const Box& v);
[[nodiscard]] Rounded rounded(const OrientedBox& v);
[[nodiscard]] Rounded rounded(const Dop4& v);
[[nodiscard]] Rounded rounded(const Dop8& v);
[[nodiscard]] Rounded rounded(const Zonogon& v);
[[nodiscard]] Rounded rounded(const Hull& v);

/// Contains the moved volume. Boxes and DOPs are fitted anew and grow; others keep their shape.
[[nodiscard]] Circle moved(const Circle& v, const Pose& pose);
[[nodiscard]] Box moved(const Box& v, const Pose& pose);
[[nodiscard]] OrientedBox moved(const OrientedBox& v, const Pose& pose);
[[nodiscard]] Dop4 moved(const Dop4& v, const Pose& pose);
[[nodiscard]] Dop8 moved(const Dop8& v, const Pose& pose);
[[nodiscard]] Zonogon moved(const Zonogon& v, const Pose& pose);
[[nodiscard]] Hull moved(const Hull& v, const Pose& pose);

/// A volume of the plane, as any of the above.
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

/// By axes that separate, which the algorithm of Gilbert, Johnson and Keerthi (1988) finds.
[[nodiscard]] bool overlap(const Rounded& a, const Rounded& b);
[[nodiscard]] double lower_bound(const Rounded& a, const Rounded& b);

/// Compare volumes of one kind without allocating, by their centres, intervals or axes.
[[nodiscard]] bool overlap(const Circle& a, const Circle& b);
[[nodiscard]] bool overlap(const Box& a, const Box& b);  ///< exact
[[nodiscard]] bool overlap(const OrientedBox& a, const OrientedBox& b);
[[nodiscard]] bool overlap(const Dop4& a, const Dop4& b);
[[nodiscard]] bool overlap(const Dop8& a, const Dop8& b);
[[nodiscard]] double lower_bound(const Circle& a, const Circle& b);
[[nodiscard]] double lower_bound(const Box& a, const Box& b);

/// Compare volumes of any kinds.
template <Volume A, Volume B>
[[nodiscard]] bool overlap(const A& a, const B& b) {
  return overlap(rounded(a), rounded(b));
}
template <Volume A, Volume B>
[[nodiscard]] double lower_bound(const A& a, const B& b) {
  return lower_bound(rounded(a), rounded(b));
}

}  // namespace touche::plane
