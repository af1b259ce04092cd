// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/directed_volume.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "methods/bounds/outline.h"
#include "methods/bounds/skin.h"
#include "methods/bounds/slabs.h"

namespace touche::bounds {
namespace {

struct DirectedModel final : AnyVolume::Model {
  DirectedModel(VolumeKind of, SlabPolytope polytope)
      : own_kind(std::move(of)), body(std::move(polytope)) {}

  const VolumeKind& kind() const override { return own_kind; }
  const void* volume_itself() const override { return &body; }
  bool contains(const Vec3& p) const override { return body.contains(p); }
  double volume() const override { return body.volume(); }
  double surface_area() const override { return body.surface_area(); }
  double diameter() const override { return body.diameter(); }
  AnyVolume moved(const PoseMatrix& pose) const override;
  bool overlap(const Model& other, const PoseMatrix& pose) const override {
    return bounds::overlap(body, body_of(other), pose);
  }
  double lower_bound(const Model& other, const PoseMatrix& pose) const override {
    return bounds::lower_bound(body, body_of(other), pose);
  }
  void outline(Lines& lines) const override { bounds::outline(body, lines); }
  Skin skin() const override { return bounds::skin(body); }
  std::vector<double> numbers() const override { return numbers_of(body); }

  static const SlabPolytope& body_of(const Model& other) {
    return static_cast<const DirectedModel&>(other).body;
  }

  VolumeKind own_kind;
  SlabPolytope body;
};

AnyVolume directed(VolumeKind kind, SlabPolytope body) {
  return AnyVolume(std::make_shared<DirectedModel>(std::move(kind), std::move(body)));
}

AnyVolume DirectedModel::moved(const PoseMatrix& pose) const {
  return directed(own_kind, bounds::moved(body, pose, *own_kind.directions));
}

AnyVolume fit_directed(const VolumeKind& kind, std::span<const Vec3> points) {
  if (kind.directions == nullptr) throw InvalidInput("a dop needs directions");
  return directed(kind, SlabPolytope::around(points, *kind.directions));
}

AnyVolume fit_directed_faces(const VolumeKind& kind, std::span<const Triangle> triangles) {
  if (triangles.empty()) throw InvalidInput("a bounding volume needs at least one triangle");
  static_assert(sizeof(Triangle) == 3 * sizeof(Vec3));
  return fit_directed(kind, std::span(triangles.front().data(), 3 * triangles.size()));
}

/// All volumes of a tree share the directions of the first that was read.
AnyVolume directed_from(const VolumeKind& kind, std::span<const double> numbers) {
  SlabPolytope body = slab_polytope_from(numbers);
  std::vector<Vec3> directions;
  for (const Slab& slab : body.slabs()) directions.push_back(slab.normal);
  VolumeKind own = kind;
  if (own.directions == nullptr)
    own.directions = std::make_shared<const std::vector<Vec3>>(std::move(directions));
  else if (directions != *own.directions)
    throw InvalidInput("these numbers are of other directions");
  return directed(std::move(own), std::move(body));
}

constexpr VolumeKind::Makers kDirectedMakers = {fit_directed, fit_directed_faces, directed_from};

}  // namespace

std::vector<Vec3> even_directions(std::span<const Vec3> directions) {
  if (directions.size() < 3 || directions.size() > 120)
    throw InvalidInput("a dop needs between 3 and 120 directions");
  std::vector<Vec3> even, units;
  for (const Vec3& d : directions) {
    const double size = d.cwiseAbs().maxCoeff();
    if (!d.allFinite() || size == 0)
      throw InvalidInput("a dop's direction must be finite and not zero");
    const int exponent = std::ilogb(size);
    const auto scaled = [&](double x) { return std::scalbn(x, -exponent); };
    const Vec3 e(scaled(d.x()), scaled(d.y()), scaled(d.z())), unit = e.normalized();
    // The second one cuts off next to nothing.
    const auto as_before = [&](const Vec3& v) {
      return v.cross(unit).norm() < SlabPolytope::kAlike;
    };
    if (std::ranges::any_of(units, as_before)) continue;
    even.push_back(e);
    units.push_back(unit);
  }
  if (even.size() < 3)
    throw InvalidInput("a dop needs 3 directions that are not parallel: only " +
                       std::to_string(even.size()) + " of these " +
                       std::to_string(directions.size()) +
                       " count, for the others are parallel to them up to an angle of 1e-4");
  return even;
}

const VolumeKind& kind_without_directions() {
  static const VolumeKind kKind = {kDirectedName, nullptr, &kDirectedMakers};
  return kKind;
}

VolumeKind kind_of_directions(std::span<const Vec3> directions) {
  std::vector<Vec3> even = even_directions(directions);
  const Vec3 origin = Vec3::Zero();
  (void)SlabPolytope::around(std::span(&origin, 1), even);  // throws unless three are independent
  return {kDirectedName, std::make_shared<const std::vector<Vec3>>(std::move(even)),
          &kDirectedMakers};
}

const SlabPolytope* directed_body(const AnyVolume& v) {
  return v.kind().name == kDirectedName
             ? static_cast<const SlabPolytope*>(v.model().volume_itself())
             : nullptr;
}

}  // namespace touche::bounds
