// SPDX-License-Identifier: Apache-2.0
// Queries of two bodies at one pose each, or along one motion each.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bodies.h"
#include "convert.h"
#include "module.h"
#include "results.h"
#include "run.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche::python {
namespace {

bool are_meshes(const Body& a, const Body& b) {
  return a.is_mesh() && a.shape.radius() == 0 && b.is_mesh() && b.shape.radius() == 0;
}

DistanceResult ask_distance(py::handle a, py::handle pose_a, py::handle b, py::handle pose_b,
                            double max_distance, double stop_below, double relative_error,
                            double absolute_error, py::handle max_work, py::handle timeout) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  const DistanceOptions options{.max_distance = max_distance,
                                .stop_below = stop_below,
                                .relative_error = relative_error,
                                .absolute_error = absolute_error};
  return interruptible(
      budget_of(max_work, timeout),
      [&](const Budget& budget) {
        DistanceOptions how = options;
        how.budget = budget;
        return are_meshes(body_a, body_b)
                   ? distance(body_a.object(), at_a, body_b.object(), at_b, how)
                   : distance(body_a.shape, at_a, body_b.shape, at_b, how);
      },
      [](const DistanceResult& r) { return r.complete; });
}

py::tuple ask_contacts(const py::object& a, const py::object& pose_a, const py::object& b,
                       const py::object& pose_b, double max_distance,
                       const std::optional<std::size_t>& max_contacts, const py::object& max_work,
                       const py::object& timeout) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  const Budget budget = budget_of(max_work, timeout);
  py::list list;
  if (are_meshes(body_a, body_b) && max_distance == 0) {
    ContactsOptions options;
    if (max_contacts) options.max_contacts = *max_contacts;
    const ContactsResult found = interruptible(
        budget,
        [&](const Budget& given) {
          ContactsOptions how = options;
          how.budget = given;
          return contacts(body_a.object(), at_a, body_b.object(), at_b, how);
        },
        [](const ContactsResult& r) { return r.complete; });
    for (const Contact& contact : found.contacts) list.append(contact);
    return py::make_tuple(list, found.complete, dict_of(found.stats));
  }
  if (max_contacts || budget.max_work != Budget::kUnlimited ||
      budget.deadline != Budget::Clock::time_point::max())
    throw InvalidInput("max_contacts, max_work, timeout: for two Objects without max_distance");
  const ShapeContactsResult found = alone(
      [=, a = body_a.shape, b = body_b.shape] { return contacts(a, at_a, b, at_b, max_distance); });
  for (const ShapeContact& c : found.contacts)
    list.append(Contact{.face_a = c.face_a,
                        .face_b = c.face_b,
                        .feature_a = {},
                        .feature_b = {},
                        .point_a = c.point_a,
                        .point_b = c.point_b,
                        .normal = c.normal,
                        .distance = c.distance});
  return py::make_tuple(list, true, dict_of(found.stats));
}

py::tuple ask_faces(const py::object& a, const py::object& pose_a, const py::object& b,
                    const py::object& pose_b, const py::object& max_work,
                    const py::object& timeout) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  if (!are_meshes(body_a, body_b)) throw InvalidInput("intersecting_faces: of two Objects only");
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  const FacePairsResult found = interruptible(
      budget_of(max_work, timeout),
      [&](const Budget& budget) {
        return intersecting_faces(body_a.object(), at_a, body_b.object(), at_b, budget);
      },
      [](const FacePairsResult& r) { return r.complete; });
  py::array_t<std::int64_t> pairs({static_cast<py::ssize_t>(found.pairs.size()), py::ssize_t{2}});
  std::int64_t* out = pairs.mutable_data();
  for (const FacePair& pair : found.pairs) *out++ = pair.a, *out++ = pair.b;
  return py::make_tuple(pairs, found.complete);
}

py::tuple ask_depth(const py::object& a, const py::object& pose_a, const py::object& b,
                    const py::object& pose_b, double relative_error, double absolute_error) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  const DepthResult found = [&] {
    const Unlocked unlocked;
    return depth(body_a.shape, at_a, body_b.shape, at_b,
                 {.relative_error = relative_error, .absolute_error = absolute_error});
  }();
  return py::make_tuple(bracket_of(found.depth), array_of(found.direction), array_of(found.point_a),
                        array_of(found.point_b), found.complete);
}

ToiResult ask_time(py::handle a, py::handle motion_a, py::handle b, py::handle motion_b,
                   double tolerance, double clearance, double t_start, bool may_separate,
                   py::handle max_work, py::handle timeout) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
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
        return are_meshes(body_a, body_b)
                   ? time_of_impact(body_a.object(), moves_a, body_b.object(), moves_b, how)
                   : time_of_impact(body_a.shape, moves_a, body_b.shape, moves_b, how);
      },
      [](const ToiResult& r) { return r.status != ToiStatus::undecided; });
}

constexpr const char* kLimits = R"(

max_work limits the pairs of boxes and faces that are tested, timeout the seconds; a query that
they end is not decided. Ctrl-C ends the query with KeyboardInterrupt.)";

}  // namespace

void add_queries(py::module_& m) {
  py::options options;
  options.disable_function_signatures();  // the first lines of the texts, which inspect reads
  m.attr("inf") = kInfinity;              // in these
  const auto doc = [](const char* text) { return std::string(text) + kLimits; };
  m.def(
      "distance", &ask_distance, py::arg("a"), py::arg("pose_a"), py::arg("b"),
      py::arg("pose_b") = py::none(), py::kw_only(), py::arg("max_distance") = kInfinity,
      py::arg("stop_below") = 0.0, py::arg("relative_error") = 0.0, py::arg("absolute_error") = 0.0,
      py::arg("max_work") = py::none(), py::arg("timeout") = py::none(),
      doc(R"(distance(a, pose_a, b, pose_b=None, *, max_distance=inf, stop_below=0.0, relative_error=0.0, absolute_error=0.0, max_work=None, timeout=None)
--

The distance of two bodies, 0 if they meet, with proved bounds.

Beyond max_distance it need not be measured: then `closest` is None and `upper` infinite. Of two
Objects, the search stops at points nearer than stop_below. The bounds may be apart by relative_error
or absolute_error, whichever allows more.

>>> import touche
>>> ball = touche.Shape.sphere(1)
>>> touche.distance(ball, None, ball, touche.Pose.from_translation((3, 0, 0)))
<distance 1>)")
          .c_str());
  m.def(
      "time_of_impact", &ask_time, py::arg("a"), py::arg("motion_a"), py::arg("b"),
      py::arg("motion_b") = py::none(), py::kw_only(), py::arg("tolerance"),
      py::arg("clearance") = 0.0, py::arg("t_start") = 0.0, py::arg("may_separate") = false,
      py::arg("max_work") = py::none(), py::arg("timeout") = py::none(),
      doc(R"(time_of_impact(a, motion_a, b, motion_b=None, *, tolerance, clearance=0.0, t_start=0.0, may_separate=False, max_work=None, timeout=None)
--

When two moving bodies first come nearer than a clearance. Contacts are never missed.

tolerance (a length > 0): bodies that come no nearer than clearance + tolerance are not reported, and
at the reported time they are no farther apart than that. It has no default, since only you know
which length does not matter. The motion before t_start is assumed to be free. may_separate: faces
that touch at the start may separate there.

>>> import touche
>>> ball = touche.Shape.sphere(1)
>>> flies = touche.Motion.interpolated(None, touche.Pose.from_translation((10, 0, 0)))
>>> hit = touche.time_of_impact(ball, flies, ball, touche.Pose.from_translation((6, 0, 0)),
...                             tolerance=1e-6)
>>> hit.status, round(hit.upper, 5)
('contact', 0.4))")
          .c_str());
  m.def("_contacts", &ask_contacts);
  m.def("_intersecting_faces", &ask_faces);
  m.def("_depth", &ask_depth);
}

}  // namespace touche::python
