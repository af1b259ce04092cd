// SPDX-License-Identifier: Apache-2.0
// Queries of one pair of bodies at many poses of the second one, and of many pairs of motions:
// arrays in, arrays out.
#include <pybind11/pybind11.h>

#include <cmath>

#include "bodies.h"
#include "convert.h"
#include "module.h"
#include "results.h"
#include "run.h"
#include "touche/batch.h"
#include "touche/shape.h"

namespace touche::python {
namespace {

struct IntersectsRow {
  bool intersects, complete;
  std::int64_t face_a, face_b;
};
struct DistanceRow {
  double lower, upper;
  bool complete;
  std::int64_t face_a, face_b;
  Three point_a, point_b, normal;
};
struct TimeRow {
  std::int8_t status;
  double lower, upper;
  std::int64_t face_a, face_b;
  Three point_a, point_b, normal;
};

// What a row has of a contact; NaN for numbers of none.
template <class Row>
void set_contact(Row& row, const std::optional<Contact>& contact) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr Three kNone3 = {kNan, kNan, kNan};
  row.face_a = contact ? number_of(contact->face_a) : -1;
  row.face_b = contact ? number_of(contact->face_b) : -1;
  row.point_a = contact ? three_of(contact->point_a) : kNone3;
  row.point_b = contact ? three_of(contact->point_b) : kNone3;
  row.normal = contact ? three_of(contact->normal) : kNone3;
}

py::array_t<IntersectsRow> ask_intersects(const py::object& a, const py::object& pose_a,
                                          const py::object& b, const py::object& poses_b,
                                          const py::object& order, int threads,
                                          const py::object& timeout, const py::object& progress) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Pose at_a = pose_of(pose_a, "pose_a");
  const std::vector<Pose> poses = poses_of(poses_b, order_of(order), "poses_b");
  py::array_t<IntersectsRow> rows = zeroed<IntersectsRow>(poses.size());
  IntersectsRow* row = rows.mutable_data();
  run_in_thread(budget_of(py::none(), timeout, progress), [&](const Budget& budget) {
    const auto result = intersects_at(body_a.shape, at_a, body_b.shape, poses,
                                      {.threads = checked_threads(threads), .budget = budget});
    for (const IntersectsResult& r : result.answers) {
      row->intersects = r.intersects;
      row->complete = r.intersects || r.complete;
      row->face_a = number_of(r.face_a);
      row->face_b = number_of(r.face_b);
      ++row;
    }
  });
  return rows;
}

py::array_t<DistanceRow> ask_distances(const py::object& a, const py::object& pose_a,
                                       const py::object& b, const py::object& poses_b,
                                       const py::object& order, double max_distance,
                                       double stop_below, double relative_error,
                                       double absolute_error, int threads,
                                       const py::object& timeout, const py::object& progress) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Pose at_a = pose_of(pose_a, "pose_a");
  const std::vector<Pose> poses = poses_of(poses_b, order_of(order), "poses_b");
  const DistanceOptions options{.max_distance = max_distance,
                                .stop_below = stop_below,
                                .relative_error = relative_error,
                                .absolute_error = absolute_error};
  py::array_t<DistanceRow> rows = zeroed<DistanceRow>(poses.size());
  DistanceRow* row = rows.mutable_data();
  run_in_thread(budget_of(py::none(), timeout, progress), [&](const Budget& budget) {
    const auto result = distances_at(body_a.shape, at_a, body_b.shape, poses, options,
                                     {.threads = checked_threads(threads), .budget = budget});
    for (const DistanceResult& r : result.answers) {
      row->lower = r.distance.lower;
      row->upper = r.distance.upper;
      row->complete = r.complete;
      set_contact(*row++, r.closest);
    }
  });
  return rows;
}

// Of b moving from each pose to the one of the same number.
py::array_t<TimeRow> ask_times(const py::object& a, const py::object& motion_a, const py::object& b,
                               const py::object& starts, const py::object& ends,
                               const py::object& order, double tolerance, double clearance,
                               int threads, const py::object& timeout, const py::object& progress) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Motion moves_a = motion_of(motion_a, "motion_a");
  const std::vector<Pose> from = poses_of(starts, order_of(order), "starts_b"),
                          to = poses_of(ends, order_of(order), "ends_b");
  if (from.size() != to.size())
    throw InvalidInput("ends_b: " + std::to_string(to.size()) + " poses, and starts_b has " +
                       std::to_string(from.size()));
  py::array_t<TimeRow> rows = zeroed<TimeRow>(from.size());
  TimeRow* const row = rows.mutable_data();
  for (std::size_t i = 0; i < from.size(); ++i) {
    row[i].status = 0, row[i].lower = 0, row[i].upper = kInfinity;
    set_contact(row[i], {});
  }
  run_in_thread(budget_of(py::none(), timeout, progress), [&](const Budget& budget) {
    ToiOptions options{.tolerance = tolerance, .clearance = clearance};
    options.budget.cancel = budget.cancel;
    options.budget.deadline = budget.deadline;
    const auto ask = [&](std::size_t i) {
      const ToiResult r = time_of_impact(body_a.shape, moves_a, body_b.shape,
                                         Motion::interpolated(from[i], to[i]), options);
      row[i].status = static_cast<std::int8_t>(r.status);
      row[i].lower = r.time.lower;
      row[i].upper = r.time.upper;
      set_contact(row[i], r.contact);
    };
    (void)for_each_in_parallel(from.size(), ask,
                               {.threads = checked_threads(threads), .budget = budget});
  });
  return rows;
}

constexpr const char* kBatch = R"(

Poses are (n, 4, 4), a sequence of Pose, or (n, 7) with order="wxyz" or "xyzw": a translation, then
a quaternion. The result is a structured array (n,), the same for any number of threads (0: all).
The timeout is in seconds. progress is called with (done, total). Ctrl-C ends the query with
KeyboardInterrupt.)";

}  // namespace

void add_batches(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(IntersectsRow, intersects, complete, face_a, face_b);
  PYBIND11_NUMPY_DTYPE(DistanceRow, lower, upper, complete, face_a, face_b, point_a, point_b,
                       normal);
  PYBIND11_NUMPY_DTYPE(TimeRow, status, lower, upper, face_a, face_b, point_a, point_b, normal);
  py::tuple statuses(names<ToiStatus>().size());
  for (std::size_t i = 0; i < statuses.size(); ++i)
    statuses[i] = std::string(names<ToiStatus>()[i]);
  m.attr("STATUSES") = statuses;
  py::options options;
  options.disable_function_signatures();  // the first lines of the texts
  const auto doc = [](const char* text) { return std::string(text) + kBatch; };
  m.def(
      "intersects_many", &ask_intersects, py::arg("a"), py::arg("pose_a"), py::arg("b"),
      py::arg("poses_b"), py::kw_only(), py::arg("order") = py::none(), py::arg("threads") = 0,
      py::arg("timeout") = py::none(), py::arg("progress") = py::none(),
      doc(R"(intersects_many(a, pose_a, b, poses_b, *, order=None, threads=0, timeout=None, progress=None)
--

Whether a and b have a point in common, for b at each of n poses.

Fields: intersects, complete, face_a, face_b; a face is -1 where there is none. Where `complete` is
False, the timeout left the pose out or rounding hides the answer: `intersects` is False there, too,
and proves nothing. Proved apart are the poses with hits["complete"] & ~hits["intersects"].

>>> import numpy, touche
>>> ball = touche.Shape.sphere(1)
>>> poses = numpy.tile(numpy.eye(4), (3, 1, 1))
>>> poses[:, 0, 3] = [0, 1, 4]
>>> touche.intersects_many(ball, None, ball, poses)["intersects"].tolist()
[True, True, False])")
          .c_str());
  m.def(
      "distance_many", &ask_distances, py::arg("a"), py::arg("pose_a"), py::arg("b"),
      py::arg("poses_b"), py::kw_only(), py::arg("order") = py::none(),
      py::arg("max_distance") = kInfinity, py::arg("stop_below") = 0.0,
      py::arg("relative_error") = 0.0, py::arg("absolute_error") = 0.0, py::arg("threads") = 0,
      py::arg("timeout") = py::none(), py::arg("progress") = py::none(),
      doc(R"(distance_many(a, pose_a, b, poses_b, *, order=None, max_distance=inf, stop_below=0.0, relative_error=0.0, absolute_error=0.0, threads=0, timeout=None, progress=None)
--

The distance of a and b, for b at each of n poses; options as of `distance`.

Fields: lower, upper, complete, face_a, face_b, and point_a, point_b, normal of (3,), which are NaN
where no points are known: beyond max_distance, and of poses that the timeout left out. The bounds
hold in any case.

>>> import numpy, touche
>>> ball = touche.Shape.sphere(1)
>>> poses = numpy.tile(numpy.eye(4), (2, 1, 1))
>>> poses[:, 0, 3] = [0, 3]
>>> touche.distance_many(ball, None, ball, poses, max_distance=5)["lower"].round(6).tolist()
[0.0, 1.0])")
          .c_str());
  m.def(
      "time_of_impact_many", &ask_times, py::arg("a"), py::arg("motion_a"), py::arg("b"),
      py::arg("starts_b"), py::arg("ends_b"), py::kw_only(), py::arg("order") = py::none(),
      py::arg("tolerance"), py::arg("clearance") = 0.0, py::arg("threads") = 0,
      py::arg("timeout") = py::none(), py::arg("progress") = py::none(),
      doc(R"(time_of_impact_many(a, motion_a, b, starts_b, ends_b, *, order=None, tolerance, clearance=0.0, threads=0, timeout=None, progress=None)
--

When a and b first touch, for n motions of b: starts_b[i] to ends_b[i], interpolated.

Fields: status, an index into touche.STATUSES; lower, upper, face_a, face_b as of `time_of_impact`;
and point_a, point_b, normal of (3,) at `upper`, which are NaN where there is no contact. Motions
that the timeout left out are undecided, with lower 0 and upper infinite.

>>> import numpy, touche
>>> ball = touche.Shape.sphere(1)
>>> starts, ends = (numpy.tile(numpy.eye(4), (2, 1, 1)) for _ in range(2))
>>> starts[:, 0, 3], ends[:, 0, 3] = [4, 4], [-4, 5]
>>> found = touche.time_of_impact_many(ball, None, ball, starts, ends, tolerance=1e-6)
>>> [touche.STATUSES[s] for s in found["status"]], round(float(found["upper"][0]), 3)
(['contact', 'free'], 0.25))")
          .c_str());
}

}  // namespace touche::python
