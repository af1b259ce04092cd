// SPDX-License-Identifier: Apache-2.0
// An object: a polygon soup with its hierarchy, immutable, cheap to copy, safe to share. A soup
// that deforms is refitted: the faces stay, the vertices move.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "touche/budget.h"
#include "touche/soup.h"

namespace touche {

struct BuildOptions {
  int threads = 0;  ///< 0: all; the hierarchy does not depend on it
  /// `done` counts the triangles whose place is settled; small objects may skip it. Building is not
  /// stopped on the way: a constructor has no status to say so.
  Progress* progress = nullptr;
};

/// Holds a soup and its hierarchy. Copies share them. An object that was moved from holds neither:
/// it may only be assigned to or destroyed.
class Object {
 public:
  explicit Object(PolygonSoup soup, std::string name = {}, const BuildOptions& options = {});

  [[nodiscard]] const PolygonSoup& soup() const;
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const Aabb& bounds() const { return soup().bounds(); }

  struct Memory {
    std::size_t mesh_bytes = 0;
    std::size_t hierarchy_bytes = 0;
  };
  [[nodiscard]] Memory memory() const;

  /// The same faces with their vertices elsewhere: x y z for each, in the order of the soup, in its
  /// unit. All else stays: triangles, twins, groups, numbers, name. A face of four or more corners
  /// keeps the triangles it was cut into, also when it is no longer planar. Queries are as exact as
  /// on a new object of the same triangles; they may take longer, see `needs_rebuild`.
  ///
  /// The result does not depend on `options.threads`, and not on how often and from where the
  /// vertices were moved before. Throws InvalidInput when there are not three numbers per vertex,
  /// or naming the vertex, when one is not finite or larger than 1e90.
  [[nodiscard]] Object refitted(std::span<const double> coordinates,
                                const BuildOptions& options = {}) const;

  /// Becomes the refitted object. Copies made before keep the old vertices, and so does this one
  /// when it throws.
  void refit(std::span<const double> coordinates, const BuildOptions& options = {}) {
    *this = refitted(coordinates, options);
  }

  /// How loosely the hierarchy encloses the surface since it was refitted: the area of all its
  /// boxes over that of the triangles, relative to just after building. Rigid motion and scaling
  /// leave it at 1, but for rounding; bending brings it to 1.2, coarse meshes to 1.5.
  [[nodiscard]] double area_ratio() const;

  /// Whether to build anew, `Object(o.soup(), o.name())`: from an area ratio of 2 on, queries take
  /// about twice as long; below it, distances up to half as long again (docs/performance.md).
  [[nodiscard]] bool needs_rebuild() const { return area_ratio() > kAreaRatioToRebuild; }
  static constexpr double kAreaRatioToRebuild = 2;

  /// Checks every invariant of the hierarchy; throws Error naming the node that breaks one.
  void validate() const;

  struct Data;  ///< for the library

 private:
  friend struct DataAccess;
  explicit Object(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace touche
