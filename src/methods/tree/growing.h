// SPDX-License-Identifier: Apache-2.0
// Volumes that faces are added to. Between two fits, which come when the number of faces has
// doubled, a face only widens what there is, in constant time.
#pragma once

#include <cmath>

#include "methods/tree/fit_faces.h"
#include "methods/tree/fitter.h"

namespace touche::tree {

// ---- what is widened: shapes -------------------------------------------------------------------
//
// A shape has fit(triangles, criterion), include(point), contains(point) and measure(criterion),
// which no `include` lowers.

/// Enlarged as little as a sphere through the point and around the old one can be (Ritter 1990).
class GrowingSphere {
 public:
  void fit(std::span<const Triangle> triangles, bounds::Criterion) {
    sphere_ = bounds::Sphere::fit(corners_of(triangles));
  }
  void include(const Vec3& p) {
    const Vec3 d = p - sphere_.centre;
    const double length = d.norm();
    if (length <= sphere_.radius) return;
    const double radius = 0.5 * (sphere_.radius + length);
    sphere_.centre += (length - radius) / length * d;
    sphere_.radius = radius;
  }
  bool contains(const Vec3& p) const { return (p - sphere_.centre).norm() <= sphere_.radius; }
  double measure(bounds::Criterion criterion) const { return bounds::measure(sphere_, criterion); }

 private:
  bounds::Sphere sphere_;
};

/// The measure of a V around a box of these half widths; for boxes, the box.
template <bounds::BoundingVolume V>
double measure_around(const Vec3& half, bounds::Criterion criterion) {
  using namespace bounds;
  if constexpr (std::same_as<V, Rss> || std::same_as<V, Capsule>) {
    double least = kInfinity;
    for (int k = 0; k < 3; ++k) {
      const double u = half[(k + 1) % 3], v = half[(k + 2) % 3];
      V around;
      if constexpr (std::same_as<V, Rss>) {  // the rectangle across axis k
        around.half[0] = u;
        around.half[1] = v;
        around.radius = half[k];
      } else {  // the segment along it
        around.start[k] = -half[k];
        around.end[k] = half[k];
        around.radius = std::hypot(u, v);
      }
      least = std::min(least, bounds::measure(around, criterion));
    }
    return least;
  } else {
    return bounds::measure(Obb{Vec3::Zero(), Mat3::Identity(), half}, criterion);
  }
}

/// A box, and what is made around one: in a frame that only `fit` turns.
template <bounds::BoundingVolume V>
class GrowingBox {
 public:
  void fit(std::span<const Triangle> triangles, bounds::Criterion criterion) {
    if constexpr (!std::same_as<V, bounds::AabbMinMax>)
      frame_ = fit_box(triangles, criterion).axes.transpose();
    lo_ = Vec3::Constant(kInfinity);
    hi_ = -lo_;
    for (const Triangle& t : triangles)
      for (const Vec3& p : t) include(p);
  }
  void include(const Vec3& p) {
    const Vec3 y = frame_ * p;
    lo_ = lo_.cwiseMin(y);
    hi_ = hi_.cwiseMax(y);
  }
  bool contains(const Vec3& p) const {
    const Vec3 y = frame_ * p;
    return (y.array() >= lo_.array()).all() && (y.array() <= hi_.array()).all();
  }
  double measure(bounds::Criterion criterion) const {
    return measure_around<V>(0.5 * (hi_ - lo_), criterion);
  }

 private:
  Mat3 frame_ = Mat3::Identity();
  Vec3 lo_ = Vec3::Zero(), hi_ = Vec3::Zero();
};

/// Measured as the ball of the same mean width, which has at least its surface and volume
/// (Minkowski's inequalities); the polytope itself would take a hundred times as long.
template <int K>
class GrowingKdop {
 public:
  void fit(std::span<const Triangle> triangles, bounds::Criterion) {
    dop_ = bounds::Kdop<K>::fit(corners_of(triangles));
  }
  void include(const Vec3& p) {
    const auto directions = bounds::kdop_directions(K);
    for (std::size_t i = 0; i < dop_.lo.size(); ++i) {
      const double x = directions[i].dot(p);
      dop_.lo[i] = std::min(dop_.lo[i], x);
      dop_.hi[i] = std::max(dop_.hi[i], x);
    }
  }
  bool contains(const Vec3& p) const { return dop_.contains(p); }
  double measure(bounds::Criterion criterion) const {
    static const std::array<double, K / 2> inverse_lengths = [] {
      std::array<double, K / 2> out{};
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = 1 / bounds::kdop_directions(K)[i].norm();
      return out;
    }();
    double sum = 0;
    for (std::size_t i = 0; i < dop_.lo.size(); ++i)
      sum += (dop_.hi[i] - dop_.lo[i]) * inverse_lengths[i];
    return bounds::measure(bounds::Sphere{Vec3::Zero(), sum / K}, criterion);  // half the mean
  }

 private:
  bounds::Kdop<K> dop_;
};

template <bounds::BoundingVolume V>
struct ShapeOf {
  using type = void;  // any other volume is fitted anew for each face
};
template <>
struct ShapeOf<bounds::Sphere> {
  using type = GrowingSphere;
};
template <bounds::BoundingVolume V>
requires std::same_as<V, bounds::AabbMinMax> || std::same_as<V, bounds::Obb> ||
    std::same_as<V, bounds::Rss> || std::same_as<V, bounds::Capsule>
struct ShapeOf<V> {
  using type = GrowingBox<V>;
};
template <int K>
struct ShapeOf<bounds::Kdop<K>> {
  using type = GrowingKdop<K>;
};

// ---- volumes -----------------------------------------------------------------------------------

template <typename Shape>
class GrowingOf final : public GrowingVolume {
 public:
  GrowingOf(const Faces& faces, bounds::Criterion criterion, double cost)
      : faces_(faces), criterion_(criterion), cost_(cost) {}

  std::unique_ptr<GrowingVolume> clone() const override {
    return std::make_unique<GrowingOf>(*this);
  }
  double quality() const override { return held_.empty() ? 0 : cost_ * shape_.measure(criterion_); }
  double quality_with(Index face) const override {
    Shape larger = shape_;
    add_to(larger, face);
    return cost_ * larger.measure(criterion_);
  }
  bool contains(Index face) const override {
    if (held_.empty()) return false;
    const Triangle t = faces_.corners(face);
    return shape_.contains(t[0]) && shape_.contains(t[1]) && shape_.contains(t[2]);
  }
  void add(Index face) override {
    const bool fits = held_.size() + 1 < next_fit_;
    if (fits) add_to(shape_, face);
    held_.push_back(face);
    if (fits) return;
    shape_.fit(faces_.gather(held_), criterion_);
    next_fit_ = 2 * held_.size();
  }

 private:
  void add_to(Shape& shape, Index face) const {
    const Triangle t = faces_.corners(face);
    if (held_.empty()) return shape.fit(std::span(&t, 1), criterion_);
    for (const Vec3& p : t) shape.include(p);
  }

  const Faces& faces_;
  bounds::Criterion criterion_;
  double cost_;
  Shape shape_;
  std::vector<Index> held_;
  std::size_t next_fit_ = 1;
};

/// The best of several.
class GrowingMixed final : public GrowingVolume {
 public:
  explicit GrowingMixed(std::vector<std::unique_ptr<GrowingVolume>> shapes)
      : shapes_(std::move(shapes)) {}

  std::unique_ptr<GrowingVolume> clone() const override {
    std::vector<std::unique_ptr<GrowingVolume>> copies;
    for (const auto& shape : shapes_) copies.push_back(shape->clone());
    return std::make_unique<GrowingMixed>(std::move(copies));
  }
  double quality() const override {
    double least = kInfinity;
    for (const auto& shape : shapes_) least = std::min(least, shape->quality());
    return least;
  }
  double quality_with(Index face) const override {
    double least = kInfinity;
    for (const auto& shape : shapes_) least = std::min(least, shape->quality_with(face));
    return least;
  }
  bool contains(Index face) const override {
    const auto best =
        std::ranges::min_element(shapes_, {}, [](const auto& shape) { return shape->quality(); });
    return (*best)->contains(face);
  }
  void add(Index face) override {
    for (const auto& shape : shapes_) shape->add(face);
  }

 private:
  std::vector<std::unique_ptr<GrowingVolume>> shapes_;
};

/// Fitted to all its faces for each question.
template <bounds::BoundingVolume V>
class GrowingAnew final : public GrowingVolume {
 public:
  GrowingAnew(const Faces& faces, const Rating& rating) : faces_(faces), rating_(rating) {}

  std::unique_ptr<GrowingVolume> clone() const override {
    return std::make_unique<GrowingAnew>(*this);
  }
  double quality() const override { return quality_; }
  double quality_with(Index face) const override {
    std::vector<Index> more = held_;
    more.push_back(face);
    const V v = fit_faces<V>(faces_, more, rating_);
    const double quality = quality_of(v, rating_, faces_, more);
    return rating_.quality == Quality::hausdorff ? quality : std::max(quality_, quality);
  }
  bool contains(Index face) const override {
    if (held_.empty()) return false;
    const V v = fit_faces<V>(faces_, held_, rating_);
    const Triangle t = faces_.corners(face);
    return v.contains(t[0]) && v.contains(t[1]) && v.contains(t[2]);
  }
  void add(Index face) override {
    quality_ = quality_with(face);
    held_.push_back(face);
  }

 private:
  const Faces& faces_;
  const Rating& rating_;
  std::vector<Index> held_;
  double quality_ = 0;
};

template <bounds::BoundingVolume V>
std::unique_ptr<GrowingVolume> growing_volume(const Faces& faces, const Rating& rating) {
  using bounds::AabbMinMax, bounds::Obb;
  const auto criterion = rating.criterion();
  if (rating.quality == Quality::hausdorff) return std::make_unique<GrowingAnew<V>>(faces, rating);
  if constexpr (std::same_as<V, bounds::Mixed>) {
    std::vector<std::unique_ptr<GrowingVolume>> shapes;
    shapes.push_back(
        std::make_unique<GrowingOf<GrowingSphere>>(faces, criterion, rating.cost[Kind::sphere]));
    shapes.push_back(std::make_unique<GrowingOf<GrowingBox<AabbMinMax>>>(faces, criterion,
                                                                         rating.cost[Kind::aabb]));
    shapes.push_back(
        std::make_unique<GrowingOf<GrowingBox<Obb>>>(faces, criterion, rating.cost[Kind::obb]));
    return std::make_unique<GrowingMixed>(std::move(shapes));
  } else if constexpr (std::same_as<V, bounds::AnyVolume>) {
    // Nearly all volumes of this kind are fitted to a box or beside one, so boxes are enough to
    // compare faces.
    return std::make_unique<GrowingOf<GrowingBox<Obb>>>(faces, criterion,
                                                        rating.test_cost(bounds::AnyVolume()));
  } else if constexpr (!std::same_as<typename ShapeOf<V>::type, void>) {
    return std::make_unique<GrowingOf<typename ShapeOf<V>::type>>(faces, criterion,
                                                                  rating.test_cost(V()));
  } else {
    return std::make_unique<GrowingAnew<V>>(faces, rating);
  }
}

}  // namespace touche::tree
