// SPDX-License-Identifier: Apache-2.0
// Compares parts with the parts of the same names in an earlier result.
#pragma once

#include <string>
#include <vector>

#include "touche/clash.h"

namespace touche::clash {

/// A hash of vertices and faces, as 16 hexadecimal digits.
std::string mesh_hash(const PolygonSoup& soup);
/// The same of the faces alone, by the numbers of their vertices.
std::string faces_hash(const PolygonSoup& soup);
/// The area of all triangles, and the volume that they enclose, with their orientation and about
/// the middle of the box.
double mesh_area(const PolygonSoup& soup);
double mesh_volume(const PolygonSoup& soup);
/// The centre of area, as a share of the box from its lower corner.
Vec3 mesh_centre(const PolygonSoup& soup);

/// The box around a part in the world.
Aabb world_box(const ClashParts& parts, std::size_t part);

/// Both must outlive it.
class EarlierParts {
 public:
  EarlierParts(const ClashParts& now, const EarlierClashes& earlier);

  /// The part as it was; null if there was none.
  const EarlierClashes::Part* find(std::size_t part) const;
  /// Whether the mesh is known to be the same.
  bool same_mesh(std::size_t part) const;
  /// Whether mesh and pose are known to be the same, up to rounding.
  bool unchanged(std::size_t part) const { return same_mesh(part) && !moved(part); }
  /// The parts that changed, by kind, then by name.
  std::vector<ClashPartChange> changes() const;

 private:
  double move_of(std::size_t part) const;
  bool is_shifted(std::size_t part) const;
  bool moved(std::size_t part) const;

  const ClashParts& now_;
  const EarlierClashes& earlier_;
  std::vector<std::string> hashes_;  // by object
};

}  // namespace touche::clash
