// SPDX-License-Identifier: Apache-2.0
// Finds the pairs of triangles that may be within a margin, for two objects of few vertices with a
// plane between them, or nearly between them. The relevant parts of both reach only slightly beyond
// the plane, so one loop over all vertices finds them without traversing a hierarchy.
//
// Let n be a unit vector, and let points p of a and q of b be no farther apart than m. Then n · p
// >= n · q − m, which is at least the minimum of n · b less m; likewise n · q is at most the
// maximum of n · a plus m. So the parts of triangles beyond these two planes contain all near
// points, for any n, and so do boxes around them that are no farther apart than m.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "base/budget_meter.h"
#include "bvh/object_data.h"
#include "query/near_search.h"

namespace touche::query {

/// Working memory for two objects. It is not initialised.
struct NearAcrossMemory {
  static constexpr std::size_t kMostVertices = 128, kMostTriangles = 256;

  struct Box {
    double lo[3], hi[3];

    static Box nothing() {
      return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    }
    static Box everything() {
      return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
    }
    void include(const Vec3& p) {
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], p[k]);
        hi[k] = std::max(hi[k], p[k]);
      }
    }
    void include(const Box& other) {
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], other.lo[k]);
        hi[k] = std::max(hi[k], other.hi[k]);
      }
    }
  };
  /// The part of a triangle that is beyond the plane.
  struct Part {
    Box box;
    Index triangle;
  };
  struct Side {
    std::array<Vec3, kMostVertices> at;        // of vertices, in a's frame
    std::array<double, kMostVertices> beyond;  // how far they are beyond the plane
    std::array<Part, kMostTriangles> parts;
    std::size_t count;  // of parts
  };
  Side sides[2];
};

class NearAcross {
 public:
  static constexpr std::size_t kMostVertices = NearAcrossMemory::kMostVertices;
  static constexpr std::size_t kMostTriangles = NearAcrossMemory::kMostTriangles;

  static bool has_room_for(const Object& object) {
    return object.soup().vertex_count() <= kMostVertices &&
           object.soup().triangle_count() <= kMostTriangles;
  }

  /// Both objects must fit into the memory. `normal` is n, in a's frame, of unit length up to
  /// rounding, ideally the direction from a to b along their distance.
  NearAcross(const Object& a, const Object& b, const RelativePose& pose, const Vec3& normal,
             double margin, NearAcrossMemory& memory)
      : a_(a.soup()), b_(b.soup()), memory_(memory) {
    Side &of_a = memory.sides[0], &of_b = memory.sides[1];
    for (Index v = 0; v < a_.vertex_count(); ++v) of_a.at[v] = a_.vertex(v);
    for (Index v = 0; v < b_.vertex_count(); ++v) of_b.at[v] = pose * b_.vertex(v);
    double most_a = -kInfinity, least_b = kInfinity;
    for (Index v = 0; v < a_.vertex_count(); ++v)
      most_a = std::max(most_a, of_a.beyond[v] = normal.dot(of_a.at[v]));
    for (Index v = 0; v < b_.vertex_count(); ++v)
      least_b = std::min(least_b, of_b.beyond[v] = normal.dot(of_b.at[v]));
    // This adds far more than the errors of distances and heights in double precision.
    const auto largest = [](const Aabb& box) {
      return std::max(box.lo.cwiseAbs().maxCoeff(), box.hi.cwiseAbs().maxCoeff());
    };
    const double size =
        largest(a.bounds()) + 2 * largest(b.bounds()) + pose.translation.cwiseAbs().maxCoeff();
    reach_ = margin * (1 + 1e-6) + 1e-12 * size;
    for (Index v = 0; v < a_.vertex_count(); ++v) of_a.beyond[v] -= least_b - reach_;
    for (Index v = 0; v < b_.vertex_count(); ++v) of_b.beyond[v] = most_a + reach_ - of_b.beyond[v];
    const Box near_a = cut(a_, of_a, Box::everything()), near_b = cut(b_, of_b, near_a);
    keep_near(of_a, near_b);
    // The origin and the largest coordinate of the relevant triangles define the batch's unit.
    origin_ = Vec3(near_a.lo[0], near_a.lo[1], near_a.lo[2]);
    for (const auto& [soup, side] : {std::pair(&a_, &of_a), std::pair(&b_, &of_b)})
      for (std::size_t i = 0; i < side->count; ++i)
        for (const Index v : soup->triangle(side->parts[i].triangle))
          largest_ = std::max(largest_, (side->at[v] - origin_).cwiseAbs().maxCoeff());
  }

  /// Whether there are few enough pairs to test them all.
  [[nodiscard]] bool are_few() const {
    return memory_.sides[0].count * memory_.sides[1].count <= kMostPairs;
  }

  /// Calls visit(ta, tb, features) as NearSearch does.
  template <class Visit>
  void run(double margin, const NearFeaturesOf& asked, base::BudgetMeter& meter, QueryStats& stats,
           const Visit& visit) const {
    const Side &of_a = memory_.sides[0], &of_b = memory_.sides[1];
    if (of_a.count == 0 || of_b.count == 0) return;
    const double unit = largest_ > 0 ? 1 / largest_ : 1;
    const auto local = static_cast<float>(std::min(margin * unit * (1 + 1e-6), 1e19));
    const float reach = std::nextafter(local, INFINITY);
    const auto lean = static_cast<float>(asked.lean * (1 + 1e-3) + 1e-6);
    bvh::TriangleBatch batch;
    const auto decide = [&] {
      std::int32_t features[bvh::kBatch] = {};
      if (!meter.spend()) return false;
      for (std::uint32_t near = bvh::kernels().near_features(
               batch, std::min(batch.count, bvh::kBatch), reach, lean, features);
           near != 0; near &= near - 1) {
        const int n = std::countr_zero(near), at = batch.count + n;
        ++stats.primitive_tests;
        if (!visit(batch.triangle_a[at], batch.triangle_b[at], features[n])) return false;
      }
      return true;
    };
    for (std::size_t i = 0; i < of_a.count; ++i)
      for (std::size_t j = 0; j < of_b.count; ++j) {
        ++stats.volume_tests;
        if (are_apart(of_a.parts[i].box, of_b.parts[j].box)) continue;
        add(of_a.parts[i].triangle, of_b.parts[j].triangle, unit, batch);
        if (batch.count == bvh::kBatch && !decide()) return;
      }
    if (batch.count > 0) (void)decide();
  }

 private:
  using Side = NearAcrossMemory::Side;
  using Box = NearAcrossMemory::Box;
  static constexpr std::size_t kMostPairs = 1024;

  /// Error bound of the coordinates in `batch`, in its unit; a's must be off by less than a 50th of
  /// it.
  static constexpr float kBatchError = 4e-6F;

  [[nodiscard]] bool are_apart(const Box& a, const Box& b) const {
    bool apart = false;
    for (int k = 0; k < 3; ++k)
      apart |= (a.lo[k] > b.hi[k] + reach_) | (b.lo[k] > a.hi[k] + reach_);
    return apart;
  }

  // Lists the parts of triangles that reach beyond the plane and are near a box. Returns the box
  // around all of them.
  Box cut(const PolygonSoup& soup, Side& side, const Box& near) const {
    Box all = Box::nothing();
    side.count = 0;
    const std::span<const std::array<Index, 3>> triangles = soup.triangles();
    for (Index t = 0; t < triangles.size(); ++t) {
      const std::array<Index, 3>& v = triangles[t];
      const double beyond[3] = {side.beyond[v[0]], side.beyond[v[1]], side.beyond[v[2]]};
      if (beyond[0] < 0 && beyond[1] < 0 && beyond[2] < 0) continue;
      Box box = Box::nothing();
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3;
        if (!(beyond[k] < 0)) box.include(side.at[v[k]]);
        if ((beyond[k] < 0) != (beyond[l] < 0))
          box.include(side.at[v[k]] +
                      beyond[k] / (beyond[k] - beyond[l]) * (side.at[v[l]] - side.at[v[k]]));
      }
      if (are_apart(box, near)) continue;
      side.parts[side.count++] = {box, t};
      all.include(box);
    }
    return all;
  }

  void keep_near(Side& side, const Box& near) const {
    const auto end = side.parts.begin() + static_cast<std::ptrdiff_t>(side.count);
    side.count = static_cast<std::size_t>(
        std::remove_if(side.parts.begin(), end,
                       [&](const auto& part) { return are_apart(part.box, near); }) -
        side.parts.begin());
  }

  void add(Index triangle_a, Index triangle_b, double unit, bvh::TriangleBatch& batch) const {
    const auto put = [&](const Side& side, const std::array<Index, 3>& triangle,
                         float(&to)[3][3][bvh::TriangleBatch::kRoom]) {
      for (int v = 0; v < 3; ++v)
        for (int k = 0; k < 3; ++k)
          to[v][k][batch.count] = static_cast<float>(
              (side.at[triangle[static_cast<std::size_t>(v)]][k] - origin_[k]) * unit);
    };
    put(memory_.sides[0], a_.triangle(triangle_a), batch.a);
    put(memory_.sides[1], b_.triangle(triangle_b), batch.b);
    batch.error[batch.count] = kBatchError;
    batch.triangle_a[batch.count] = triangle_a;
    batch.triangle_b[batch.count] = triangle_b;
    ++batch.count;
  }

  const PolygonSoup &a_, &b_;
  NearAcrossMemory& memory_;
  double reach_ = 0;  // the margin plus the possible rounding
  Vec3 origin_ = Vec3::Zero();
  double largest_ = 0;  // largest coordinate of a relevant triangle, relative to origin_
};

}  // namespace touche::query
