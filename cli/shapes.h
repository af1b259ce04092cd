// SPDX-License-Identifier: Apache-2.0
// Convex shapes on the command line. The functions have the same names as for objects. If one of
// two files is a shape, both are queried as shapes.
#pragma once

#include <string>
#include <vector>

#include "touche/shape.h"
#include "two_objects.h"

namespace touche::cli {

/// Returns whether one of the files is a shape: a .json file instead of a mesh.
bool are_shapes(const TwoObjects& objects);

/// Loads a shape, or a mesh's surface as a shape.
Shape load_shape_a(const TwoObjects& objects);
Shape load_shape_b(const TwoObjects& objects);

/// Meshes around shapes, for queries that take meshes only, with remarks for the user.
struct ShapeMeshes {
  Object a, b;
  double error = 0;  // length: neither mesh exceeds its shape by more
  std::vector<std::string> remarks;
};
ShapeMeshes load_shape_meshes(const TwoObjects& objects);

/// `touche info` of a shape.
void show_shape(const std::string& file, bool json, Json& list);

/// For meshes, includes the faces.
Json to_json(const Contact& contact, const Shape& a, const Shape& b);
Json to_json(const ShapeContact& contact, const Shape& a, const Shape& b);
std::string contact_text(const Contact& contact, const Shape& a, const Shape& b);
std::string contact_text(const ShapeContact& contact, const Shape& a, const Shape& b);

double size_of(const Shape& shape);
inline std::vector<std::string> remarks_of(const TwoObjects&, const Shape&, const Shape&) {
  return {};
}

}  // namespace touche::cli
