// SPDX-License-Identifier: Apache-2.0
// All comparisons here have a margin: special positions are left to the general search.
//
// Let L be the sum of both objects' diagonals, n the direction of the slab, kTieDepth ten times the
// share of L by which a measured distance may be off. A corner is on the slab if it is no deeper
// than kOnSlab L. A point of a triangle that is no deeper than kTieDepth L is a mean of its corners
// in which the corners off the slab have a weight of at most kTieDepth / kOnSlab: it is less than
// kTieAside L / 8 away from the convex hull of the corners on the slab. So if the corners on the
// slab of two triangles are kTieAside L apart, projected along n, the triangles are farther apart
// than the slab is wide, by kTieDepth L or by (kTieAside L / 2)² / (2 · 8 L + L).
#include "query/few_ties.h"

#include <algorithm>
#include <cmath>

#include "bvh/object_data.h"
#include "math/rounding.h"
#include "query/distance_options.h"

namespace touche::query {
namespace {

constexpr std::size_t kMostCorners = 48, kMostTriangles = 16;
constexpr double kTieDepth = 0x1p-36, kOnSlab = 0x1p-22, kTieAside = 0x1p-10;
static_assert(kTieDepth > 10 * geometry::kDistanceError && kTieDepth / kOnSlab < kTieAside / 8);
constexpr double kWidestSlab = 8, kFarthestPlace = 0x1p10;  // as multiples of L

enum class OnSlab : std::uint8_t { special, corner, edge, face };

struct Planar {
  double x, y;
};

/// One object beside the slab, in its own coordinates. `out` is the direction towards the slab.
class SlabSide {
 public:
  SlabSide(const PolygonSoup& soup, const Vec3& out, const Vec3& foot, double size)
      : soup_(soup), out_(out), foot_(foot), size_(size) {
    const std::span<const Vec3> corners = soup.vertices();
    last_ = -kInfinity;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      height_[k] = out.dot(corners[k] - corners[0]);
      last_ = std::max(last_, height_[k]);
    }
  }

  /// The height of the slab's plane above the first corner.
  double last() const { return last_; }

  /// Finds the feature that lies on the slab, and the triangles that share it.
  OnSlab find() {
    const std::span<const Vec3> corners = soup_.vertices();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      place_[k] = 0;
      if (last_ - height_[k] > kOnSlab * size_) continue;
      const int known = std::min(places_, 2);
      const auto place = static_cast<int>(std::find(at_, at_ + known, corners[k]) - at_);
      place_[k] = static_cast<std::uint8_t>(1 << place);
      if (place < known) continue;
      ++places_;
      if (place < 2) at_[place] = corners[k];
    }
    return places_ == 1   ? find_sharing(1, OnSlab::corner)
           : places_ == 2 ? find_sharing(3, OnSlab::edge)
                          : find_face();
  }

  std::span<const Index> triangles() const { return {triangle_, count_}; }
  /// The ends of the edge on the slab, relative to the foot.
  Vec3 end(int k) const { return at_[k] - foot_; }

 private:
  OnSlab find_sharing(unsigned places, OnSlab shape) {
    for (Index t = 0; t < soup_.triangle_count(); ++t)
      if (places_of(t) == places) triangle_[count_++] = t;
    return shape;
  }
  unsigned places_of(Index t) const {
    const auto& [i, j, k] = soup_.triangle(t);
    return place_[i] | place_[j] | place_[k];
  }

  // The foot must be inside one triangle and outside all others.
  OnSlab find_face() {
    const Vec3 aside = std::abs(out_[0]) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
    const Vec3 across = math::unit_or_zero(out_.cross(aside)), up = out_.cross(across);
    Planar seen[kMostCorners];
    for (Index v = 0; v < soup_.vertex_count(); ++v)
      if (place_[v] != 0) {
        const Vec3 from_foot = soup_.vertex(v) - foot_;
        seen[v] = {from_foot.dot(across), from_foot.dot(up)};
      }
    for (Index t = 0; t < soup_.triangle_count(); ++t) {
      Planar p[3];
      int count = 0;
      for (const Index v : soup_.triangle(t))
        if (place_[v] != 0) p[count++] = seen[v];
      if (count == 0 || is_outside(p, count)) continue;
      if (count_ > 0 || !is_inside(p, count)) return OnSlab::special;
      triangle_[count_++] = t;
    }
    return count_ == 1 ? OnSlab::face : OnSlab::special;
  }

  // Whether the foot, the origin, is outside the convex hull of up to three points: separated along
  // an axis or along a normal of one of its edges.
  bool is_outside(const Planar (&p)[3], int count) const {
    double lo_x = p[0].x, hi_x = lo_x, lo_y = p[0].y, hi_y = lo_y;
    for (int k = 1; k < count; ++k) {
      lo_x = std::min(lo_x, p[k].x), hi_x = std::max(hi_x, p[k].x);
      lo_y = std::min(lo_y, p[k].y), hi_y = std::max(hi_y, p[k].y);
    }
    const double aside = kTieAside * size_;
    if (std::max(std::max(lo_x, -hi_x), std::max(lo_y, -hi_y)) > aside) return true;
    for (int k = 0; count > 1 && k < count; ++k) {
      const Planar &from = p[k], &to = p[(k + 1) % count], &third = p[(k + 2) % count];
      const Planar normal{to.y - from.y, from.x - to.x};
      const double edge = normal.x * from.x + normal.y * from.y;
      const double other = normal.x * third.x + normal.y * third.y;
      const double nearest = edge > 0 ? std::min(edge, other) : std::min(-edge, -other);
      const double length2 = normal.x * normal.x + normal.y * normal.y;
      if (nearest > 0 && nearest * nearest > aside * aside * length2) return true;
    }
    return false;
  }

  bool is_inside(const Planar (&p)[3], int count) const {
    if (count < 3) return false;
    const double aside = kTieAside * size_;
    int left = 0, right = 0;
    for (int k = 0; k < 3; ++k) {
      const Planar &from = p[k], &to = p[(k + 1) % 3];
      const double x = to.x - from.x, y = to.y - from.y, cross = from.x * y - from.y * x;
      if (cross * cross > aside * aside * (x * x + y * y)) ++(cross > 0 ? left : right);
    }
    return left == 3 || right == 3;
  }

  const PolygonSoup& soup_;
  const Vec3 out_, foot_;
  const double size_;
  double last_;
  double height_[kMostCorners];
  // For each corner: a bit for the first, the second or any other position on the slab; 0 if it is
  // not on the slab.
  std::uint8_t place_[kMostCorners];
  Vec3 at_[2];
  int places_ = 0;
  Index triangle_[kMostTriangles];
  std::size_t count_ = 0;
};

/// Whether two edges cross away from their ends.
bool cross_inside(const SlabSide& a, const SlabSide& b, const Mat3& rotation, double size) {
  const Vec3 ends_a[2] = {a.end(0), a.end(1)};
  const Vec3 ends_b[2] = {rotation * b.end(0), rotation * b.end(1)};
  const auto away = [&](const Vec3(&ends)[2], const Vec3& along) {
    const double least = kTieAside * kTieAside * size * size * along.squaredNorm();
    return ends[0].cross(along).squaredNorm() > least && ends[1].cross(along).squaredNorm() > least;
  };
  return away(ends_a, ends_b[1] - ends_b[0]) && away(ends_b, ends_a[1] - ends_a[0]);
}

bool ends_are_away(const SlabSide& side, double size) {
  const double least = kTieAside * kTieAside * size * size;
  return side.end(0).squaredNorm() > least && side.end(1).squaredNorm() > least;
}

}  // namespace

bool FewTies::suit(const Object& a, const Object& b) {
  const auto is_small = [](const PolygonSoup& soup) {
    return soup.triangle_count() <= kMostTriangles && soup.vertex_count() <= kMostCorners;
  };
  return is_small(a.soup()) && is_small(b.soup());
}

FewTies::FewTies(const Object& a, const Object& b, const RelativePose& pose,
                 const TriangleIds& nearest, const geometry::ClosestPoints& closest) {
  const Vec3 n = math::unit_or_zero(closest.point_b - closest.point_a);
  const double error = measuring_error(a, b), size = error / geometry::kDistanceError;
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  const Mat3 back = pose.rotation.transpose();
  SlabSide side_a(soup_a, n, closest.point_a, size);
  SlabSide side_b(soup_b, -(back * n), back * (closest.point_b - pose.translation), size);
  const double width =
      n.dot(pose * soup_b.vertex(0) - soup_a.vertex(0)) - side_a.last() - side_b.last();
  parted_ = width >= closest.distance - 0.5 * error;
  const double largest = bvh::bvh_of(a).normalization().largest_number +
                         bvh::bvh_of(b).normalization().largest_number +
                         pose.translation.lpNorm<1>();
  if (!parted_ || closest.distance > kWidestSlab * size || largest > kFarthestPlace * size) return;

  // Find the triangles that share the nearest feature. Nothing else may be as near.
  const OnSlab on_a = side_a.find(), on_b = side_b.find();
  if (on_a == OnSlab::special || on_b == OnSlab::special) return;
  // The distance of a corner and a face is the same in all pairs of triangles that contain them.
  if (on_a == OnSlab::face || on_b == OnSlab::face) {
    const auto is_face = [&](OnSlab on, OnSlab on_other, const SlabSide& side, FeatureKind kind,
                             Index t) {
      return on == OnSlab::face && on_other == OnSlab::corner && kind == FeatureKind::face &&
             side.triangles()[0] == t;
    };
    known_ = is_face(on_a, on_b, side_a, closest.kind_a, nearest.a) ||
             is_face(on_b, on_a, side_b, closest.kind_b, nearest.b);
    return;
  }
  if (on_a == OnSlab::edge && on_b == OnSlab::edge) {
    if (!cross_inside(side_a, side_b, pose.rotation, size)) return;
  } else if ((on_a == OnSlab::edge && !ends_are_away(side_a, size)) ||
             (on_b == OnSlab::edge && !ends_are_away(side_b, size))) {
    return;
  }
  // Edges and corners are measured, because the last digit depends on the order of a triangle's
  // corners.
  if (side_a.triangles().size() * side_b.triangles().size() > kMostPairs) return;
  for (const Index t_a : side_a.triangles())
    for (const Index t_b : side_b.triangles())
      if (t_a != nearest.a || t_b != nearest.b) pair_[count_++] = {t_a, t_b};
  known_ = true;
}

}  // namespace touche::query
