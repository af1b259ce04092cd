// SPDX-License-Identifier: Apache-2.0
// Arrays of Python as vectors, poses and meshes. What does not fit throws InvalidInput, which names
// the argument and its shape or type.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::python {

namespace py = pybind11;

/// Order of the numbers of a quaternion. None is the default: there is no usual one.
enum class QuaternionOrder { none, wxyz, xyzw };
QuaternionOrder order_of(const py::object& text);

/// Three finite numbers.
Vec3 vector_of(py::handle value, const char* what);

/// Rows of three numbers, float64 and contiguous: the array itself if it is so already.
py::array_t<double> rows_of_three(py::handle value, const char* what);

/// A Pose, None for the identity, an array of 4×4 or 3×4 numbers, or anything with a method
/// `as_matrix` (a rotation of scipy) or an attribute `matrix`.
Pose pose_of(py::handle value, const char* what);

/// An array of n×4×4 or n×3×4 numbers, or with an order of n×7: translation, then quaternion; or a
/// sequence of anything that is a pose.
std::vector<Pose> poses_of(py::handle value, QuaternionOrder order, const char* what);

/// A mesh of vertices (n×3) and faces: m×k vertex numbers, or one list of them with `face_sizes`.
PolygonSoup soup_of(py::handle vertices, py::handle faces, py::handle face_sizes);

/// Views of an array that a Python object owns; they cannot be written to.
py::array vectors_view(std::span<const Vec3> vectors, py::handle owner);
py::array triangles_view(std::span<const std::array<Index, 3>> triangles, py::handle owner);

/// A 4×4 matrix.
py::array_t<double> matrix_of(const Pose& pose);
py::array_t<double> array_of(const Vec3& vector);

}  // namespace touche::python
