// SPDX-License-Identifier: Apache-2.0
// Poses and motions.
#include "poses.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>

#include "convert.h"
#include "exact.h"
#include "math/pose_bits.h"
#include "module.h"
#include "run.h"

namespace touche::python {
namespace {

std::string text_of(const Vec3& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x() + 0.0, x.y() + 0.0, x.z() + 0.0);
}

std::string repr(const Pose& pose) {
  const Pose::AxisAngle turn = pose.axis_angle();
  const std::string move = "translation=" + text_of(pose.translation());
  if (turn.angle == 0) return "Pose(" + move + ")";
  return fmt::format("Pose({}, axis={}, angle={:.6g})", move, text_of(turn.axis), turn.angle);
}

std::string repr(const Motion& motion) {
  if (motion.is_still()) return "<touche.Motion at " + repr(motion.pose(0)) + ">";
  return "<touche.Motion from " + repr(motion.pose(0)) + " to " + repr(motion.pose(1)) + ">";
}

Interpolation interpolation_of(const std::string& text) {
  if (text == "slerp") return Interpolation::slerp;
  if (text == "nlerp") return Interpolation::nlerp;
  throw InvalidInput("how: \"" + text + "\", expected \"slerp\" or \"nlerp\"");
}

bool is_w_first(const py::object& order) {
  if (order.is_none())
    throw py::type_error("order: it is missing, expected order=\"wxyz\" or order=\"xyzw\"");
  return order_of(order) == QuaternionOrder::wxyz;
}

Pose from_quaternion(const py::object& quaternion, const py::object& order,
                     const py::object& translation) {
  const py::array_t<double> q = numbers_of(quaternion, "quaternion");
  if (q.ndim() != 1 || q.size() != 4) throw InvalidInput("quaternion: expected four numbers");
  const Vec3 t = vector_of(translation, "translation", Vec3::Zero());
  const double* v = q.data();
  return is_w_first(order) ? Pose::from_quaternion(v[0], v[1], v[2], v[3], t)
                           : Pose::from_quaternion(v[3], v[0], v[1], v[2], t);
}

py::array_t<double> quaternion(const Pose& pose, const py::object& order) {
  const Eigen::Quaterniond q = pose.rotation();
  py::array_t<double> made(4);
  double* v = made.mutable_data();
  const bool w_first = is_w_first(order);
  v[w_first ? 0 : 3] = q.w();
  for (int k = 0; k < 3; ++k) v[w_first ? k + 1 : k] = q.vec()[k];
  return made;
}

py::array_t<double> apply(const Pose& pose, const py::object& points) {
  if (is_vector(points)) return array_of(pose * vector_of(points, "points"));
  std::vector<Vec3> moved = vectors_of(points, "points");
  for (Vec3& x : moved) x = pose * x;
  return array_of(moved);
}

py::tuple numbers(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  const Vec3& t = pose.translation();
  return py::make_tuple(q.w(), q.x(), q.y(), q.z(), t.x(), t.y(), t.z());
}

Pose of_numbers(const py::tuple& v) {
  const auto n = [&](std::size_t i) { return v[i].cast<double>(); };
  const Eigen::Quaterniond q(n(0), n(1), n(2), n(3));
  const Vec3 t(n(4), n(5), n(6));
  const bool is_unit = std::abs(q.squaredNorm() - 1) < 1e-14 && q.w() >= 0;
  return is_unit ? PoseBits::make(q, t) : Pose::from_quaternion_unchecked(q, t);
}

// None is no factor, although it is a pose.
Pose factor_of(const py::object& value) {
  if (value.is_none()) throw py::type_error("factor: expected a Pose, found None");
  return pose_of(value, "factor");
}

Pose times(const Pose& a, const py::object& b) { return a * factor_of(b); }
Pose times_from_left(const Pose& b, const py::object& a) { return factor_of(a) * b; }

bool equal(const Pose& a, const py::object& other) {
  if (!py::isinstance<Pose>(other)) return false;
  const Pose& b = other.cast<const Pose&>();
  return a.rotation().coeffs() == b.rotation().coeffs() && a.translation() == b.translation();
}

// ---- motions ----------------------------------------------------------------------------------

template <class... Arguments>
MadeMotion made(Motion motion, const char* by, Arguments&&... arguments) {
  return {std::move(motion), py::make_tuple(by, std::forward<Arguments>(arguments)...)};
}

py::list list_of(const std::vector<Pose>& poses) {
  py::list list;
  for (const Pose& pose : poses) list.append(pose);
  return list;
}

MadeMotion at(const py::object& pose) {
  const Pose given = pose_of(pose, "pose");
  return made(Motion::at(given), "at", given);
}

MadeMotion interpolated(const py::object& start, const py::object& end, const std::string& how) {
  const Pose from = pose_of(start, "start"), to = pose_of(end, "end");
  return made(Motion::interpolated(from, to, interpolation_of(how)), "interpolated", from, to, how);
}

MadeMotion screw(const py::object& start, const py::object& axis, double angle, double travel,
                 const py::object& point) {
  const Pose from = pose_of(start, "start");
  const Vec3 through = vector_of(point, "point", Vec3::Zero()), along = vector_of(axis, "axis");
  return made(Motion::screw(from, through, along, angle, travel), "screw", from, array_of(along),
              angle, travel, array_of(through));
}

MadeMotion through(const py::object& poses, const std::vector<double>& times,
                   const py::object& order, const std::string& how) {
  const std::vector<Pose> given = poses_of(poses, order_of(order), "poses");
  return made(Motion::through(given, times, interpolation_of(how)), "through", list_of(given),
              times, py::none(), how);
}

MadeMotion chain(const std::vector<py::object>& motions, const std::vector<double>& times) {
  std::vector<Motion> given;
  given.reserve(motions.size());
  py::list parts;
  for (const py::object& motion : motions) {
    given.push_back(motion_of(motion, "motions"));
    // An array could be changed later.
    if (py::isinstance<MadeMotion>(motion))
      parts.append(motion);
    else
      parts.append(given.back().pose(0));
  }
  return made(Motion::chain(given, times), "chain", parts, times);
}

MadeMotion function(const py::function& pose, double max_speed, double max_angular_speed,
                    const py::object& reference) {
  const Callback callback(pose);
  const Vec3 point = vector_of(reference, "reference", Vec3::Zero());
  return made(Motion::function(
                  [callback](double t) {
                    return callback([&](const py::function& call) {
                      return pose_of(call(t), "the pose that the motion's function returned");
                    });
                  },
                  max_speed, max_angular_speed, point),
              "function", pose, max_speed, max_angular_speed, array_of(point));
}

py::array_t<double> poses(const MadeMotion& motion, const std::vector<double>& times) {
  std::vector<Pose> at_times;
  {
    const Unlocked unlocked;
    at_times.reserve(times.size());
    for (const double t : times) at_times.push_back(motion.pose(t));
  }
  return matrices_of(at_times);
}

}  // namespace

py::object object_of(const Motion& motion) { return py::cast(MadeMotion(motion, py::none())); }

void add_poses(py::module_& m) {
  py::class_<Pose>(m, "Pose", R"(A rigid placement: x_world = R x_body + t. It is immutable.

Wherever a pose is expected, a matrix of shape (4, 4) or (3, 4), a rotation of SciPy, or None for
the identity is taken, too.

>>> import touche
>>> pose = touche.Pose.from_axis_angle((0, 0, 1), 0.5, translation=(1, 0, 0))
>>> pose
Pose(translation=(1, 0, 0), axis=(0, 0, 1), angle=0.5)
>>> pose.matrix.shape
(4, 4)
)")
      .def(py::init([](const py::object& matrix) { return pose_of(matrix, "matrix"); }),
           py::arg("matrix") = py::none(),
           "The identity, or the pose of a matrix of shape (4, 4) or (3, 4). InvalidInput is "
           "raised unless its rotation is orthonormal within 1e-3; the nearest one is taken.")
      .def_static("from_quaternion", &from_quaternion, py::arg("quaternion"), py::kw_only(),
                  py::arg("order") = py::none(), py::arg("translation") = py::none(),
                  "A quaternion of length 1 within 1e-3. Its order must be named: \"wxyz\" or "
                  "\"xyzw\".")
      .def_static(
          "from_axis_angle",
          [](const py::object& axis, double angle, const py::object& translation) {
            return Pose::from_axis_angle(vector_of(axis, "axis"), angle,
                                         vector_of(translation, "translation", Vec3::Zero()));
          },
          py::arg("axis"), py::arg("angle"), py::arg("translation") = py::none(),
          "Turned by an angle in radians about an axis of any length except 0.")
      .def_static(
          "from_rotation",
          [](const py::object& rotation, const py::object& translation) {
            const Pose turned = rotation_of(rotation, "rotation");
            const Vec3 t = vector_of(translation, "translation", Vec3::Zero());
            return Pose::from_translation(t) * turned;
          },
          py::arg("rotation"), py::arg("translation") = py::none(),
          "Of a matrix R (3, 3) or a rotation of SciPy, and a translation t (3,).")
      .def_static(
          "from_translation",
          [](const py::object& t) { return Pose::from_translation(vector_of(t, "translation")); },
          py::arg("translation"), "Moved by (3,), and not turned.")
      .def_property_readonly("matrix", &matrix_of, "(4, 4), float64; a new array.")
      .def_property_readonly(
          "translation", [](const Pose& pose) { return array_of(pose.translation()); },
          "(3,), float64; a new array.")
      .def("quaternion", &quaternion, py::kw_only(), py::arg("order") = py::none(),
           "(4,), of unit length, in the order \"wxyz\" or \"xyzw\"; w is at least 0.")
      .def("inverse", &Pose::inverse, "The pose with pose * pose.inverse() the identity.")
      .def("__mul__", &times, "Applies the right one first: a Pose, or what is taken for one.")
      .def("__rmul__", &times_from_left)
      .def("__matmul__", &times)
      .def("__rmatmul__", &times_from_left)
      .def("apply", &apply, py::arg("points"),
           "Points of shape (n, 3), or one (3,), moved from the body to the world.")
      .def("__eq__", &equal)
      .def("__hash__", [](const Pose& pose) { return py::hash(numbers(pose)); })
      .def(
          "__array__",
          [](const Pose& pose, const py::object& dtype, const py::object& copy) -> py::object {
            if (py::isinstance<py::bool_>(copy) && !copy.cast<bool>())
              throw py::value_error("copy: the matrix of a Pose is a new array");
            const py::array_t<double> matrix = matrix_of(pose);
            return dtype.is_none() ? py::object(matrix) : matrix.attr("astype")(dtype);
          },
          py::arg("dtype") = py::none(), py::arg("copy") = py::none())
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::object&) { return self; })
      .def("__repr__", [](const Pose& pose) { return repr(pose); })
      .def(py::pickle(&numbers, &of_numbers));
  m.def("_numbers", [](const py::object& value, const std::string& name) {
    return numbers_of(value, name.c_str());
  });
  // NumPy's operators would work on the numbers of the matrix one by one.
  m.attr("Pose").attr("__array_ufunc__") = py::none();
  exact_types.pose = reinterpret_cast<PyTypeObject*>(m.attr("Pose").ptr());

  py::class_<MadeMotion>(m, "Motion", R"(A pose as a function of t in [0, 1]. It is immutable.

Wherever a motion is expected, a pose is taken, too: then the body stands still.

>>> import touche
>>> motion = touche.Motion.interpolated(None, touche.Pose.from_translation((0, 0, 1)))
>>> float(motion.pose(0.5).translation[2])
0.5
)")
      .def_static("at", &at, py::arg("pose") = py::none(), "Stands still.")
      .def_static("interpolated", &interpolated, py::arg("start"), py::arg("end"),
                  py::arg("how") = "slerp",
                  "From a pose to another one. The origin moves on a straight line; how: \"slerp\" "
                  "turns at a constant speed, \"nlerp\" interpolates quaternions.")
      .def_static("screw", &screw, py::arg("start"), py::arg("axis"), py::arg("angle"),
                  py::arg("travel") = 0.0, py::arg("point") = py::none(),
                  "Turns by an angle in radians, of any size, about the axis (3,) through a point "
                  "(3,) of the world, by default the origin, and advances along it.")
      .def_static("through", &through, py::arg("poses"), py::arg("times") = std::vector<double>(),
                  py::kw_only(), py::arg("order") = py::none(), py::arg("how") = "slerp",
                  "Through poses of shape (n, 4, 4), or (n, 7) with an order of quaternions. Times "
                  "(n,) increase from 0 to 1; without them the steps are equal.")
      .def_static("chain", &chain, py::arg("motions"), py::arg("times") = std::vector<double>(),
                  "One motion after the other; each must start where the one before ended, which "
                  "is not checked. One time more than motions, increasing from 0 to 1.")
      .def_static("function", &function, py::arg("pose"), py::arg("max_speed"),
                  py::arg("max_angular_speed"), py::arg("reference") = py::none(),
                  "A function of t that returns a pose. You promise that the body point "
                  "`reference` moves no faster than max_speed, and that the body turns no faster "
                  "than max_angular_speed (radians), both per unit of t: proofs hold only if this "
                  "is so. What the function raises ends the query.")
      .def(
          "pose",
          [](const MadeMotion& motion, double t) {
            const Unlocked unlocked;
            return motion.pose(t);
          },
          py::arg("t"), "At t, which is clamped to [0, 1].")
      .def("poses", &poses, py::arg("times"), "(n, 4, 4) at times (n,).")
      .def(
          "part",
          [](const MadeMotion& motion, double t0, double t1) {
            return made(motion.part(t0, t1), "part", motion, t0, t1);
          },
          py::arg("t0"), py::arg("t1"), "The part between t0 < t1, stretched to [0, 1].")
      .def(
          "reversed",
          [](const MadeMotion& motion) { return made(motion.reversed(), "reversed", motion); },
          "Backwards.")
      .def(
          "carrying",
          [](const MadeMotion& motion, const py::object& offset) {
            const Pose given = pose_of(offset, "offset");
            return made(motion.carrying(given), "carrying", motion, given);
          },
          py::arg("offset"), "Of a body that is attached to this one at a relative pose.")
      .def_property_readonly("is_still", &Motion::is_still, "Whether it stands still.")
      .def("__copy__", [](const py::object& self) { return self; })
      .def("__deepcopy__", [](const py::object& self, const py::object&) { return self; })
      .def_property_readonly("_recipe", [](const MadeMotion& motion) { return motion.recipe; })
      .def("__repr__", [](const MadeMotion& motion) {
        const Unlocked unlocked;
        return repr(motion);
      });
}

}  // namespace touche::python
