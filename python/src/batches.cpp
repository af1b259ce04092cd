// SPDX-License-Identifier: Apache-2.0
// Queries of one pair of bodies at many poses of the second one: arrays in, arrays out.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bodies.h"
#include "convert.h"
#include "interruptible.h"
#include "module.h"
#include "touche/shape.h"

namespace touche::python {
namespace {

struct IntersectsRow {
  bool intersects, decided;
  std::int64_t face_a, face_b;
};
struct DistanceRow {
  double lower, upper;
  bool decided;
  std::int64_t face_a, face_b;
  std::array<double, 3> point_a, point_b, normal;
};

std::int64_t number_of(Index face) { return face == kNone ? -1 : static_cast<std::int64_t>(face); }
std::array<double, 3> numbers(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

py::array_t<IntersectsRow> ask_intersects(const Body& a, const Body& b, const py::object& poses_b,
                                          const py::object& pose_a, const py::object& order,
                                          int threads) {
  const Pose at_a = pose_of(pose_a, "pose_a");
  const std::vector<Pose> poses = poses_of(poses_b, order_of(order), "poses_b");
  const auto result = in_thread({}, [&](const Budget& budget) {
    return intersects_at(a.shape, at_a, b.shape, poses, {.threads = threads, .budget = budget});
  });
  py::array_t<IntersectsRow> rows(static_cast<py::ssize_t>(poses.size()));
  IntersectsRow* row = rows.mutable_data();
  for (const IntersectsResult& r : result.answers)
    *row++ = {r.intersects, r.intersects || r.complete, number_of(r.face_a), number_of(r.face_b)};
  return rows;
}

py::array_t<DistanceRow> ask_distances(const Body& a, const Body& b, const py::object& poses_b,
                                       const py::object& pose_a, const py::object& order,
                                       double max_distance, double relative_error,
                                       double absolute_error, int threads) {
  const Pose at_a = pose_of(pose_a, "pose_a");
  const std::vector<Pose> poses = poses_of(poses_b, order_of(order), "poses_b");
  const DistanceOptions options{.max_distance = max_distance,
                                .relative_error = relative_error,
                                .absolute_error = absolute_error};
  const auto result = in_thread({}, [&](const Budget& budget) {
    return distances_at(a.shape, at_a, b.shape, poses, options,
                        {.threads = threads, .budget = budget});
  });
  py::array_t<DistanceRow> rows(static_cast<py::ssize_t>(poses.size()));
  DistanceRow* row = rows.mutable_data();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const DistanceResult& r : result.answers) {
    const Contact c = r.closest.value_or(Contact{});
    const std::array<double, 3> none = {kNan, kNan, kNan};
    *row++ = {r.distance.lower,
              r.distance.upper,
              r.complete,
              number_of(c.face_a),
              number_of(c.face_b),
              r.closest ? numbers(c.point_a) : none,
              r.closest ? numbers(c.point_b) : none,
              r.closest ? numbers(c.normal) : none};
  }
  return rows;
}

}  // namespace

void add_batches(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(IntersectsRow, intersects, decided, face_a, face_b);
  PYBIND11_NUMPY_DTYPE(DistanceRow, lower, upper, decided, face_a, face_b, point_a, point_b,
                       normal);
  m.def("intersects_many", &ask_intersects, py::arg("a"), py::arg("b"), py::arg("poses_b"),
        py::arg("pose_a") = py::none(), py::kw_only(), py::arg("order") = py::none(),
        py::arg("threads") = 0,
        R"(Whether a and b have a point in common, for b at each of n poses.

poses_b: (n, 4, 4), or (n, 7) with order="wxyz" or "xyzw": translation, then quaternion. Returns a
structured array of (n,) with intersects, decided, face_a, face_b; a face is -1 where there is none.

>>> import numpy, touche
>>> ball = touche.Shape.sphere(1)
>>> poses = numpy.tile(numpy.eye(4), (3, 1, 1))
>>> poses[:, 0, 3] = [0, 1, 4]
>>> touche.intersects_many(ball, ball, poses)["intersects"].tolist()
[True, True, False])");
  m.def("distance_many", &ask_distances, py::arg("a"), py::arg("b"), py::arg("poses_b"),
        py::arg("pose_a") = py::none(), py::kw_only(), py::arg("order") = py::none(),
        py::arg("max_distance") = kInfinity, py::arg("relative_error") = 0.0,
        py::arg("absolute_error") = 0.0, py::arg("threads") = 0,
        R"(The distance of a and b for b at each of n poses, as a structured array of (n,).

Its fields: lower, upper, decided, face_a, face_b, and point_a, point_b, normal of (3,), which are
NaN where no points are known.)");
}

}  // namespace touche::python
