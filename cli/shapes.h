// SPDX-License-Identifier: Apache-2.0
// Convex shapes on the command line, and what lets commands answer about them as about objects: the
// same names for both. Where one of two files is a shape, both are asked as shapes.
#pragma once

#include <string>
#include <vector>

#include "touche/shape.h"
#include "touche/shape_motion.h"
#include "two_objects.h"

namespace touche::cli {

/// Whether any is: a file named .json in place of a mesh.
bool are_shapes(const TwoObjects& objects);

/// The shape of a file, or the surface of a mesh.
Shape load_shape_a(const TwoObjects& objects);
Shape load_shape_b(const TwoObjects& objects);

/// For what takes meshes only: those around shapes, and what a person should know of them.
struct ShapeMeshes {
  Object a, b;
  double error = 0;  // length: neither is larger by more than this
  std::vector<std::string> remarks;
};
ShapeMeshes load_shape_meshes(const TwoObjects& objects);

/// `touche info` of a shape.
void show_shape(const std::string& file, bool json, Json& list);

/// Faces are those of meshes.
Json to_json(const Contact& contact, const Shape& a, const Shape& b);
Json to_json(const ShapeContact& contact, const Shape& a, const Shape& b);
std::string contact_text(const Contact& contact, const Shape& a, const Shape& b);
std::string contact_text(const ShapeContact& contact, const Shape& a, const Shape& b);

double size_of(const Shape& shape);
inline std::vector<std::string> remarks_of(const TwoObjects&, const Shape&, const Shape&) {
  return {};
}

}  // namespace touche::cli
