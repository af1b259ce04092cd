// SPDX-License-Identifier: Apache-2.0
// Answers: small frozen classes.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bodies.h"
#include "convert.h"
#include "errors.h"
#include "module.h"
#include "touche/path.h"
#include "touche/query.h"

namespace touche::python {
namespace {

py::object face_or_none(Index face) {
  return face == kNone ? py::object(py::none()) : py::object(py::int_(face));
}

template <class T>
py::object or_none(const std::optional<T>& value) {
  return value ? py::cast(*value) : py::object(py::none());
}

std::string number(double x) { return fmt::format("{:.6g}", x); }

bool truth(const IntersectsResult& r) {
  if (!r.intersects && !r.complete)
    raise_undecided("a limit ended the query before it was decided whether they intersect");
  return r.intersects;
}

bool truth(const ToiResult& r) {
  if (r.status == ToiStatus::undecided)
    raise_undecided("a limit ended the query before it was decided whether they touch");
  return r.status != ToiStatus::free;
}

}  // namespace

void add_results(py::module_& m) {
  py::class_<Bracket>(m, "Bracket", "Proved bounds of a number: lower <= x <= upper.")
      .def_readonly("lower", &Bracket::lower)
      .def_readonly("upper", &Bracket::upper)
      .def("__contains__", [](const Bracket& b, double x) { return b.lower <= x && x <= b.upper; })
      .def("__eq__",
           [](const Bracket& a, const py::object& b) {
             return py::isinstance<Bracket>(b) && a == b.cast<const Bracket&>();
           })
      .def("__repr__", [](const Bracket& b) {
        return "Bracket(" + number(b.lower) + ", " + number(b.upper) + ")";
      });

  py::class_<Contact>(m, "Contact", "A pair of faces that touch or are closest, in the world.")
      .def_property_readonly("face_a", [](const Contact& c) { return face_or_none(c.face_a); })
      .def_property_readonly("face_b", [](const Contact& c) { return face_or_none(c.face_b); })
      .def_property_readonly(
          "feature_a", [](const Contact& c) { return name(c.feature_a.kind); },
          "\"vertex\", \"edge\" or \"face\".")
      .def_property_readonly("feature_b", [](const Contact& c) { return name(c.feature_b.kind); })
      .def_property_readonly("point_a", [](const Contact& c) { return array_of(c.point_a); })
      .def_property_readonly("point_b", [](const Contact& c) { return array_of(c.point_b); })
      .def_property_readonly(
          "normal", [](const Contact& c) { return array_of(c.normal); },
          "Unit length, from a to b.")
      .def_readonly("distance", &Contact::distance)
      .def("__repr__", [](const Contact& c) {
        return fmt::format("<Contact of faces {} and {} at ({:.6g}, {:.6g}, {:.6g})>",
                           std::string(py::str(face_or_none(c.face_a))),
                           std::string(py::str(face_or_none(c.face_b))), c.point_a.x(),
                           c.point_a.y(), c.point_a.z());
      });

  py::class_<IntersectsResult>(m, "IntersectsResult",
                               "Whether two bodies have a point in common; as a truth value, too.")
      .def_readonly("intersects", &IntersectsResult::intersects)
      .def_property_readonly("decided",
                             [](const IntersectsResult& r) { return r.intersects || r.complete; })
      .def_property_readonly("face_a",
                             [](const IntersectsResult& r) { return face_or_none(r.face_a); })
      .def_property_readonly("face_b",
                             [](const IntersectsResult& r) { return face_or_none(r.face_b); })
      .def("__bool__", [](const IntersectsResult& r) { return truth(r); })
      .def("__repr__", [](const IntersectsResult& r) {
        return r.intersects ? "<they intersect>" : r.complete ? "<they are apart>" : "<undecided>";
      });

  py::class_<DistanceResult>(m, "DistanceResult", "A distance with its proved bounds.")
      .def_property_readonly("lower", [](const DistanceResult& r) { return r.distance.lower; })
      .def_property_readonly("upper", [](const DistanceResult& r) { return r.distance.upper; })
      .def_readonly("bracket", &DistanceResult::distance)
      .def_readonly("decided", &DistanceResult::complete)
      .def_property_readonly("closest", [](const DistanceResult& r) { return or_none(r.closest); })
      .def("__float__", [](const DistanceResult& r) { return r.distance.upper; })
      .def("__repr__", [](const DistanceResult& r) {
        return "<distance " + number(r.distance.lower) +
               (r.distance.lower == r.distance.upper ? "" : " to " + number(r.distance.upper)) +
               (r.complete ? ">" : ", not complete>");
      });

  py::class_<ContactsResult>(m, "ContactsResult", "All pairs of faces that touch; a sequence.")
      .def_readonly("contacts", &ContactsResult::contacts)
      .def_readonly("complete", &ContactsResult::complete)
      .def("__len__", [](const ContactsResult& r) { return r.contacts.size(); })
      .def("__getitem__",
           [](const ContactsResult& r, py::ssize_t i) {
             const auto count = static_cast<py::ssize_t>(r.contacts.size());
             if (i < -count || i >= count) throw py::index_error();
             return r.contacts[static_cast<std::size_t>(i < 0 ? i + count : i)];
           })
      .def("__repr__", [](const ContactsResult& r) {
        return fmt::format("<{} contacts{}>", r.contacts.size(),
                           r.complete ? "" : ", not complete");
      });

  py::class_<ToiResult>(m, "TimeOfImpact", "The first contact along motions; true if there is one.")
      .def_property_readonly(
          "status", [](const ToiResult& r) { return name(r.status); },
          "\"undecided\", \"free\", \"contact\" or \"initially_touching\".")
      .def_property_readonly(
          "lower", [](const ToiResult& r) { return r.time.lower; },
          "Before this time they are proved to be apart.")
      .def_property_readonly("upper", [](const ToiResult& r) { return r.time.upper; })
      .def_readonly("time", &ToiResult::time)
      .def_readonly("tolerance", &ToiResult::tolerance)
      .def_property_readonly("contact", [](const ToiResult& r) { return or_none(r.contact); })
      .def_property_readonly("decided",
                             [](const ToiResult& r) { return r.status != ToiStatus::undecided; })
      .def("__bool__", [](const ToiResult& r) { return truth(r); })
      .def("__repr__", [](const ToiResult& r) {
        return fmt::format("<{}{}>", name(r.status),
                           r.status == ToiStatus::contact ? " at t in [" + number(r.time.lower) +
                                                                ", " + number(r.time.upper) + "]"
                                                          : "");
      });
}

}  // namespace touche::python
