// SPDX-License-Identifier: Apache-2.0
// Arrays of Python as vectors, poses and meshes. What has the wrong type raises TypeError, what has
// a wrong shape or value InvalidInput; both name the argument.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "run.h"
#include "touche/motion.h"
#include "touche/names.h"
#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::python {

namespace py = pybind11;

/// Order of the numbers of a quaternion. None is the default: libraries differ.
enum class QuaternionOrder { none, wxyz, xyzw };
QuaternionOrder order_of(py::handle text);

/// The value of an enumeration with this name. InvalidInput lists the names.
template <Named Enum>
Enum named(const std::string& text, const char* what) {
  std::string all;
  for (std::size_t i = 0; i < names<Enum>().size(); ++i) {
    if (names<Enum>()[i] == text) return static_cast<Enum>(i);
    all += (i > 0 ? ", \"" : "\"") + std::string(names<Enum>()[i]) + "\"";
  }
  throw InvalidInput(std::string(what) + ": \"" + text + "\", expected one of " + all);
}

/// A text. TypeError for anything else.
std::string text_of(py::handle value, const char* what);

/// Numbers of any shape: float64, contiguous.
py::array_t<double> numbers_of(py::handle value, const char* what);
/// Whole numbers of any shape.
py::array_t<std::int64_t> integers_of(py::handle value, const char* what);

/// An array for rows, all bytes of which are zero, also the ones between fields.
template <class Row>
py::array_t<Row> zeroed(std::size_t count) {
  py::array_t<Row> made(static_cast<py::ssize_t>(count));
  std::memset(static_cast<void*>(made.mutable_data()), 0, count * sizeof(Row));
  return made;
}

/// A number, an array of them, or None for the default.
Vec3 vector_of(py::handle value, const char* what);
Vec3 vector_of(py::handle value, const char* what, const Vec3& if_none);

/// Rows of three numbers, float64 and contiguous: the array itself if it is so already.
py::array_t<double> rows_of_three(py::handle value, const char* what);
std::vector<Vec3> vectors_of(py::handle value, const char* what);

/// Whether it is three numbers, not rows of them.
bool is_vector(py::handle value);

/// A turn without translation: an array of 3×3 numbers, or anything with a method `as_matrix`.
Pose rotation_of(py::handle value, const char* what);

/// A Pose, None for the identity, an array of 4×4 or 3×4 numbers, or anything with a method
/// `as_matrix` (a rotation of scipy).
Pose pose_of(py::handle value, const char* what);

/// An array of n×4×4 or n×3×4 numbers, or with an order of n×7: translation, then quaternion; or a
/// sequence of anything that is a pose.
std::vector<Pose> poses_of(py::handle value, QuaternionOrder order, const char* what);

/// A Motion, or anything that is a pose: then it stands still.
Motion motion_of(py::handle value, const char* what);

/// The arrays of a mesh, and what keeps them alive.
struct SoupArrays {
  Kept owner;
  std::span<const double> coordinates;
  std::vector<Index> corners, sizes, groups;
  std::vector<std::string> group_names;

  /// In any thread, without the lock of the interpreter.
  PolygonSoup make() const { return PolygonSoup(coordinates, corners, sizes, groups, group_names); }
};

/// A mesh of vertices (n×3) and faces: m×k vertex numbers, or one list of them with `face_sizes`.
SoupArrays soup_of(py::handle vertices, py::handle faces, py::handle face_sizes,
                   py::handle face_groups = py::none(), py::handle group_names = py::none());

/// Views of an array that a Python object owns; they cannot be written to.
py::array vectors_view(std::span<const Vec3> vectors, py::handle owner);
py::array triangles_view(std::span<const std::array<Index, 3>> triangles, py::handle owner);

py::array_t<double> matrix_of(const Pose& pose);                       ///< 4×4
py::array_t<double> matrices_of(const std::vector<Pose>& poses);       ///< n×4×4
py::array_t<double> array_of(const Vec3& vector);                      ///< 3
py::array_t<double> array_of(const std::vector<Vec3>& vectors);        ///< n×3
py::array_t<std::int64_t> numbers_of(std::span<const Index> indices);  ///< n
std::int64_t number_of(Index index);                                   ///< -1 for kNone

/// A tuple of the bounds.
py::tuple bracket_of(const Bracket& bracket);

}  // namespace touche::python
