// SPDX-License-Identifier: Apache-2.0
// Poses and motions.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "convert.h"
#include "module.h"
#include "touche/motion.h"

namespace touche::python {
namespace {

std::string text_of(const Vec3& x) { return fmt::format("({}, {}, {})", x.x(), x.y(), x.z()); }

std::string repr(const Pose& pose) {
  const Pose::AxisAngle turn = pose.axis_angle();
  return fmt::format("Pose(translation={}, axis={}, angle={})", text_of(pose.translation()),
                     text_of(turn.axis), turn.angle);
}

Interpolation interpolation_of(const std::string& text) {
  if (text == "slerp") return Interpolation::slerp;
  if (text == "nlerp") return Interpolation::nlerp;
  throw InvalidInput("how: \"" + text + "\", expected \"slerp\" or \"nlerp\"");
}

Pose from_quaternion(const py::object& quaternion, const std::string& order,
                     const py::object& translation) {
  const py::array_t<double> q(py::array::ensure(quaternion));
  if (q.ndim() != 1 || q.size() != 4) throw InvalidInput("quaternion: expected four numbers");
  const Vec3 t = translation.is_none() ? Vec3(Vec3::Zero()) : vector_of(translation, "translation");
  const double* v = q.data();
  return order_of(py::str(order)) == QuaternionOrder::wxyz
             ? Pose::from_quaternion(v[0], v[1], v[2], v[3], t)
             : Pose::from_quaternion(v[3], v[0], v[1], v[2], t);
}

// Threads of a query take turns: the function runs with the lock of the interpreter.
Motion function(py::function pose, double max_speed, double max_angular_speed,
                const py::object& reference) {
  // The last copy may end in a thread that does not have the lock.
  const std::shared_ptr<py::function> kept(new py::function(std::move(pose)), [](py::function* f) {
    const py::gil_scoped_acquire acquired;
    delete f;
  });
  return Motion::function(
      [kept](double t) {
        const py::gil_scoped_acquire acquired;
        return pose_of((*kept)(t), "the pose of the motion");
      },
      max_speed, max_angular_speed,
      reference.is_none() ? Vec3(Vec3::Zero()) : vector_of(reference, "reference"));
}

}  // namespace

void add_poses(py::module_& m) {
  py::class_<Pose>(m, "Pose", R"(A rigid placement: x' = R x + t.

Wherever a pose is expected, a 4×4 matrix, a rotation of scipy, or None for the identity is taken, too.

>>> import touche
>>> pose = touche.Pose.from_axis_angle((0, 0, 1), 0.5, translation=(1, 0, 0))
>>> pose.matrix.shape
(4, 4)
)")
      .def(py::init([](const py::object& matrix) { return pose_of(matrix, "matrix"); }),
           py::arg("matrix") = py::none(),
           "The identity, or the pose of a 4×4 or 3×4 matrix, orthonormal within 1e-3.")
      .def_static("from_quaternion", &from_quaternion, py::arg("quaternion"), py::kw_only(),
                  py::arg("order"), py::arg("translation") = py::none(),
                  "A quaternion of length 1 within 1e-3, of order \"wxyz\" or \"xyzw\".")
      .def_static(
          "from_axis_angle",
          [](const py::object& axis, double angle, const py::object& translation) {
            return Pose::from_axis_angle(
                vector_of(axis, "axis"), angle,
                translation.is_none() ? Vec3(Vec3::Zero()) : vector_of(translation, "translation"));
          },
          py::arg("axis"), py::arg("angle"), py::arg("translation") = py::none(),
          "Turned by an angle in radians about an axis of any length.")
      .def_static(
          "from_translation",
          [](const py::object& t) { return Pose::from_translation(vector_of(t, "translation")); },
          py::arg("translation"))
      .def_property_readonly("matrix", &matrix_of, "4×4, float64.")
      .def_property_readonly("translation",
                             [](const Pose& pose) { return array_of(pose.translation()); })
      .def(
          "quaternion",
          [](const Pose& pose, const std::string& order) {
            const Eigen::Quaterniond q = pose.rotation();
            py::array_t<double> made(4);
            double* v = made.mutable_data();
            const int w = order_of(py::str(order)) == QuaternionOrder::wxyz ? 0 : 3;
            const int x = w == 0 ? 1 : 0;
            v[w] = q.w(), v[x] = q.x(), v[x + 1] = q.y(), v[x + 2] = q.z();
            return made;
          },
          py::kw_only(), py::arg("order"), "Four numbers in the order \"wxyz\" or \"xyzw\".")
      .def("inverse", &Pose::inverse)
      .def("__mul__", [](const Pose& a, const Pose& b) { return a * b; })
      .def("__matmul__", [](const Pose& a, const Pose& b) { return a * b; })
      .def(
          "apply",
          [](const Pose& pose, const py::object& points) {
            const py::array_t<double> given = rows_of_three(points, "points");
            py::array_t<double> moved({given.shape(0), py::ssize_t{3}});
            for (py::ssize_t i = 0; i < given.shape(0); ++i) {
              const double* p = given.data() + 3 * i;
              const Vec3 x = pose * Vec3(p[0], p[1], p[2]);
              std::copy(x.data(), x.data() + 3, moved.mutable_data() + 3 * i);
            }
            return moved;
          },
          py::arg("points"), "Points of shape (n, 3), moved.")
      .def("__eq__",
           [](const Pose& a, const py::object& other) {
             if (!py::isinstance<Pose>(other)) return false;
             const Pose& b = other.cast<const Pose&>();
             return a.rotation().coeffs() == b.rotation().coeffs() &&
                    a.translation() == b.translation();
           })
      .def("__hash__",
           [](const Pose& pose) {
             const Eigen::Quaterniond q = pose.rotation();
             const Vec3& t = pose.translation();
             return py::hash(py::make_tuple(q.w(), q.x(), q.y(), q.z(), t.x(), t.y(), t.z()));
           })
      .def("__repr__", &repr)
      .def(py::pickle(
          [](const Pose& pose) {
            const Eigen::Quaterniond q = pose.rotation();
            const Vec3& t = pose.translation();
            return py::make_tuple(q.w(), q.x(), q.y(), q.z(), t.x(), t.y(), t.z());
          },
          [](const py::tuple& v) {
            const auto n = [&](int i) { return v[static_cast<std::size_t>(i)].cast<double>(); };
            return Pose::from_quaternion_unchecked(n(0), n(1), n(2), n(3), {n(4), n(5), n(6)});
          }));

  py::class_<Motion>(m, "Motion", R"(A pose as a function of t in [0, 1].

>>> import touche
>>> motion = touche.Motion.interpolated(None, touche.Pose.from_translation((0, 0, 1)))
>>> motion.pose(0.5).translation[2]
0.5
)")
      .def_static(
          "at", [](const py::object& pose) { return Motion::at(pose_of(pose, "pose")); },
          py::arg("pose") = py::none(), "Stands still.")
      .def_static(
          "interpolated",
          [](const py::object& start, const py::object& end, const std::string& how) {
            return Motion::interpolated(pose_of(start, "start"), pose_of(end, "end"),
                                        interpolation_of(how));
          },
          py::arg("start"), py::arg("end"), py::arg("how") = "slerp",
          "The origin moves on a straight line; how: \"slerp\" or \"nlerp\".")
      .def_static(
          "screw",
          [](const py::object& start, const py::object& point, const py::object& axis, double angle,
             double travel) {
            return Motion::screw(pose_of(start, "start"), vector_of(point, "point"),
                                 vector_of(axis, "axis"), angle, travel);
          },
          py::arg("start"), py::arg("point"), py::arg("axis"), py::arg("angle"),
          py::arg("travel") = 0.0,
          "Turns by an angle in radians about the axis through a point, and advances along it.")
      .def_static(
          "through",
          [](const py::object& poses, const std::vector<double>& times, const py::object& order,
             const std::string& how) {
            return Motion::through(poses_of(poses, order_of(order), "poses"), times,
                                   interpolation_of(how));
          },
          py::arg("poses"), py::arg("times") = std::vector<double>(), py::kw_only(),
          py::arg("order") = py::none(), py::arg("how") = "slerp",
          "Through poses of shape (n, 4, 4), or (n, 7) with an order of quaternions; times "
          "increase "
          "from 0 to 1.")
      .def_static("function", &function, py::arg("pose"), py::arg("max_speed"),
                  py::arg("max_angular_speed"), py::arg("reference") = py::none(),
                  "A function of t that returns a pose. The body point `reference` moves no faster "
                  "than max_speed, and the body turns no faster than max_angular_speed, both per "
                  "unit of t: proofs hold only if this is so.")
      .def(
          "pose",
          [](const Motion& motion, double t) {
            const py::gil_scoped_release released;
            return motion.pose(t);
          },
          py::arg("t"))
      .def("part", &Motion::part, py::arg("t0"), py::arg("t1"))
      .def("reversed", &Motion::reversed)
      .def("__repr__", [](const Motion& motion) {
        if (motion.is_still()) return std::string("Motion.at(") + repr(motion.pose(0)) + ")";
        return "<Motion from " + repr(motion.pose(0)) + " to " + repr(motion.pose(1)) + ">";
      });
}

}  // namespace touche::python
