// SPDX-License-Identifier: Apache-2.0
// A bounding volume of any kind, by virtual functions: for whatever is to be compiled once and
// serve all of them.
#pragma once

#include <memory>
#include <vector>

#include "geometry/triangle_pair.h"
#include "methods/bounds/bounding_volume.h"
#include "methods/bounds/drawn.h"

namespace touche::bounds {

class AnyVolume;

/// A small value; copies share the directions.
struct VolumeKind {
  std::string_view name;
  /// Normals of the k-DOPs of a kind that kind_of_directions makes; else there are none.
  std::shared_ptr<const std::vector<Vec3>> directions;

  /// Around the convex hull of these.
  AnyVolume fit(std::span<const Vec3> points) const;
  /// Fits to the triangles with their interiors. The result equals that for their corners, except
  /// for shells.
  AnyVolume fit_faces(std::span<const Triangle> triangles) const;
  /// Reads the numbers of a volume from a file; throws InvalidInput if they form none.
  AnyVolume from_numbers(std::span<const double> numbers) const;

  struct Makers {
    AnyVolume (*fit)(const VolumeKind&, std::span<const Vec3>);
    AnyVolume (*fit_faces)(const VolumeKind&, std::span<const Triangle>);
    AnyVolume (*from_numbers)(const VolumeKind&, std::span<const double>);
  };
  const Makers* makers;
};

/// The kinds of AllVolumes, then the ones of OtherVolumes.
std::span<const VolumeKind> volume_kinds();
/// Null where there is none of this name. That of kDirectedName has no directions: it reads
/// volumes, which then have their own, and fits none.
const VolumeKind* find_kind(std::string_view name);

/// How k-DOPs of any directions are called.
inline constexpr std::string_view kDirectedName = "dop";
/// The kind of the k-DOPs that have these normals. Throws InvalidInput as SlabPolytope does for
/// normals that make none.
VolumeKind kind_of_directions(std::span<const Vec3> directions);

/// Immutable; copies share it.
class AnyVolume {
 public:
  struct Model {
    virtual ~Model() = default;
    virtual const VolumeKind& kind() const = 0;
    virtual const void* volume_itself() const = 0;
    virtual bool contains(const Vec3& p) const = 0;
    virtual double volume() const = 0;
    virtual double surface_area() const = 0;
    virtual double diameter() const = 0;
    virtual AnyVolume moved(const PoseMatrix& pose) const = 0;
    virtual bool overlap(const Model& other, const PoseMatrix& pose) const = 0;
    virtual double lower_bound(const Model& other, const PoseMatrix& pose) const = 0;
    virtual void outline(Lines& lines) const = 0;
    virtual Skin skin() const = 0;
    virtual std::vector<double> numbers() const = 0;
  };

  /// Has no kind, to be assigned to.
  AnyVolume() = default;
  explicit AnyVolume(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  const VolumeKind& kind() const { return model_->kind(); }
  /// The volume itself; null if it is no V.
  template <FittedVolume V>
  const V* as() const {
    return kind().name == V::kName ? static_cast<const V*>(model_->volume_itself()) : nullptr;
  }

  bool contains(const Vec3& p) const { return model_->contains(p); }
  double volume() const { return model_->volume(); }
  double surface_area() const { return model_->surface_area(); }
  double diameter() const { return model_->diameter(); }
  /// Its surface, to be drawn.
  Skin skin() const { return model_->skin(); }
  /// Returns what its kind makes it from again.
  std::vector<double> numbers() const { return model_->numbers(); }

  const Model& model() const { return *model_; }

 private:
  std::shared_ptr<const Model> model_;
};

inline AnyVolume VolumeKind::fit(std::span<const Vec3> points) const {
  return makers->fit(*this, points);
}
inline AnyVolume VolumeKind::fit_faces(std::span<const Triangle> triangles) const {
  return makers->fit_faces(*this, triangles);
}
inline AnyVolume VolumeKind::from_numbers(std::span<const double> numbers) const {
  return makers->from_numbers(*this, numbers);
}

inline AnyVolume moved(const AnyVolume& v, const PoseMatrix& pose) { return v.model().moved(pose); }
/// Takes two of one kind.
inline bool overlap(const AnyVolume& a, const AnyVolume& b, const PoseMatrix& pose) {
  return a.model().overlap(b.model(), pose);
}
inline double lower_bound(const AnyVolume& a, const AnyVolume& b, const PoseMatrix& pose) {
  return a.model().lower_bound(b.model(), pose);
}
inline void outline(const AnyVolume& v, Lines& lines) { v.model().outline(lines); }

static_assert(BoundingVolume<AnyVolume>);

}  // namespace touche::bounds
