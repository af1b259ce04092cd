// SPDX-License-Identifier: Apache-2.0
// Points and rays, what is inside, and how deep bodies overlap.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <limits>

#include "bodies.h"
#include "convert.h"
#include "module.h"
#include "results.h"
#include "run.h"
#include "touche/batch.h"
#include "touche/overlap.h"
#include "touche/point_query.h"
#include "touche/separation.h"
#include "touche/shape.h"

namespace touche::python {
namespace {

struct ClosestRow {
  double distance;
  std::int64_t face;
  Three point;
};
struct HitRow {
  double t;
  std::int64_t face;
  std::int8_t side;
  Three point;
};

// Calls `ask(i)` for all i below `count` on all threads, some hundred at a time.
template <class Ask>
void for_each(std::size_t count, const Budget& budget, const Ask& ask) {
  constexpr std::size_t kTogether = 256;
  (void)for_each_in_parallel((count + kTogether - 1) / kTogether,
                             [&](std::size_t part) {
                               const std::size_t end = std::min(count, (part + 1) * kTogether);
                               for (std::size_t i = part * kTogether; i < end; ++i) ask(i);
                             },
                             {.budget = budget});
}

template <class Number, class Ask>
py::array_t<Number> of_points(const py::object& body, const py::object& pose,
                              const py::object& points, const Ask& ask) {
  const Body& of = body_of(body, "body");
  const Pose back = pose_of(pose, "pose").inverse();
  const std::vector<Vec3> given = vectors_of(points, "points");
  const Interior& inside = of.interior();
  py::array_t<Number> made(static_cast<py::ssize_t>(given.size()));
  Number* const out = made.mutable_data();
  run_in_thread({}, [&](const Budget& budget) {
    for_each(given.size(), budget, [&](std::size_t i) { out[i] = ask(inside, back * given[i]); });
  });
  return made;
}

py::array_t<bool> contains(const py::object& body, const py::object& pose,
                           const py::object& points) {
  return of_points<bool>(body, pose, points,
                         [](const Interior& in, const Vec3& x) { return in.contains(x); });
}
py::array_t<double> signed_distances(const py::object& body, const py::object& pose,
                                     const py::object& points) {
  return of_points<double>(body, pose, points,
                           [](const Interior& in, const Vec3& x) { return in.signed_distance(x); });
}
py::array_t<double> winding_numbers(const py::object& body, const py::object& pose,
                                    const py::object& points) {
  return of_points<double>(body, pose, points,
                           [](const Interior& in, const Vec3& x) { return in.winding_number(x); });
}

py::tuple inside_of(const py::object& body) {
  const Interior& inside = body_of(body, "body").interior();
  return py::make_tuple(inside.closed(), inside.is_open(), inside.closed_gap());
}

py::array_t<ClosestRow> closest_points(const py::object& body, const py::object& pose,
                                       const py::object& points, double max_distance) {
  const Body& of = body_of(body, "body");
  const Pose at = pose_of(pose, "pose");
  const std::vector<Vec3> given = vectors_of(points, "points");
  py::array_t<ClosestRow> made = zeroed<ClosestRow>(given.size());
  ClosestRow* const out = made.mutable_data();
  run_in_thread({}, [&](const Budget& budget) {
    for_each(given.size(), budget, [&](std::size_t i) {
      const ClosestPoint found = closest_point(of.shape, at, given[i], max_distance);
      constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
      const bool any = found.distance < kInfinity;
      out[i].distance = found.distance;
      out[i].face = number_of(found.face);
      out[i].point = any ? three_of(found.point) : Three{kNan, kNan, kNan};
    });
  });
  return made;
}

void set_hit(HitRow& row, const std::optional<RayHit>& hit) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  row.t = hit ? hit->t : kInfinity;
  row.face = hit ? number_of(hit->face) : -1;
  row.side = hit ? static_cast<std::int8_t>(hit->side) : std::int8_t{0};
  row.point = hit ? three_of(hit->point) : Three{kNan, kNan, kNan};
}

py::array_t<HitRow> cast_rays(const py::object& body, const py::object& pose,
                              const py::object& origins, const py::object& ends,
                              bool are_segments) {
  const Body& of = body_of(body, "body");
  const Pose at = pose_of(pose, "pose");
  const std::vector<Vec3> from = vectors_of(origins, are_segments ? "starts" : "origins"),
                          to = vectors_of(ends, are_segments ? "ends" : "directions");
  if (from.size() != to.size())
    throw InvalidInput((are_segments ? "ends: " : "directions: ") + std::to_string(to.size()) +
                       ", and there are " + std::to_string(from.size()) +
                       (are_segments ? " starts" : " origins"));
  py::array_t<HitRow> made = zeroed<HitRow>(from.size());
  HitRow* const out = made.mutable_data();
  run_in_thread({}, [&](const Budget& budget) {
    for_each(from.size(), budget, [&](std::size_t i) {
      set_hit(out[i], are_segments ? cast_segment(of.shape, at, {from[i], to[i]})
                                   : cast_ray(of.shape, at, {from[i], to[i]}));
    });
  });
  return made;
}

py::array_t<HitRow> all_hits(const py::object& body, const py::object& pose,
                             const py::object& origin, const py::object& end, bool is_segment) {
  const Body& of = body_of(body, "body");
  const Pose at = pose_of(pose, "pose");
  const Vec3 from = vector_of(origin, is_segment ? "start" : "origin"),
             to = vector_of(end, is_segment ? "end" : "direction");
  const std::vector<RayHit> hits = [&] {
    const Unlocked unlocked;
    return is_segment ? all_segment_hits(of.shape, at, {from, to})
                      : all_ray_hits(of.shape, at, {from, to});
  }();
  py::array_t<HitRow> made = zeroed<HitRow>(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) set_hit(made.mutable_data()[i], hits[i]);
  return made;
}

std::string ask_containment(const py::object& a, const py::object& pose_a, const py::object& b,
                            const py::object& pose_b, const py::object& max_work,
                            const py::object& timeout) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  const Interior &in_a = body_a.interior(), &in_b = body_b.interior();
  return std::string(name(alone(budget_of(max_work, timeout), [=](const Budget& budget) {
    return containment(in_a, at_a, in_b, at_b, budget);
  })));
}

py::tuple ask_thickness(const py::object& a, const py::object& pose_a, const py::object& b,
                        const py::object& pose_b, double relative_error, double absolute_error,
                        std::uint64_t max_points, const py::object& timeout) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  const Interior &in_a = body_a.interior(), &in_b = body_b.interior();
  const Thickness found = alone(budget_of(py::none(), timeout), [=](const Budget& budget) {
    return overlap_thickness(in_a, at_a, in_b, at_b,
                             {.relative_error = relative_error,
                              .absolute_error = absolute_error,
                              .max_points = max_points,
                              .budget = budget});
  });
  return py::make_tuple(bracket_of(found.diameter), array_of(found.centre), found.complete);
}

py::tuple ask_separation(const py::object& a, const py::object& pose_a, const py::object& b,
                         const py::object& pose_b, double tolerance, double clearance,
                         double relative_error, std::uint64_t max_positions,
                         const py::object& timeout) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Pose at_a = pose_of(pose_a, "pose_a"), at_b = pose_of(pose_b, "pose_b");
  const bool are_meshes = body_a.is_mesh() && body_b.is_mesh();
  std::optional<Interior> in_a, in_b;
  if (are_meshes) {
    in_a = body_a.interior();
    in_b = body_b.interior();
  }
  const Separation found =
      alone(budget_of(py::none(), timeout),
            [=, shape_a = body_a.shape, shape_b = body_b.shape](const Budget& budget) {
              const SeparationOptions options{.tolerance = tolerance,
                                              .clearance = clearance,
                                              .relative_error = relative_error,
                                              .max_positions = max_positions,
                                              .budget = budget};
              return are_meshes ? separation(*in_a, at_a, *in_b, at_b, options)
                                : separation(shape_a, at_a, shape_b, at_b, options);
            });
  return py::make_tuple(std::string(name(found.status)), bracket_of(found.distance),
                        array_of(found.direction), array_of(found.shift),
                        contact_or_none(found.closest), found.complete);
}

}  // namespace

void add_insides(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(ClosestRow, distance, face, point);
  PYBIND11_NUMPY_DTYPE(HitRow, t, face, side, point);
  m.def("_contains", &contains);
  m.def("_signed_distances", &signed_distances);
  m.def("_winding_numbers", &winding_numbers);
  m.def("_inside", &inside_of);
  m.def("_closest_points", &closest_points);
  m.def("_cast_rays", &cast_rays);
  m.def("_all_hits", &all_hits);
  m.def("_containment", &ask_containment);
  m.def("_thickness", &ask_thickness);
  m.def("_separation", &ask_separation);
}

}  // namespace touche::python
