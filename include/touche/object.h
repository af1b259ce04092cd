// SPDX-License-Identifier: Apache-2.0
// An object: a polygon soup with its hierarchy. It is immutable, cheap to copy and safe to share
// between threads. The hierarchy of a deforming soup is refitted: the faces stay, the vertices
// move.
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
  /// Counts triangles that are in their final leaf. A constructor has no status to report that it
  /// was stopped: an exception of this function stops it.
  ProgressFunction progress = {};
};

/// A soup and its hierarchy; copies share both. An object that was moved from may only be assigned
/// to or destroyed.
///
///     const Object object(PolygonSoup(coordinates, corners), "bracket");
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

  /// An object with the same faces and other vertex positions. `coordinates`: x y z for each
  /// vertex, in the order and the unit of the soup. All else stays: triangles, opposite half-edges,
  /// groups, numbers, name. A face of four or more corners keeps its triangulation, also when it is
  /// no longer planar. Queries are as exact as on a new object with the same triangles; they may
  /// take longer, see `needs_rebuild`.
  ///
  /// The result does not depend on `options.threads`, nor on earlier positions of the vertices.
  /// Throws InvalidInput when there are not three numbers for each vertex, and, naming the vertex,
  /// when one is not finite or larger than 1e90.
  [[nodiscard]] Object refitted(std::span<const double> coordinates,
                                const BuildOptions& options = {}) const;

  /// Replaces this object by the refitted one. Copies made before keep the old vertices. When it
  /// throws, this object is not changed.
  void refit(std::span<const double> coordinates, const BuildOptions& options = {}) {
    *this = refitted(coordinates, options);
  }

  /// How loosely the hierarchy encloses the surface after refitting: the ratio of the area of all
  /// its boxes to that of the triangles, relative to the same ratio just after building. Rigid
  /// motion and scaling leave it at 1, up to rounding; bending raises it to 1.2, for coarse meshes
  /// to 1.5.
  [[nodiscard]] double area_ratio() const;

  /// Whether a rebuild, `Object(o.soup(), o.name())`, is worthwhile. From an area ratio of 2 on,
  /// queries take about twice as long; below 2, distance queries take up to 1.5 times as long
  /// (docs/performance.md).
  [[nodiscard]] bool needs_rebuild() const { return area_ratio() > kAreaRatioToRebuild; }
  static constexpr double kAreaRatioToRebuild = 2;

  /// Checks all invariants of the hierarchy. Throws Error naming the node that violates one.
  void validate() const;

  struct Data;  ///< internal

 private:
  friend struct DataAccess;
  explicit Object(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace touche
