// SPDX-License-Identifier: Apache-2.0
// Whole paths: all contacts of two bodies, and the clearance in between.
#include "touche/path.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <limits>

#include "bodies.h"
#include "convert.h"
#include "module.h"
#include "results.h"
#include "run.h"
#include "touche/shape.h"

namespace touche::python {
namespace {

struct SampleRow {
  double t, lower, upper;
};

py::tuple tuple_of(const ContactInterval& c) {
  return py::make_tuple(bracket_of(c.start), bracket_of(c.end), contact_or_none(c.first),
                        contact_or_none(c.last), bracket_of(c.deepest.diameter),
                        array_of(c.deepest.centre), c.deepest_at, c.max_thickness, c.only_touching,
                        std::string(name(c.after)));
}

std::vector<double> errors_of(const py::object& array, const char* what) {
  if (array.is_none()) return {};
  const py::array_t<double> numbers = numbers_of(array, what);
  if (numbers.ndim() != 1)
    throw InvalidInput(std::string(what) + ": expected one number for each face");
  return {numbers.data(), numbers.data() + numbers.size()};
}

py::tuple ask_path(const py::object& a, const py::object& motion_a, const py::object& b,
                   const py::object& motion_b, double tolerance, double clearance,
                   double max_touching_thickness, const py::object& chord_errors_a,
                   const py::object& chord_errors_b, double step, double relative_error,
                   bool profile, std::uint64_t thickness_points, int threads,
                   const py::object& max_work, const py::object& timeout) {
  const Body &body_a = body_of(a, "a"), &body_b = body_of(b, "b");
  const Motion moves_a = motion_of(motion_a, "motion_a"), moves_b = motion_of(motion_b, "motion_b");
  const bool are_meshes = body_a.is_mesh() && body_b.is_mesh();
  PathOptions options{.tolerance = tolerance,
                      .clearance = clearance,
                      .max_touching_thickness = max_touching_thickness,
                      .chord_errors_a = errors_of(chord_errors_a, "chord_errors_a"),
                      .chord_errors_b = errors_of(chord_errors_b, "chord_errors_b"),
                      .step = step,
                      .relative_error = relative_error,
                      .profile = profile,
                      .thickness_points = thickness_points,
                      .threads = checked_threads(threads)};
  const PathResult found =
      alone(budget_of(max_work, timeout), [a = body_a.shape, b = body_b.shape, moves_a, moves_b,
                                           are_meshes, options](const Budget& budget) mutable {
        options.budget = budget;
        return are_meshes ? path(a.object(), moves_a, b.object(), moves_b, options)
                          : path(a, moves_a, b, moves_b, options);
      });
  py::list contacts;
  for (const ContactInterval& contact : found.contacts) contacts.append(tuple_of(contact));
  py::array_t<SampleRow> samples(static_cast<py::ssize_t>(found.samples.size()));
  SampleRow* row = samples.mutable_data();
  for (const ClearanceSample& s : found.samples)
    *row++ = {s.t, s.clearance.lower, s.clearance.upper};
  return py::make_tuple(std::string(name(found.verdict)), contacts, samples,
                        bracket_of(found.min_clearance), found.min_clearance_at,
                        std::string(name(found.before)), found.may_reach_in, found.decided_until,
                        found.tolerance, dict_of(found.stats));
}

}  // namespace

void add_paths(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(SampleRow, t, lower, upper);
  m.def("_path", &ask_path);
}

}  // namespace touche::python
