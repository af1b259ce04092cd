// SPDX-License-Identifier: Apache-2.0
#include "convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "exact.h"
#include "poses.h"

namespace touche::python {
namespace {

std::string shape_text(const py::array& array) {
  std::string text = "(";
  for (py::ssize_t i = 0; i < array.ndim(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(array.shape(i));
  return text + (array.ndim() == 1 ? ",)" : ")");
}

[[noreturn]] void fail(const std::string& what, const std::string& reason) {
  throw InvalidInput(what + ": " + reason);
}

std::string at(const char* what, std::size_t i) {
  return std::string(what) + "[" + std::to_string(i) + "]";
}

[[noreturn]] void fail_type(const std::string& what, const std::string& expected,
                            py::handle found) {
  throw py::type_error(what + ": expected " + expected + ", found " + type_text(found));
}

// A masked array has numbers that count as none.
void require_no_mask(py::handle value, const char* what) {
  const PyTypeObject* const type = Py_TYPE(value.ptr());
  if (type == py::detail::npy_api::get().PyArray_Type_ || !py::hasattr(value, "mask")) return;
  if (PyObject_IsTrue(value.attr("mask").attr("any")().ptr()) == 1)
    fail(what, "it has masked elements");
}

bool is_list(py::handle value) { return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()); }

// As numpy sees it. Lists are converted, and what follows the DLPack protocol only.
py::array as_array(py::handle value, const char* what) {
  if (py::isinstance<py::array>(value)) {
    require_no_mask(value, what);
    return py::reinterpret_borrow<py::array>(value);
  }
  py::array array = py::array::ensure(value);
  if ((!array || array.dtype().kind() == 'O') && py::hasattr(value, "__dlpack__")) {
    const auto from_dlpack = py::module_::import("numpy").attr("from_dlpack");
    try {
      array = from_dlpack(value).cast<py::array>();
    } catch (py::error_already_set& e) {
      if (!e.matches(PyExc_Exception)) throw;
      py::raise_from(e, PyExc_TypeError,
                     (std::string(what) + ": the DLPack protocol of " + type_text(value) +
                      " gives no array: " + py::cast<std::string>(py::str(e.value())))
                         .c_str());
      throw py::error_already_set();
    }
  }
  if (!array) {
    // Once more, for the reason.
    try {
      py::module_::import("numpy").attr("asarray")(value);
    } catch (py::error_already_set& e) {
      if (!e.matches(PyExc_Exception)) throw;
      py::raise_from(
          e, PyExc_TypeError,
          (std::string(what) + ": expected an array, found " + type_text(value) +
           (is_list(value) ? " whose rows differ in length, or with elements that are no numbers"
                           : ""))
              .c_str());
      throw py::error_already_set();
    }
  }
  if (!array || array.ndim() == 0) fail_type(what, "an array", value);
  return array;
}

bool is_of(const py::array& array, const char* kinds) {
  return std::strchr(kinds, array.dtype().kind()) != nullptr;
}

py::array_t<double> doubles_of(const py::array& array, const char* what) {
  if (array.size() > 0 && !is_of(array, "fiu"))
    throw py::type_error(std::string(what) + ": expected numbers, found dtype " +
                         py::cast<std::string>(py::str(array.dtype())));
  using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
  Doubles doubles = Doubles::ensure(array);
  if (!doubles) throw py::error_already_set();
  return doubles;
}

using Integers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

Integers integers_of(const py::array& array, const char* what) {
  if (array.size() > 0 && !is_of(array, "iu"))
    throw py::type_error(std::string(what) + ": expected whole numbers, found dtype " +
                         py::cast<std::string>(py::str(array.dtype())));
  Integers integers = Integers::ensure(array);
  if (!integers) throw py::error_already_set();
  // Unsigned numbers from 2^63 on would become negative.
  if (array.dtype().kind() == 'u')
    for (py::ssize_t i = 0; i < integers.size(); ++i)
      if (integers.data()[i] < 0)
        fail(at(what, static_cast<std::size_t>(i)),
             std::to_string(static_cast<std::uint64_t>(integers.data()[i])) + " is too large");
  return integers;
}

Pose of_matrix(const double* m, bool has_last_row) {
  if (!std::all_of(m, m + (has_last_row ? 16 : 12), [](double x) { return std::isfinite(x); }))
    throw InvalidInput("its numbers must be finite");
  if (has_last_row && !(m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1))
    throw InvalidInput(
        fmt::format("the last row of the matrix is {}, {}, {}, {}, expected 0, 0, 0, 1", m[12],
                    m[13], m[14], m[15]));
  Mat3 rotation;
  rotation << m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10];
  return Pose::from_matrix(rotation, {m[3], m[7], m[11]});
}

Pose of_seven(const double* v, QuaternionOrder order) {
  const double* const q = v + 3;
  return order == QuaternionOrder::wxyz
             ? Pose::from_quaternion(q[0], q[1], q[2], q[3], {v[0], v[1], v[2]})
             : Pose::from_quaternion(q[3], q[0], q[1], q[2], {v[0], v[1], v[2]});
}

// The error of make() names the argument.
template <class Make>
Pose named_pose(const std::string& what, const Make& make) {
  try {
    return make();
  } catch (const InvalidInput& e) {
    fail(what, e.what());
  }
}

// Nine numbers, row by row.
Pose of_rotation(const double* m) {
  if (!std::all_of(m, m + 9, [](double x) { return std::isfinite(x); }))
    throw InvalidInput("its numbers must be finite");
  Mat3 rotation;
  rotation << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
  return Pose::from_matrix(rotation, Vec3::Zero());
}

// A method `as_matrix` makes it a rotation, as the ones of SciPy are.
bool has_matrix(py::handle value) {
  return !py::isinstance<py::array>(value) && py::hasattr(value, "as_matrix");
}

Pose rotation_of(py::handle value, const std::string& what) {
  const py::object matrix = has_matrix(value) ? py::object(value.attr("as_matrix")())
                                              : py::reinterpret_borrow<py::object>(value);
  const py::array array = as_array(matrix, what.c_str());
  if (array.ndim() != 2 || array.shape(0) != 3 || array.shape(1) != 3)
    fail(what, "shape " + shape_text(array) + ", expected (3, 3)");
  const py::array_t<double> numbers = doubles_of(array, what.c_str());
  const double* const m = numbers.data();
  return named_pose(what, [&] { return of_rotation(m); });
}

// A list or tuple with poses that are no arrays; empty, too.
bool is_sequence_of_poses(py::handle value) {
  if (!is_list(value)) return false;
  const py::tuple items(py::reinterpret_borrow<py::object>(value));
  return items.empty() || std::any_of(items.begin(), items.end(), [](py::handle item) {
           return item.is_none() || py::isinstance<Pose>(item) || py::hasattr(item, "as_matrix");
         });
}

Pose pose_of(py::handle value, const std::string& what) {
  if (value.is_none()) return {};
  if (py::isinstance<Pose>(value)) return value.cast<const Pose&>();
  if (has_matrix(value)) return rotation_of(value, what);
  if (is_sequence_of_poses(value)) fail_type(what, "one pose", value);
  const py::array array = as_array(value, what.c_str());
  const py::ssize_t rows = array.ndim() == 2 ? array.shape(0) : 0,
                    columns = array.ndim() == 2 ? array.shape(1) : 0;
  if (columns != 4 || (rows != 3 && rows != 4))
    fail(what, "shape " + shape_text(array) + ", expected a Pose or (4, 4)" +
                   (rows == 3 && columns == 3 ? "; for (3, 3) there is Pose.from_rotation" : ""));
  const py::array_t<double> numbers = doubles_of(array, what.c_str());
  const double* const m = numbers.data();
  return named_pose(what, [&] { return of_matrix(m, rows == 4); });
}

// The numbers of vertices, which must be below `count`.
std::vector<Index> corners_of(const py::array& faces, std::size_t count) {
  const Integers numbers = integers_of(faces, "faces");
  std::vector<Index> corners(static_cast<std::size_t>(numbers.size()));
  const std::int64_t* data = numbers.data();
  const std::size_t width = faces.ndim() == 2 ? static_cast<std::size_t>(faces.shape(1)) : 1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (data[i] < 0 || static_cast<std::uint64_t>(data[i]) >= count)
      fail(at("faces", i / width), "vertex " + std::to_string(data[i]) +
                                       ", expected a number from 0 to below " +
                                       std::to_string(count));
    corners[i] = static_cast<Index>(data[i]);
  }
  return corners;
}

std::vector<Index> sizes_of(const py::array& faces, py::handle face_sizes) {
  std::vector<Index> sizes;
  if (face_sizes.is_none()) {
    if (faces.ndim() != 2 || faces.shape(1) < 3)
      fail("faces", "shape " + shape_text(faces) +
                        ", expected (m, 3), or (m, k) for faces of k corners; face_sizes goes with "
                        "one list of vertex numbers");
    if (faces.shape(1) > 3)
      sizes.assign(static_cast<std::size_t>(faces.shape(0)), static_cast<Index>(faces.shape(1)));
    return sizes;
  }
  const py::array given = as_array(face_sizes, "face_sizes");
  if (faces.ndim() != 1 || given.ndim() != 1)
    fail("face_sizes", "expected a list of numbers of corners, and faces as one list");
  const Integers numbers = integers_of(given, "face_sizes");
  std::int64_t sum = 0;
  for (py::ssize_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t size = numbers.data()[i];
    if (size < 3 || size > faces.size())
      fail(at("face_sizes", static_cast<std::size_t>(i)),
           std::to_string(size) + " corners, expected 3 or more");
    sizes.push_back(static_cast<Index>(size));
    sum += size;
  }
  if (sum != faces.size())
    fail("face_sizes", "they add up to " + std::to_string(sum) + " corners, and faces has " +
                           std::to_string(faces.size()));
  return sizes;
}

std::vector<Index> groups_of(py::handle face_groups) {
  std::vector<Index> groups;
  if (face_groups.is_none()) return groups;
  const Integers numbers = integers_of(as_array(face_groups, "face_groups"), "face_groups");
  groups.reserve(static_cast<std::size_t>(numbers.size()));
  for (py::ssize_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t group = numbers.data()[i];
    if (group < 0 || group >= std::numeric_limits<Index>::max())
      fail(at("face_groups", static_cast<std::size_t>(i)),
           std::to_string(group) + ", expected the number of a group");
    groups.push_back(static_cast<Index>(group));
  }
  return groups;
}

py::array read_only(py::array view) {
  view.attr("flags").attr("writeable") = false;
  return view;
}

void write_matrix(const Pose& pose, double* m) {
  const Mat3 rotation = pose.matrix();
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m[4 * r + c] = rotation(r, c);
    m[4 * r + 3] = pose.translation()[r];
  }
  m[12] = m[13] = m[14] = 0;
  m[15] = 1;
}

}  // namespace

std::string text_of(py::handle value, const char* what) {
  if (PyUnicode_Check(value.ptr()) == 0) fail_type(what, "a str", value);
  return value.cast<std::string>();
}

py::array_t<double> numbers_of(py::handle value, const char* what) {
  return doubles_of(as_array(value, what), what);
}

py::array_t<std::int64_t> integers_of(py::handle value, const char* what) {
  return integers_of(as_array(value, what), what);
}

QuaternionOrder order_of(py::handle text) {
  if (text.is_none()) return QuaternionOrder::none;
  const std::string order = text_of(text, "order");
  if (order == "wxyz") return QuaternionOrder::wxyz;
  if (order == "xyzw") return QuaternionOrder::xyzw;
  fail("order", "\"" + order + "\", expected \"wxyz\" or \"xyzw\"");
}

Vec3 vector_of(py::handle value, const char* what) {
  const py::array array = as_array(value, what);
  if (array.size() != 3 || array.ndim() != 1)
    fail(what, "shape " + shape_text(array) + ", expected (3,)");
  const py::array_t<double> numbers = doubles_of(array, what);
  const double* x = numbers.data();
  if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
    fail(what, "its coordinates must be finite");
  return {x[0], x[1], x[2]};
}

Vec3 vector_of(py::handle value, const char* what, const Vec3& if_none) {
  return value.is_none() ? if_none : vector_of(value, what);
}

py::array_t<double> rows_of_three(py::handle value, const char* what) {
  const py::array array = as_array(value, what);
  const bool is_empty_list = array.ndim() == 1 && array.shape(0) == 0;
  if (is_empty_list) return py::array_t<double>(std::vector<py::ssize_t>{0, 3});
  if (array.ndim() != 2 || array.shape(1) != 3)
    fail(what, "shape " + shape_text(array) + ", expected (n, 3)");
  return doubles_of(array, what);
}

std::vector<Vec3> vectors_of(py::handle value, const char* what) {
  const py::array_t<double> rows = rows_of_three(value, what);
  std::vector<Vec3> vectors(static_cast<std::size_t>(rows.shape(0)));
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const double* const x = rows.data() + 3 * i;
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
      fail(at(what, i), "its coordinates must be finite");
    vectors[i] = {x[0], x[1], x[2]};
  }
  return vectors;
}

bool is_vector(py::handle value) {
  if (py::isinstance<py::array>(value)) {
    const auto array = value.cast<py::array>();
    return array.ndim() == 1 && array.size() == 3;
  }
  if (!is_list(value)) return false;
  const py::tuple items(py::reinterpret_borrow<py::object>(value));
  return items.size() == 3 && !py::hasattr(items[0], "__len__");
}

Pose rotation_of(py::handle value, const char* what) {
  return rotation_of(value, std::string(what));
}

Pose pose_of(py::handle value, const char* what) {
  if (value.is_none()) return {};
  if (const Pose* const pose = exact_pose(value)) return *pose;
  return pose_of(value, std::string(what));
}

// Signals are handled in between; these take some milliseconds.
constexpr std::size_t kPosesAtATime = 4096;

std::vector<Pose> poses_of(py::handle value, QuaternionOrder order, const char* what) {
  std::vector<Pose> poses;
  if (is_sequence_of_poses(value)) {
    const py::tuple items(py::reinterpret_borrow<py::object>(value));
    if (!items.empty() && order != QuaternionOrder::none)
      fail("order", "it is for quaternions, and the poses are none");
    poses.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i % kPosesAtATime == 0) check_signals();
      poses.push_back(pose_of(items[i], at(what, i)));
    }
    return poses;
  }
  const py::array array = as_array(value, what);
  const bool are_matrices =
      array.ndim() == 3 && array.shape(2) == 4 && (array.shape(1) == 4 || array.shape(1) == 3);
  const bool are_sevens = array.ndim() == 2 && array.shape(1) == 7;
  if (are_sevens && order == QuaternionOrder::none)
    fail(what,
         "seven numbers for each pose are a translation and a quaternion: name its order, "
         "order=\"wxyz\" or order=\"xyzw\"");
  if (!are_matrices && !are_sevens)
    fail(what, "shape " + shape_text(array) + ", expected (n, 4, 4), or (n, 7) with an order");
  if (are_matrices && order != QuaternionOrder::none)
    fail("order", "it is for quaternions, and the poses are matrices");
  const py::array_t<double> numbers = doubles_of(array, what);
  const auto count = static_cast<std::size_t>(array.shape(0));
  const std::size_t stride = are_sevens ? 7 : static_cast<std::size_t>(4 * array.shape(1));
  const double* data = numbers.data();
  poses.reserve(count);
  std::size_t i = 0;
  while (i < count) {
    check_signals();
    const Unlocked unlocked;
    try {
      for (const std::size_t end = std::min(i + kPosesAtATime, count); i < end; ++i, data += stride)
        poses.push_back(are_sevens ? of_seven(data, order) : of_matrix(data, stride == 16));
    } catch (const InvalidInput& e) {
      fail(at(what, i), e.what());
    }
  }
  return poses;
}

Motion motion_of(py::handle value, const char* what) {
  if (py::isinstance<MadeMotion>(value)) return value.cast<const MadeMotion&>();
  return Motion::at(pose_of(value, what));
}

SoupArrays soup_of(py::handle vertices, py::handle faces, py::handle face_sizes,
                   py::handle face_groups, py::handle group_names) {
  const py::array_t<double> coordinates = rows_of_three(vertices, "vertices");
  if (coordinates.size() == 0) fail("vertices", "there are none");
  const py::array array = as_array(faces, "faces");
  std::vector<Index> sizes = sizes_of(array, face_sizes),
                     corners = corners_of(array, static_cast<std::size_t>(coordinates.shape(0))),
                     groups = groups_of(face_groups);
  std::vector<std::string> group_list;
  if (!group_names.is_none())
    for (const py::handle name : group_names) group_list.push_back(name.cast<std::string>());
  const std::span given(coordinates.data(), static_cast<std::size_t>(coordinates.size()));
  return {Kept(coordinates),    given, std::move(corners), std::move(sizes), std::move(groups),
          std::move(group_list)};
}

py::array vectors_view(std::span<const Vec3> vectors, py::handle owner) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const double* data = vectors.empty() ? nullptr : vectors.front().data();
  return read_only(
      py::array_t<double>({static_cast<py::ssize_t>(vectors.size()), py::ssize_t{3}}, data, owner));
}

py::array triangles_view(std::span<const std::array<Index, 3>> triangles, py::handle owner) {
  const Index* data = triangles.empty() ? nullptr : triangles.front().data();
  return read_only(py::array_t<Index>({static_cast<py::ssize_t>(triangles.size()), py::ssize_t{3}},
                                      data, owner));
}

py::array_t<double> matrix_of(const Pose& pose) {
  py::array_t<double> made({4, 4});
  write_matrix(pose, made.mutable_data());
  return made;
}

py::array_t<double> matrices_of(const std::vector<Pose>& poses) {
  py::array_t<double> made(
      {static_cast<py::ssize_t>(poses.size()), py::ssize_t{4}, py::ssize_t{4}});
  for (std::size_t i = 0; i < poses.size(); ++i)
    write_matrix(poses[i], made.mutable_data() + 16 * i);
  return made;
}

py::array_t<double> array_of(const Vec3& vector) {
  py::array_t<double> made(3);
  std::memcpy(made.mutable_data(), vector.data(), 3 * sizeof(double));
  return made;
}

py::array_t<double> array_of(const std::vector<Vec3>& vectors) {
  py::array_t<double> made({static_cast<py::ssize_t>(vectors.size()), py::ssize_t{3}});
  if (!vectors.empty())
    std::memcpy(made.mutable_data(), vectors.front().data(), 3 * sizeof(double) * vectors.size());
  return made;
}

std::int64_t number_of(Index index) {
  return index == kNone ? -1 : static_cast<std::int64_t>(index);
}

py::array_t<std::int64_t> numbers_of(std::span<const Index> indices) {
  py::array_t<std::int64_t> made(static_cast<py::ssize_t>(indices.size()));
  for (std::size_t i = 0; i < indices.size(); ++i) made.mutable_data()[i] = number_of(indices[i]);
  return made;
}

py::tuple bracket_of(const Bracket& bracket) {
  return py::make_tuple(bracket.lower, bracket.upper);
}

}  // namespace touche::python
