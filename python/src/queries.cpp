// SPDX-License-Identifier: Apache-2.0
// Single queries.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>

#include "bodies.h"
#include "convert.h"
#include "interruptible.h"
#include "module.h"
#include "touche/point_query.h"
#include "touche/query.h"

namespace touche::python {
namespace {

Budget budget_of(const std::optional<std::uint64_t>& max_work,
                 const std::optional<double>& timeout) {
  Budget budget;
  if (max_work) budget.max_work = *max_work;
  if (timeout) {
    if (!(*timeout >= 0)) throw InvalidInput("timeout: expected seconds, 0 or more");
    const auto most = std::chrono::duration<double>(1e9);
    budget.deadline =
        Budget::Clock::now() + std::chrono::duration_cast<Budget::Clock::duration>(
                                   std::min(std::chrono::duration<double>(*timeout), most));
  }
  return budget;
}

bool both_meshes(const Body& a, const Body& b) { return a.is_mesh() && b.is_mesh(); }

IntersectsResult ask_intersects(const Body& a, const Body& b, const py::object& pose_a,
                                const py::object& pose_b,
                                const std::optional<std::uint64_t>& max_work,
                                const std::optional<double>& timeout) {
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  return interruptible(
      budget_of(max_work, timeout),
      [&](const Budget& budget) {
        return both_meshes(a, b) ? intersects(a.object(), at_a, b.object(), at_b, budget)
                                 : intersects(a.shape, at_a, b.shape, at_b, budget);
      },
      [](const IntersectsResult& r) { return r.intersects || r.complete; });
}

DistanceResult ask_distance(const Body& a, const Body& b, const py::object& pose_a,
                            const py::object& pose_b, double max_distance, double stop_below,
                            double relative_error, double absolute_error,
                            const std::optional<std::uint64_t>& max_work,
                            const std::optional<double>& timeout) {
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  DistanceOptions options{.max_distance = max_distance,
                          .stop_below = stop_below,
                          .relative_error = relative_error,
                          .absolute_error = absolute_error};
  return interruptible(
      budget_of(max_work, timeout),
      [&](const Budget& budget) {
        DistanceOptions how = options;
        how.budget = budget;
        return both_meshes(a, b) ? distance(a.object(), at_a, b.object(), at_b, how)
                                 : distance(a.shape, at_a, b.shape, at_b, how);
      },
      [](const DistanceResult& r) { return r.complete; });
}

ContactsResult ask_contacts(const Body& a, const Body& b, const py::object& pose_a,
                            const py::object& pose_b,
                            const std::optional<std::size_t>& max_contacts,
                            const std::optional<std::uint64_t>& max_work,
                            const std::optional<double>& timeout) {
  if (!both_meshes(a, b)) throw InvalidInput("contacts: of two meshes only");
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  ContactsOptions options;
  if (max_contacts) options.max_contacts = *max_contacts;
  return interruptible(
      budget_of(max_work, timeout),
      [&](const Budget& budget) {
        ContactsOptions how = options;
        how.budget = budget;
        return contacts(a.object(), at_a, b.object(), at_b, how);
      },
      [](const ContactsResult& r) { return r.complete; });
}

Motion motion_of(const py::object& value, const char* what) {
  return py::isinstance<Motion>(value) ? value.cast<const Motion&>()
                                       : Motion::at(pose_of(value, what));
}

ToiResult ask_time(const Body& a, const py::object& motion_a, const Body& b,
                   const py::object& motion_b, double tolerance, double clearance, double t_start,
                   bool may_separate, const std::optional<std::uint64_t>& max_work,
                   const std::optional<double>& timeout) {
  const Motion moves_a = motion_of(motion_a, "motion_a"), moves_b = motion_of(motion_b, "motion_b");
  const ToiOptions options{.tolerance = tolerance,
                           .clearance = clearance,
                           .t_start = t_start,
                           .may_separate = may_separate};
  return interruptible(
      budget_of(max_work, timeout),
      [&](const Budget& budget) {
        ToiOptions how = options;
        how.budget = budget;
        return both_meshes(a, b) ? time_of_impact(a.object(), moves_a, b.object(), moves_b, how)
                                 : time_of_impact(a.shape, moves_a, b.shape, moves_b, how);
      },
      [](const ToiResult& r) { return r.status != ToiStatus::undecided; });
}

constexpr const char* kLimits =
    "\n\nmax_work limits the pairs of boxes and faces that are tested, timeout the seconds; an "
    "answer that they end is undecided. Ctrl-C ends the query.";

}  // namespace

void add_queries(py::module_& m) {
  const auto doc = [](const char* text) { return std::string(text) + kLimits; };
  m.def("intersects", &ask_intersects, py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(),
        py::arg("pose_b") = py::none(), py::kw_only(), py::arg("max_work") = py::none(),
        py::arg("timeout") = py::none(),
        doc(R"(Whether two bodies have a point in common. Exact; touching counts.

>>> import touche
>>> ball = touche.Shape.sphere(1)
>>> bool(touche.intersects(ball, ball, pose_b=touche.Pose.from_translation((3, 0, 0))))
False)")
            .c_str());
  m.def("distance", &ask_distance, py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(),
        py::arg("pose_b") = py::none(), py::kw_only(), py::arg("max_distance") = kInfinity,
        py::arg("stop_below") = 0.0, py::arg("relative_error") = 0.0,
        py::arg("absolute_error") = 0.0, py::arg("max_work") = py::none(),
        py::arg("timeout") = py::none(),
        doc(R"(The distance of two bodies, 0 if they meet, with proved bounds.

>>> import touche
>>> ball = touche.Shape.sphere(1)
>>> round(float(touche.distance(ball, ball, pose_b=touche.Pose.from_translation((3, 0, 0)))), 9)
1.0)")
            .c_str());
  m.def(
      "contacts", &ask_contacts, py::arg("a"), py::arg("b"), py::arg("pose_a") = py::none(),
      py::arg("pose_b") = py::none(), py::kw_only(), py::arg("max_contacts") = py::none(),
      py::arg("max_work") = py::none(), py::arg("timeout") = py::none(),
      doc("All pairs of faces of two meshes that touch or intersect, each with points and normal.")
          .c_str());
  m.def("time_of_impact", &ask_time, py::arg("a"), py::arg("motion_a"), py::arg("b"),
        py::arg("motion_b") = py::none(), py::kw_only(), py::arg("tolerance"),
        py::arg("clearance") = 0.0, py::arg("t_start") = 0.0, py::arg("may_separate") = false,
        py::arg("max_work") = py::none(), py::arg("timeout") = py::none(),
        doc(R"(When two moving bodies first touch, within a tolerance (a length > 0). Never misses.

A motion may be a pose: then the body stands still.

>>> import touche
>>> ball = touche.Shape.sphere(1)
>>> flies = touche.Motion.interpolated(None, touche.Pose.from_translation((10, 0, 0)))
>>> r = touche.time_of_impact(ball, flies, ball, touche.Pose.from_translation((6, 0, 0)), tolerance=1e-6)
>>> r.status, round(r.upper, 5)
('contact', 0.4))")
            .c_str());
}

}  // namespace touche::python
