// SPDX-License-Identifier: Apache-2.0
// Let D be the set of all y - x with x in a and y in b, both without their balls. While the origin
// is in D, the shortest shift of b that separates the bodies is minus the vector from the origin to
// the nearest point of D's surface.
//
// Upper bound: for every unit vector m the shift by -h(m) m separates the bodies, where h(m), the
// largest m · w in D, is known up to rounding.
//
// Lower bound: a hull of points of D is in D. If the origin is behind all of its faces, no point of
// D's surface is nearer than the nearest face. Each face's offset is a lower bound of its distance,
// whatever the rounding of its normal (expanding_polytope.h). The hull's points are rounded: the
// points of D are within `error_` of them, and so is the ball.
//
// The face with the least offset is expanded by D's farthest point along its normal. If that point
// is not beyond the face, the bounds have met. The method does not rely on the origin being inside,
// on a first tetrahedron that contains it, or on signs that rounding may have wrong.
//
// Polytopes with more than a few corners are handled by small_depth-inl.h, which is faster and
// decides in double precision; what it leaves undecided is computed from the start here.
#include "convex/depth.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "convex/deepest_place.h"
#include "convex/expanding_polytope.h"
#include "convex/polytope_gjk.h"
#include "geometry/predicates.h"

namespace touche::convex {
namespace {

/// For round bodies the expansion might never end: every ten faces or so the bounds approach each
/// other by a constant factor.
constexpr int kMostGrowths = 400;

/// Memory for one query at a time; it is kept.
struct Room {
  PlacedCorners placed;
  ExpandingPolytope polytope;
  SmallTables small;
  /// The vertices of the polytope, and one more.
  std::vector<Vertex> vertex = std::vector<Vertex>(kMostGrowths + 8);
};

class Expansion {
 public:
  Expansion(const Pair& pair, const PenetrationOptions& options, Room& room)
      : pair_(pair),
        options_(options),
        polytope_(room.polytope),
        vertex_(room.vertex),
        scale_(scale_of(pair)),
        error_(scale_ * depth_error(pair)),
        balls_(scale_ * (pair.a.radius + pair.b.radius)),
        placed_(room.placed),
        few_(scale_ == 1 && has_few_corners(pair.a) && has_few_corners(pair.b)) {
    if (few_) kernels_.place(pair.b, pair.b_in_a, placed_);
  }

  /// `simplex` is the one at which the distance search ended, which proved `lower` for the bodies.
  Penetration run(const Simplex& simplex, double lower) {
    lower_ = scale_ * lower - balls_;
    if ((simplex.size == 0 && start_near_side()) || start(simplex)) expand();
    touch();
    found_.lower = std::max(0.0, (lower_ + balls_ * (1 - 4 * math::kUnitRoundoff)) / scale_);
    found_.upper = (upper_ + balls_ * (1 + 4 * math::kUnitRoundoff)) / scale_;
    found_.converged = converged();
    return found_;
  }

  /// Whether four points of the difference that are not coplanar were found.
  [[nodiscard]] bool has_begun() const { return vertices_ > 0; }

 private:
  /// Sets v to the point farthest along m; returns an upper bound of m · w over all points w.
  double find(const math::Three& m, Vertex& v) {
    ++found_.supports;
    if (few_) return kernels_.find(pair_.a, pair_.b, placed_, m.x, m.y, m.z, v);
    find_vertex(pair_, m.vec(), scale_, v);
    return math::dot(m, math::Three(v.w));
  }
  /// Adds what `find` omits: the points are needed of few vertices only.
  Vertex complete(Vertex v) const {
    if (few_) v.a = pair_.a.corner(v.corner_a), v.b = placed_.corner(v.corner_b);
    return v;
  }
  /// v is the farthest point along m, with the bound `most`; returns whether this improves the
  /// upper bound.
  bool take(const math::Three& m, double most, const Vertex& v) {
    const double one = 1 / std::sqrt(math::dot(m, m)), height = most * one + error_;
    if (!(height < upper_)) return false;
    upper_ = std::max(height, 0.0);
    found_.direction = (-one * m).vec();
    deepest_ = &v;
    return true;
  }
  Vertex look(const Vec3& m) {
    Vertex v;
    const double most = find(math::Three(m), v);
    if (take(math::Three(m), most, v)) deepest_ = &(other_ = v);
    return v;
  }

  /// Sets the deepest points, each on the surface of its own body.
  void touch(const Vec3& a, const Vec3& b) {
    found_.point_a = a / scale_ + pair_.a.radius * found_.direction;
    found_.point_b = b / scale_ - pair_.b.radius * found_.direction;
  }

  /// Starts with the points farthest along the direction in which the origin lies off the middle of
  /// D, along three directions around it, and along the opposite one. For deep penetrations the
  /// nearest face is usually there.
  bool start_near_side() {
    math::Three side(pair_.a.centre - pair_.b_in_a * pair_.b.centre);
    double length2 = math::dot(side, side);
    if (!(length2 > 1e-200 && length2 < 1e200)) return false;
    // For polytopes with few corners, directions may have any length.
    if (!few_) side = 1 / std::sqrt(length2) * side, length2 = 1;
    // The length of the vectors is that of `side` or up to a fifth less; the axis that is most
    // nearly perpendicular is chosen without branches.
    const double by_x = std::abs(side.x), by_y = std::abs(side.y), by_z = std::abs(side.z);
    const bool is_x = math::both(by_x <= by_y, by_x <= by_z),
               is_y = math::both(!is_x, by_y <= by_z);
    const auto is_z = static_cast<int>(!math::either(is_x, is_y));
    const math::Three axis(static_cast<int>(is_x), static_cast<int>(is_y), is_z);
    const math::Three u = math::cross(side, axis),
                      v = (0.8660254 / std::sqrt(length2)) * math::cross(side, u);
    // All points are found before anything is decided, so that the searches do not wait for each
    // other.
    const math::Three y = -0.5 * u + v, z = -0.5 * u - v;
    const std::array<math::Three, 5> way = {-side, side + 0.8 * u, side + 0.8 * y, side + 0.8 * z,
                                            side};
    std::array<double, 5> most;
    for (std::size_t i = 0; i < 5; ++i) most[i] = find(way[i], vertex_[i]);
    take_best(way, most);
    return start_at_first_five();
  }

  /// Signed squares, which need no roots, determine the direction with the least height. No branch
  /// depends on which one it is, since it would be mispredicted.
  void take_best(const std::array<math::Three, 5>& way, const std::array<double, 5>& most) {
    std::array<double, 5> height;
    double least = kInfinity;
    for (std::size_t i = 0; i < 5; ++i) {
      height[i] = most[i] * std::abs(most[i]) / math::dot(way[i], way[i]);
      least = std::min(least, height[i]);
    }
    unsigned is_least = 1u << 4;
    for (std::size_t i = 0; i < 5; ++i) is_least |= static_cast<unsigned>(height[i] == least) << i;
    const auto best = static_cast<std::size_t>(std::countr_zero(is_least));
    take(way[best], most[best], vertex_[best]);
  }

  /// Starts with the distinct ones of the five points, of which at least four are needed.
  bool start_at_first_five() {
    if (deepest_) deepest_ = &(other_ = *deepest_);  // the array's entries are about to move
    std::size_t differ = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      bool again = false;
      for (std::size_t k = 0; k < differ; ++k)
        again = math::either(again, vertex_[i].w == vertex_[k].w);
      if (again) continue;
      if (differ < i) vertex_[differ] = vertex_[i];
      ++differ;
    }
    if (differ < 4 || !start_at_first_four()) return false;
    if (differ > 4 && polytope_.grow(vertex_[4].w, ExpandingPolytope::kAnyFace)) ++vertices_;
    return true;
  }

  bool start_at_first_four() {
    const int side = geometry::orient3d(vertex_[0].w, vertex_[1].w, vertex_[2].w, vertex_[3].w);
    if (side == 0) return false;
    if (side < 0) {
      std::swap(vertex_[1], vertex_[2]);
      if (deepest_ == &vertex_[1] || deepest_ == &vertex_[2])
        deepest_ = deepest_ == &vertex_[1] ? &vertex_[2] : &vertex_[1];
    }
    polytope_.start(vertex_[0].w, vertex_[1].w, vertex_[2].w, vertex_[3].w);
    vertices_ = 4;
    return true;
  }
  bool start_at(const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d) {
    vertex_[0] = a, vertex_[1] = b, vertex_[2] = c, vertex_[3] = d;
    return start_at_first_four();
  }

  /// Finds four points that are not coplanar, if D has such; otherwise `look` has tried directions
  /// perpendicular to D.
  bool start(const Simplex& s) {
    if (s.size == 4 && start_at(s.vertex(0), s.vertex(1), s.vertex(2), s.vertex(3))) return true;
    const auto farther = [&](const Vec3& m, const auto& measure) {
      const Vertex there = look(m), back = look(-m);
      return measure(back.w) > measure(there.w) ? back : there;
    };
    const Vertex p = s.size > 0 ? s.vertex(0) : look(Vec3::UnitX());
    const auto from_p = [&](const Vec3& w) { return (w - p.w).squaredNorm(); };
    Vertex q = p;
    for (int axis = 0; axis < 3; ++axis) {
      const Vertex v = farther(Vec3::Unit(axis), from_p);
      if (from_p(v.w) > from_p(q.w)) q = v;
    }
    if (q.w == p.w) return false;
    const Vec3 along = (q.w - p.w).normalized();
    int least = 0;
    along.cwiseAbs().minCoeff(&least);
    const Vec3 across = along.cross(Vec3::Unit(least)).normalized();
    const auto from_line = [&](const Vec3& w) { return along.cross(w - p.w).squaredNorm(); };
    Vertex r = farther(across, from_line);
    if (const Vertex v = farther(along.cross(across), from_line); from_line(v.w) > from_line(r.w))
      r = v;
    const Vec3 n = along.cross(r.w - p.w);
    if (!(n.squaredNorm() > 1e-290)) return false;
    const auto from_plane = [&](const Vec3& w) { return std::abs(n.dot(w - p.w)); };
    return start_at(p, q, r, farther(n.normalized(), from_plane));
  }

  bool converged() const {
    return bounds_agree(lower_ + balls_, upper_ + balls_, error_, options_, scale_);
  }

  /// If no point is beyond a face although the bounds do not agree, the face may be so thin that
  /// its normal consists of rounding: then the normal is recomputed. Doing that twice in a row
  /// changes nothing.
  bool refine(std::uint32_t face) {
    if (face == refined_) return false;
    polytope_.refine(face);
    refined_ = face;
    return true;
  }

  void expand() {
    for (int growth = 0;; ++growth) {
      const std::uint32_t f = last_ = polytope_.nearest();
      lower_ = std::max(lower_, polytope_.offset(f) - error_);
      math::Three m = polytope_.normal(f);
      double m2 = math::dot(m, m);
      if (growth == kMostGrowths) break;
      if (m2 == 0) {
        if (!refine(f)) break;
        continue;
      }
      if (lower_ + balls_ * (1 - 4 * math::kUnitRoundoff) > scale_ * options_.stop_above) break;
      if (!few_)
        m = 1 / std::sqrt(m2) * m, m2 = math::dot(m, m);  // it may be too short for find_vertex
      Vertex& v = vertex_[vertices_];
      const double most = find(m, v);
      // No branch depends on which bound is better, since it would be mispredicted.
      const double height = most / std::sqrt(m2) + error_;
      const bool better = height < upper_;
      looked_[spare_] = {m, &v};
      spare_ ^= static_cast<unsigned>(better);
      from_face_ = math::either(from_face_, better);
      upper_ = std::min(upper_, std::max(height, 0.0));
      if (converged()) break;
      if (!polytope_.grow(v.w, f)) {
        if (!refine(f)) break;
        // the vertex is about to be overwritten
        if (better) looked_[spare_ ^ 1].vertex = &(other_ = v);
        continue;
      }
      ++vertices_;
      refined_ = kNoFace;
    }
  }

  /// Sets the deepest points: the point of the polytope's surface at the foot of the origin, as a
  /// point of either body; or else the supporting points from which the upper bound was computed.
  void touch() {
    const Looked& best = looked_[spare_ ^ 1];
    if (from_face_) {
      deepest_ = best.vertex;
      found_.direction = -best.across.vec() / best.across.vec().norm();
    }
    if (!deepest_) return;
    const Vertex deepest = complete(*deepest_);
    touch(deepest.a, deepest.b);
    if (vertices_ == 0) return;
    const math::Three way = -math::Three(found_.direction),
                      off = math::Three(deepest.w) - upper_ * way;
    DeepestPlace place;
    place.square = math::dot(off, off);
    take(last_, way, place);
    if (!place.is_within(upper_ - std::max(lower_, 0.0)))
      for (std::uint32_t f = 0; f < polytope_.faces(); ++f)
        if (polytope_.is_alive(f) && polytope_.is_within(f, upper_)) take(f, way, place);
    if (!place.is_on_face()) return;
    Vec3 a = Vec3::Zero(), b = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vertex v = complete(vertex_[place.corner[k]]);
      a += place.share[k] * v.a, b += place.share[k] * v.b;
    }
    touch(a, b);
  }
  void take(std::uint32_t f, const math::Three& way, DeepestPlace& place) const {
    const std::array<std::uint32_t, 3>& c = polytope_.face(f).corner;
    place.take(c, math::Three(vertex_[c[0]].w), math::Three(vertex_[c[1]].w),
               math::Three(vertex_[c[2]].w), way, upper_);
  }

  const Pair& pair_;
  const PenetrationOptions& options_;
  ExpandingPolytope& polytope_;
  std::vector<Vertex>& vertex_;
  std::size_t vertices_ = 0;
  double scale_, error_, balls_;
  double lower_ = -kInfinity, upper_ = kInfinity;  // of D without balls, scaled
  // The upper bound comes from a supporting vertex and the normal of the face for which it was
  // found, if any. Of two entries, one is the best so far, and the other one is written next.
  struct Looked {
    math::Three across;
    const Vertex* vertex;
  };
  const Vertex* deepest_ = nullptr;
  Vertex other_;  // used if the vertex is not one of the polytope's
  bool from_face_ = false;
  std::uint32_t last_ = 0;  // the face that was expanded last
  unsigned spare_ = 0;
  std::array<Looked, 2> looked_;
  static constexpr std::uint32_t kNoFace = ~std::uint32_t{0};
  std::uint32_t refined_ = kNoFace;
  const PolytopePairKernels& kernels_ = polytope_pair_kernels();
  PlacedCorners& placed_;
  bool few_;
  Penetration found_;
};

/// Whether SmallPolytope is suitable: if corners of the difference are rarely coplanar with others,
/// so that each new face needs a new vertex. Bodies with few corners often are boxes; if they are
/// parallel (indicated by a zero in the rotation), many corners are coplanar.
bool is_for_small_polytope(const Pair& pair) {
  const std::size_t corners = pair.a.corners + pair.b.corners;
  if (!pair.a.is_polytope() || !pair.b.is_polytope() || corners <= 8 || scale_of(pair) != 1)
    return false;
  return corners > 16 || (std::min(pair.a.corners, pair.b.corners) >= 4 &&
                          (pair.b_in_a.rotation.array() != 0).all());
}

}  // namespace

Penetration penetration(const Pair& pair, const PenetrationOptions& options) {
  thread_local Room room;
  Simplex simplex;
  const double balls = pair.a.radius + pair.b.radius;
  const Pair cores{pair.a, pair.b, pair.b_in_a, pair.error_b + balls};
  // Without balls it need not be known in advance whether the bodies meet: the expansion finds out.
  if (balls == 0 || inner_balls_meet(cores)) {
    Penetration p;
    const bool told = is_for_small_polytope(pair) &&
                      polytope_pair_kernels().penetrate(pair, options, room.small, p);
    bool is_flat = false;
    if (!told) {
      Expansion expansion(pair, options, room);
      p = expansion.run(simplex, 0);
      is_flat = !expansion.has_begun();
    }
    if (p.upper > 0 && !is_flat) return p;
  }
  SeparationOptions apart;
  apart.goal = Goal::cores;
  const Separation s = separation(pair, apart, simplex);
  if (s.lower + balls > 0 || s.lower > 0) {
    // the cores are separated by at least s.lower + balls
    return overlap_of_balls(pair.a, pair.b, s);
  }
  Expansion expansion(pair, options, room);
  Penetration p = expansion.run(simplex, -s.upper);
  p.supports += s.supports;
  // If the difference of the cores is flat, only the point where they meet is known.
  if (!expansion.has_begun()) {
    p.point_a = s.core_a + pair.a.radius * p.direction;
    p.point_b = s.core_b - pair.b.radius * p.direction;
  }
  return p;
}

}  // namespace touche::convex
