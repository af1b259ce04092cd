// SPDX-License-Identifier: Apache-2.0
// A polytope with at most 64 faces that grows by one point at a time, to be compiled into a search
// once for each instruction set. Unlike ExpandingPolytope it uses no exact signs: which faces a
// point sees is decided in double precision, so the surface may be slightly non-convex. As long as
// all offsets are positive, it still proves that each point that is nearer to the origin than all
// faces is inside the hull of its points.
//
// Adding a point replaces faces by new ones from their border to the point, so the surface stays
// closed whichever faces are replaced. The border must not contain a point twice, since an edge
// would have several faces then; this is checked. A face's offset is positive only if the origin is
// behind it beyond the rounding error. So a surface of such faces winds around the origin at least
// once, and also around all points that are nearer than it. It does not wind around points outside
// the hull.
#if defined(TOUCHE_CONVEX_SMALL_POLYTOPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_SMALL_POLYTOPE_INL_H_
#undef TOUCHE_CONVEX_SMALL_POLYTOPE_INL_H_
#else
#define TOUCHE_CONVEX_SMALL_POLYTOPE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "convex/polytope-inl.h"
#include "convex/small_polytope.h"
#include "convex/small_start-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace small_polytope {

class SmallPolytope {
 public:
  HWY_INLINE explicit SmallPolytope(SmallTables& tables) : t_(tables) {}

  /// Starts with the hull of the first points. False if rounding prevents a decision about a face.
  HWY_INLINE bool start() {
    FirstHull first;
    if (!first.find(t_)) return false;
    points_ = convex::kFirst, count_ = 0;
    first.each_face([&](std::uint32_t a, std::uint32_t b, std::uint32_t c)
                        HWY_ATTR { set_face(count_++, a, b, c); });
    for (std::size_t i = 0; i < SmallTables::kBlock; ++i) t_.corners[count_ + i] = 0;
    alive_ = bits_below(count_);
    set_size(first.size);
    V least = none();
    for (std::size_t i = 0; i < count_; i += kLanes)
      least = hn::Min(least, make(i, count_ - i, load(t_.corners + i, 0), load(t_.corners + i, 8),
                                  load(t_.corners + i, 16)));
    set_nearest(least);
    return true;
  }

  /// Returns the face with the least offset, which is its unit normal · corner, the least over its
  /// corners. Whatever the rounding of the normal, the face is no nearer to the origin than this,
  /// up to a few roundings of the corners.
  [[nodiscard]] HWY_INLINE std::size_t nearest() const {
    return static_cast<std::size_t>(nearest_ & kNumber);
  }
  /// At most that offset, and less by at most a share of 2^-46 if it is positive.
  [[nodiscard]] HWY_INLINE double nearest_offset() const {
    const auto square = std::bit_cast<double>(nearest_ & ~kNumber);
    return std::copysign(std::sqrt(std::abs(square)), square);
  }
  /// Outwards, of any length.
  [[nodiscard]] HWY_INLINE touche::math::Three normal(std::size_t f) const {
    return {t_.cross[0][f], t_.cross[1][f], t_.cross[2][f]};
  }
  /// Calls visit(face) for faces whose offsets are at most `offset`, which must not be negative.
  template <class Visit>
  HWY_INLINE void each_within(double offset, const Visit& visit) const {
    for (std::uint64_t left = alive_; left != 0; left &= left - 1) {
      const auto f = static_cast<std::size_t>(std::countr_zero(left));
      if (t_.square[f] <= offset * offset) visit(f);
    }
  }
  [[nodiscard]] HWY_INLINE std::size_t points() const { return points_; }
  [[nodiscard]] HWY_INLINE bool is_full() const { return points_ == SmallTables::kMost; }

  /// Adds a point beyond the nearest face. Returns false if it is not certainly beyond it, or there
  /// is no room, or the border does not consist of loops without a common point; the polytope must
  /// not be used any more then.
  HWY_INLINE bool grow(const touche::math::Three& w) {
    if (count_ > SmallTables::kMost - kMostEdges) [[unlikely]]
      leave_out_dead();
    const D d;
    const V3 p = {hn::Set(d, w.x), hn::Set(d, w.y), hn::Set(d, w.z)};
    std::uint64_t sees = 0;
    for (std::size_t i = 0; i < convex::kUsualFaces; i += kLanes) sees |= see(p, i) << i;
    for (std::size_t i = convex::kUsualFaces; i < count_; i += kLanes) sees |= see(p, i) << i;
    sees &= alive_;
    if ((sees >> nearest() & 1) == 0) return false;
    alive_ &= ~sees;
    V least = none();
    for (std::size_t i = 0; i < convex::kUsualFaces; i += kLanes) least = least_of(least, i);
    for (std::size_t i = convex::kUsualFaces; i < count_; i += kLanes) least = least_of(least, i);

    const std::size_t first = count_, edges = find_border(sees);
    if (edges < 3 || edges > SmallTables::kMost - first) return false;
    set_size(std::max(size_, (std::abs(w.x) + std::abs(w.y)) + std::abs(w.z)));
    for (std::size_t i = 0; i < edges; i += kLanes)
      least = hn::Min(least,
                      make(first + i, edges - i, load(t_.edges + i, 0), load(t_.edges + i, 8), p));
    set_nearest(least);
    std::uint64_t begins = 0;
    for (std::size_t i = 0; i < edges; ++i) {
      const std::uint32_t from = t_.edges[i] & 0xff, to = t_.edges[i] >> 8;
      begins |= std::uint64_t{1} << from;
      set_face(first + i, from, to, static_cast<std::uint32_t>(points_));
    }
    alive_ |= bits_below(edges) << first;
    count_ += edges;
    t_.set_point(points_++, w);
    return static_cast<std::size_t>(std::popcount(begins)) == edges;
  }

 private:
  static constexpr std::uint64_t kNumber = SmallTables::kMost - 1;
  static constexpr std::size_t kMostEdges = 16;  ///< usually

  static HWY_INLINE std::uint64_t bits_below(std::size_t count) {
    return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
  }
  /// Value for no face: larger than all squares. Not infinite, since a number is written into its
  /// bits.
  static HWY_INLINE V none() { return hn::Set(D(), 1e300); }

  /// Points of the lanes, whose numbers are one byte of each entry.
  HWY_INLINE V3 load(const std::uint32_t* numbers, unsigned shift) const {
    const convex::PointRow* points = t_.points;
    return polytope::LoadRows([=](std::size_t i)
                                  HWY_ATTR { return &points[numbers[i] >> shift & 0xff].x; });
  }

  HWY_INLINE void set_face(std::size_t f, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    t_.corners[f] = a | b << 8 | c << 16;
    const auto number = static_cast<std::uint8_t>(f);
    t_.face_at[SmallTables::kMost * a + b] = number;
    t_.face_at[SmallTables::kMost * b + c] = number;
    t_.face_at[SmallTables::kMost * c + a] = number;
  }

  /// Finds the edges of the border of the seen faces, in no particular order; returns their number.
  HWY_INLINE std::size_t find_border(std::uint64_t sees) {
    std::size_t edges = 0;
    for (std::uint64_t left = sees; left != 0; left &= left - 1) {
      const std::uint32_t face = t_.corners[std::countr_zero(left)];
      const std::uint32_t a = face & 0xff, b = face >> 8 & 0xff, c = face >> 16;
      const auto look_beyond = [&](std::uint32_t from, std::uint32_t to) HWY_ATTR {
        const std::size_t beyond = t_.face_at[SmallTables::kMost * to + from];
        t_.edges[edges] = from | to << 8;
        edges += 1 - (sees >> beyond & 1);  // no branch, since it would be mispredicted
      };
      look_beyond(a, b), look_beyond(b, c), look_beyond(c, a);
    }
    for (std::size_t i = 0; i < SmallTables::kBlock; ++i) t_.edges[edges + i] = 0;
    return edges;
  }

  /// Sets the upper bound of the points' sizes, as sums of the magnitudes of their coordinates. For
  /// corners a, b and c, the error of (a - c) x (b - c) · c is below 7.01 u size |a - c| |b - c| <=
  /// 28.04 u size^3, with sums of magnitudes for lengths: four roundings of a product of
  /// differences, three of the sum.
  HWY_INLINE void set_size(double size) {
    size_ = size;
    certain_ = 32 * math::kUnitRoundoff * size * size * size;
    tolerance2_ = 0x1p-92 * size * size;
  }

  /// The faces that p is beyond by more than 2^-46 of the size. Closer to a plane, rounding usually
  /// decides the side, and a point that sees only one of two coplanar faces would produce slivers.
  HWY_INLINE std::uint64_t see(const V3& p, std::size_t i) const {
    const D d;
    const V3 cross = {hn::LoadU(d, t_.cross[0] + i), hn::LoadU(d, t_.cross[1] + i),
                      hn::LoadU(d, t_.cross[2] + i)};
    const V height = hn::Sub(polytope::Dot(p, cross), hn::LoadU(d, t_.most + i));
    return polytope::Bits(
        hn::Gt(hn::Mul(height, hn::Abs(height)), hn::LoadU(d, t_.tolerance2 + i)));
  }

  HWY_INLINE V least_of(V least, std::size_t i) const {
    const D d;
    const std::uint64_t bits = alive_ >> i & bits_below(kLanes);
    const auto alive = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
    return hn::Min(least, hn::IfThenElse(alive, hn::LoadU(d, t_.square + i), none()));
  }

  /// Makes the faces `first` and following, `left` of them or all lanes. Returns the squares of
  /// their offsets with the offsets' signs, with the number of the face in the last bits, so that
  /// the minimum contains it. Positive only if cross · corner is certainly positive.
  HWY_INLINE V make(std::size_t first, std::size_t left, const V3& a, const V3& b, const V3& c) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const V3 n = polytope::Cross(polytope::Sub(a, c), polytope::Sub(b, c));
    hn::StoreU(n.x, d, t_.cross[0] + first);
    hn::StoreU(n.y, d, t_.cross[1] + first);
    hn::StoreU(n.z, d, t_.cross[2] + first);
    const V at_a = polytope::Dot(n, a), at_b = polytope::Dot(n, b), at_c = polytope::Dot(n, c);
    hn::StoreU(hn::Max(hn::Max(at_a, at_b), at_c), d, t_.most + first);
    // Not 0, nor so small that products are denormal: these take a hundred cycles.
    const V length2 = hn::Max(polytope::Dot(n, n), hn::Set(d, 1e-200));
    hn::StoreU(hn::Mul(hn::Set(d, tolerance2_), length2), d, t_.tolerance2 + first);
    const V least = hn::Min(hn::Min(at_a, at_b), at_c);
    const V sure =
        hn::IfThenElse(hn::Gt(least, hn::Set(d, certain_)), least, hn::Min(least, hn::Zero(d)));
    const V square = hn::Mul(hn::Mul(sure, hn::Abs(sure)), hn::Div(hn::Set(d, 1), length2));
    const auto number = hn::Add(hn::Iota(du, 0), hn::Set(du, std::uint64_t{first}));
    const V numbered =
        hn::BitCast(d, hn::OrAnd(number, hn::BitCast(du, square), hn::Set(du, ~kNumber)));
    hn::StoreU(numbered, d, t_.square + first);
    return hn::IfThenElse(polytope::There(0, left), numbered, none());
  }
  HWY_INLINE void set_nearest(V least) {
    nearest_ = std::bit_cast<std::uint64_t>(hn::GetLane(hn::MinOfLanes(D(), least)));
  }

  HWY_NOINLINE void leave_out_dead() {
    const std::size_t nearest_was = nearest();
    std::size_t to = 0;
    for (std::uint64_t left = alive_; left != 0; left &= left - 1, ++to) {
      const auto f = static_cast<std::size_t>(std::countr_zero(left));
      for (auto& column : t_.cross) column[to] = column[f];
      t_.most[to] = t_.most[f], t_.tolerance2[to] = t_.tolerance2[f];
      const std::uint64_t square =
          (std::bit_cast<std::uint64_t>(t_.square[f]) & ~kNumber) | std::uint64_t{to};
      t_.square[to] = std::bit_cast<double>(square);
      if (f == nearest_was) nearest_ = square;
      const std::uint32_t corners = t_.corners[f];
      set_face(to, corners & 0xff, corners >> 8 & 0xff, corners >> 16);
    }
    count_ = to;
    alive_ = bits_below(count_);
  }

  SmallTables& t_;
  std::uint64_t alive_ = 0;    // a bit for each face
  std::uint64_t nearest_ = 0;  // bits of the least square
  std::size_t count_ = 0;      // number of faces, dead ones included
  std::size_t points_ = 0;
  double size_ = 0, certain_ = 0, tolerance2_ = 0;
};

}  // namespace small_polytope
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
