// SPDX-License-Identifier: Apache-2.0
#include "convert.h"

#include <cmath>
#include <cstring>

namespace touche::python {
namespace {

std::string shape_text(const py::array& array) {
  std::string text = "(";
  for (py::ssize_t i = 0; i < array.ndim(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(array.shape(i));
  return text + (array.ndim() == 1 ? ",)" : ")");
}

[[noreturn]] void fail(const char* what, const std::string& reason) {
  throw InvalidInput(std::string(what) + ": " + reason);
}

// As numpy sees it. Lists are converted.
py::array as_array(py::handle value, const char* what) {
  py::array array = py::array::ensure(value);
  if (!array) {
    PyErr_Clear();
    fail(what, "expected an array, found " + std::string(py::str(py::type::handle_of(value))));
  }
  return array;
}

bool is_of(const py::array& array, const char* kinds) {
  return std::strchr(kinds, array.dtype().kind()) != nullptr;
}

py::array_t<double> numbers_of(const py::array& array, const char* what) {
  if (!is_of(array, "fiu"))
    fail(what, "numbers expected, found dtype " + std::string(py::str(array.dtype())));
  using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
  Doubles doubles = Doubles::ensure(array);
  if (!doubles) {
    PyErr_Clear();
    fail(what, "it cannot be converted to float64");
  }
  return doubles;
}

Pose of_rows(const double* m, bool whole, const char* what) {
  if (whole && !(m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1))
    fail(what, "the last row of a pose's matrix must be 0, 0, 0, 1");
  Mat3 rotation;
  Vec3 translation;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) rotation(r, c) = m[4 * r + c];
    translation[r] = m[4 * r + 3];
  }
  try {
    return Pose::from_matrix(rotation, translation);
  } catch (const InvalidInput& e) {
    fail(what, e.what());
  }
}

Pose of_seven(const double* v, QuaternionOrder order, const char* what) {
  const bool w_first = order == QuaternionOrder::wxyz;
  const double* q = v + 3;
  try {
    return w_first ? Pose::from_quaternion(q[0], q[1], q[2], q[3], {v[0], v[1], v[2]})
                   : Pose::from_quaternion(q[3], q[0], q[1], q[2], {v[0], v[1], v[2]});
  } catch (const InvalidInput& e) {
    fail(what, e.what());
  }
}

std::string at(const char* what, std::size_t i) {
  return std::string(what) + "[" + std::to_string(i) + "]";
}

bool is_sequence_of_poses(py::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) return false;
  const auto sequence = py::reinterpret_borrow<py::sequence>(value);
  return py::len(sequence) > 0 && py::isinstance<Pose>(sequence[0]);
}

// The numbers of vertices, which must be below `count`.
std::vector<Index> corners_of(const py::array& faces, std::size_t count) {
  if (!is_of(faces, "iu"))
    fail("faces", "vertex numbers expected, found dtype " + std::string(py::str(faces.dtype())));
  const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> numbers(faces);
  std::vector<Index> corners(static_cast<std::size_t>(numbers.size()));
  const std::int64_t* data = numbers.data();
  const std::size_t width = faces.ndim() == 2 ? static_cast<std::size_t>(faces.shape(1)) : 1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (data[i] < 0 || static_cast<std::uint64_t>(data[i]) >= count)
      fail(at("faces", i / width).c_str(), "vertex " + std::to_string(data[i]) +
                                               ", expected a number from 0 to below " +
                                               std::to_string(count));
    corners[i] = static_cast<Index>(data[i]);
  }
  return corners;
}

}  // namespace

QuaternionOrder order_of(const py::object& text) {
  if (text.is_none()) return QuaternionOrder::none;
  const std::string order = py::str(text);
  if (order == "wxyz") return QuaternionOrder::wxyz;
  if (order == "xyzw") return QuaternionOrder::xyzw;
  fail("order", "\"" + order + "\", expected \"wxyz\" or \"xyzw\"");
}

Vec3 vector_of(py::handle value, const char* what) {
  const py::array array = as_array(value, what);
  if (array.size() != 3 || array.ndim() != 1)
    fail(what, "shape " + shape_text(array) + ", expected (3,)");
  const py::array_t<double> numbers = numbers_of(array, what);
  const double* x = numbers.data();
  if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
    fail(what, "its coordinates must be finite");
  return {x[0], x[1], x[2]};
}

py::array_t<double> rows_of_three(py::handle value, const char* what) {
  const py::array array = as_array(value, what);
  if (array.ndim() != 2 || array.shape(1) != 3)
    fail(what, "shape " + shape_text(array) + ", expected (n, 3)");
  return numbers_of(array, what);
}

Pose pose_of(py::handle value, const char* what) {
  if (value.is_none()) return {};
  if (py::isinstance<Pose>(value)) return value.cast<const Pose&>();
  if (py::hasattr(value, "as_matrix")) {
    const py::array array = as_array(value.attr("as_matrix")(), what);
    if (array.ndim() == 2 && array.shape(0) == 3 && array.shape(1) == 3) {
      const py::array_t<double> numbers = numbers_of(array, what);
      Mat3 rotation;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) rotation(r, c) = numbers.at(r, c);
      return Pose::from_matrix(rotation, Vec3::Zero());
    }
    return pose_of(array, what);
  }
  const py::array array = as_array(value, what);
  if (array.ndim() != 2 || array.shape(1) != 4 || (array.shape(0) != 4 && array.shape(0) != 3))
    fail(what, "shape " + shape_text(array) + ", expected a Pose or (4, 4)");
  const py::array_t<double> numbers = numbers_of(array, what);
  return of_rows(numbers.data(), array.shape(0) == 4, what);
}

std::vector<Pose> poses_of(py::handle value, QuaternionOrder order, const char* what) {
  std::vector<Pose> poses;
  if (is_sequence_of_poses(value)) {
    const auto sequence = py::reinterpret_borrow<py::sequence>(value);
    poses.reserve(py::len(sequence));
    for (std::size_t i = 0; i < py::len(sequence); ++i)
      poses.push_back(pose_of(sequence[i], at(what, i).c_str()));
    return poses;
  }
  const py::array array = as_array(value, what);
  const bool matrices =
      array.ndim() == 3 && array.shape(2) == 4 && (array.shape(1) == 4 || array.shape(1) == 3);
  const bool sevens = array.ndim() == 2 && array.shape(1) == 7;
  if (sevens && order == QuaternionOrder::none)
    fail(what,
         "seven numbers for each pose are a translation and a quaternion: name its order, "
         "order=\"wxyz\" or order=\"xyzw\"");
  if (!matrices && !sevens)
    fail(what, "shape " + shape_text(array) + ", expected (n, 4, 4), or (n, 7) with an order");
  if (matrices && order != QuaternionOrder::none)
    fail("order", "it is for quaternions, and the poses are matrices");
  const py::array_t<double> numbers = numbers_of(array, what);
  const auto count = static_cast<std::size_t>(array.shape(0));
  const std::size_t stride = sevens ? 7 : static_cast<std::size_t>(4 * array.shape(1));
  poses.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double* data = numbers.data() + i * stride;
    try {
      poses.push_back(sevens ? of_seven(data, order, what) : of_rows(data, stride == 16, what));
    } catch (const InvalidInput&) {
      const std::string where = at(what, i);
      if (sevens)
        (void)of_seven(data, order, where.c_str());
      else
        (void)of_rows(data, stride == 16, where.c_str());
    }
  }
  return poses;
}

PolygonSoup soup_of(py::handle vertices, py::handle faces, py::handle face_sizes) {
  const py::array_t<double> coordinates = rows_of_three(vertices, "vertices");
  const auto count = static_cast<std::size_t>(coordinates.shape(0));
  const py::array array = as_array(faces, "faces");
  std::vector<Index> sizes;
  if (face_sizes.is_none()) {
    if (array.ndim() != 2 || array.shape(1) < 3)
      fail("faces", "shape " + shape_text(array) +
                        ", expected (m, 3), or (m, k) for faces of k corners; face_sizes goes with "
                        "one list of vertex numbers");
    if (array.shape(1) > 3)
      sizes.assign(static_cast<std::size_t>(array.shape(0)), static_cast<Index>(array.shape(1)));
  } else {
    const py::array given = as_array(face_sizes, "face_sizes");
    if (array.ndim() != 1 || given.ndim() != 1 || !is_of(given, "iu"))
      fail("face_sizes", "expected a list of numbers of corners, and faces as one list");
    const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> numbers(given);
    std::int64_t sum = 0;
    for (py::ssize_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t size = numbers.data()[i];
      if (size < 3 || size > array.size())
        fail(at("face_sizes", static_cast<std::size_t>(i)).c_str(),
             std::to_string(size) + " corners, expected 3 or more");
      sizes.push_back(static_cast<Index>(size));
      sum += size;
    }
    if (sum != array.size())
      fail("face_sizes", "they add up to " + std::to_string(sum) + " corners, and faces has " +
                             std::to_string(array.size()));
  }
  const std::vector<Index> corners = corners_of(array, count);
  return PolygonSoup({coordinates.data(), static_cast<std::size_t>(coordinates.size())}, corners,
                     sizes);
}

py::array vectors_view(std::span<const Vec3> vectors, py::handle owner) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const double* data = vectors.empty() ? nullptr : vectors.front().data();
  py::array_t<double> view({static_cast<py::ssize_t>(vectors.size()), py::ssize_t{3}}, data, owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

py::array triangles_view(std::span<const std::array<Index, 3>> triangles, py::handle owner) {
  const Index* data = triangles.empty() ? nullptr : triangles.front().data();
  py::array_t<Index> view({static_cast<py::ssize_t>(triangles.size()), py::ssize_t{3}}, data,
                          owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

py::array_t<double> matrix_of(const Pose& pose) {
  py::array_t<double> made({4, 4});
  double* m = made.mutable_data();
  const Mat3 rotation = pose.matrix();
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m[4 * r + c] = rotation(r, c);
    m[4 * r + 3] = pose.translation()[r];
  }
  m[12] = m[13] = m[14] = 0;
  m[15] = 1;
  return made;
}

py::array_t<double> array_of(const Vec3& vector) {
  py::array_t<double> made(3);
  std::memcpy(made.mutable_data(), vector.data(), 3 * sizeof(double));
  return made;
}

}  // namespace touche::python
