// SPDX-License-Identifier: Apache-2.0
// Results of the basic queries: small classes that cannot be changed.
#include "results.h"

#include <fmt/format.h>

#include "convert.h"
#include "errors.h"
#include "module.h"

namespace touche::python {
namespace {

py::object feature_or_none(const Feature& f) {
  if (f.index == kNone) return py::none();
  return py::make_tuple(std::string(name(f.kind)), f.index);
}

std::string number(double x) { return fmt::format("{:.6g}", x); }
std::string text_of(const Bracket& b) {
  const std::string lower = number(b.lower), upper = number(b.upper);
  return lower == upper ? upper : "[" + lower + ", " + upper + "]";
}

bool truth(const ToiResult& r) {
  if (r.status == ToiStatus::undecided)
    raise_undecided(
        "it is undecided whether they touch: a limit ended the query, or rounding hides it");
  return r.status != ToiStatus::free;
}

// ---- for pickling -----------------------------------------------------------------------------

py::tuple item(const py::tuple& v, std::size_t i) { return v[i].cast<py::tuple>(); }

py::tuple state_of(const QueryStats& s) {
  return py::make_tuple(s.node_pairs, s.volume_tests, s.primitive_tests, s.exact_tests,
                        s.time_splits, s.brute_force);
}
QueryStats stats_of(const py::tuple& v) {
  const auto n = [&](std::size_t i) { return v[i].cast<std::uint64_t>(); };
  return {n(0), n(1), n(2), n(3), n(4), n(5)};
}

py::tuple state_of(const Feature& f) { return py::make_tuple(static_cast<int>(f.kind), f.index); }
Feature feature_of(const py::tuple& v) {
  return {static_cast<FeatureKind>(v[0].cast<int>()), v[1].cast<Index>()};
}

py::tuple state_of(const Contact& c) {
  return py::make_tuple(c.face_a, c.face_b, state_of(c.feature_a), state_of(c.feature_b),
                        array_of(c.point_a), array_of(c.point_b), array_of(c.normal), c.distance);
}
Contact contact_of(const py::tuple& v) {
  return {v[0].cast<Index>(),
          v[1].cast<Index>(),
          feature_of(item(v, 2)),
          feature_of(item(v, 3)),
          vector_of(v[4].cast<py::object>(), "point_a"),
          vector_of(v[5].cast<py::object>(), "point_b"),
          vector_of(v[6].cast<py::object>(), "normal"),
          v[7].cast<double>()};
}

Bracket bracket_from(const py::tuple& v) { return {v[0].cast<double>(), v[1].cast<double>()}; }

ToiStatus status_of(int number) {
  if (number < 0 || static_cast<std::size_t>(number) >= names<ToiStatus>().size())
    throw InvalidInput("status: there is no number " + std::to_string(number));
  return static_cast<ToiStatus>(number);
}

// ---- equality ---------------------------------------------------------------------------------

bool same(const Feature& a, const Feature& b) { return a.kind == b.kind && a.index == b.index; }

bool same(const Contact& a, const Contact& b) {
  return a.face_a == b.face_a && a.face_b == b.face_b && same(a.feature_a, b.feature_a) &&
         same(a.feature_b, b.feature_b) && a.point_a == b.point_a && a.point_b == b.point_b &&
         a.normal == b.normal && a.distance == b.distance;
}

bool same(const std::optional<Contact>& a, const std::optional<Contact>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

// Statistics do not count.
bool same(const DistanceResult& a, const DistanceResult& b) {
  return a.distance == b.distance && a.complete == b.complete && same(a.closest, b.closest);
}

bool same(const ToiResult& a, const ToiResult& b) {
  return a.status == b.status && a.time == b.time && a.separated_at == b.separated_at &&
         a.tolerance == b.tolerance && same(a.contact, b.contact);
}

py::ssize_t hash_of(const Contact& c) {
  return py::hash(py::make_tuple(c.face_a, c.face_b, c.point_a.x(), c.point_b.x(), c.distance));
}
py::ssize_t hash_of(const DistanceResult& r) {
  return py::hash(py::make_tuple(r.distance.lower, r.distance.upper));
}
py::ssize_t hash_of(const ToiResult& r) {
  return py::hash(py::make_tuple(static_cast<int>(r.status), r.time.lower, r.time.upper));
}

template <class Class>
void add_equality(Class& of) {
  using Value = typename Class::type;
  of.def("__eq__", [](const Value& a, const py::object& b) {
    return py::isinstance<Value>(b) && same(a, b.cast<const Value&>());
  });
  of.def("__hash__", [](const Value& a) { return hash_of(a); });
}

std::optional<Contact> optional_contact_of(const py::object& value) {
  if (value.is_none()) return {};
  return value.cast<const Contact&>();
}

}  // namespace

py::object face_or_none(Index face) {
  return face == kNone ? py::object(py::none()) : py::object(py::int_(face));
}

py::dict dict_of(const QueryStats& s) {
  py::dict found;
  found["node_pairs"] = s.node_pairs;
  found["volume_tests"] = s.volume_tests;
  found["primitive_tests"] = s.primitive_tests;
  found["exact_tests"] = s.exact_tests;
  found["time_splits"] = s.time_splits;
  found["brute_force"] = s.brute_force;
  return found;
}

py::object contact_or_none(const std::optional<Contact>& contact) {
  return contact ? py::cast(*contact) : py::object(py::none());
}

void add_results(py::module_& m) {
  py::class_<Bracket>(m, "Bracket", R"(Proved bounds of a number: lower <= x <= upper.

>>> import touche
>>> 2.5 in touche.Bracket(2, 3)
True
)")
      .def(py::init([](double lower, double upper) {
             if (!(lower <= upper)) throw InvalidInput("upper: expected `lower` or more");
             return Bracket{lower, upper};
           }),
           py::arg("lower"), py::arg("upper"))
      .def_readonly("lower", &Bracket::lower)
      .def_readonly("upper", &Bracket::upper)
      .def_property_readonly("width", [](const Bracket& b) { return b.upper - b.lower; })
      .def("__contains__", [](const Bracket& b, double x) { return b.lower <= x && x <= b.upper; })
      .def("__iter__", [](const Bracket& b) { return py::iter(bracket_of(b)); })
      .def("__bool__",
           [](const Bracket&) -> bool {
             throw py::type_error("bounds are neither true nor false: see .lower and .upper");
           })
      .def("__eq__",
           [](const Bracket& a, const py::object& b) {
             return py::isinstance<Bracket>(b) && a == b.cast<const Bracket&>();
           })
      .def("__hash__", [](const Bracket& b) { return py::hash(bracket_of(b)); })
      .def("__repr__",
           [](const Bracket& b) {
             return "Bracket(" + number(b.lower) + ", " + number(b.upper) + ")";
           })
      .def(py::pickle([](const Bracket& b) { return bracket_of(b); },
                      [](const py::tuple& v) { return bracket_from(v); }));

  py::class_<Contact> contact(m, "Contact",
                              "A pair of faces that touch or are closest, or a contact point of "
                              "convex shapes, in world coordinates.");
  add_equality(contact);
  contact
      .def_property_readonly(
          "face_a", [](const Contact& c) { return face_or_none(c.face_a); },
          "A face number of an Object; None for a Shape.")
      .def_property_readonly("face_b", [](const Contact& c) { return face_or_none(c.face_b); })
      .def_property_readonly(
          "feature_a", [](const Contact& c) { return feature_or_none(c.feature_a); },
          "Which part of the mesh touches or is closest: (kind, number), where the kind is "
          "\"vertex\", \"edge\" or \"face\"; None where that is not known.")
      .def_property_readonly("feature_b",
                             [](const Contact& c) { return feature_or_none(c.feature_b); })
      .def_property_readonly(
          "point_a", [](const Contact& c) { return array_of(c.point_a); }, "(3,)")
      .def_property_readonly(
          "point_b", [](const Contact& c) { return array_of(c.point_b); }, "(3,)")
      .def_property_readonly(
          "normal", [](const Contact& c) { return array_of(c.normal); },
          "(3,), of unit length, from a to b.")
      .def_readonly("distance", &Contact::distance,
                    "A length along the normal: 0 where faces meet, negative where convex shapes "
                    "overlap.")
      .def("__repr__",
           [](const Contact& c) {
             const auto face = [](Index f) {
               return f == kNone ? std::string("shape") : "face " + std::to_string(f);
             };
             return fmt::format("<Contact of {} and {} at ({:.6g}, {:.6g}, {:.6g})>",
                                face(c.face_a), face(c.face_b), c.point_a.x(), c.point_a.y(),
                                c.point_a.z());
           })
      .def(py::pickle([](const Contact& c) { return state_of(c); }, &contact_of));

  py::class_<DistanceResult> distance(m, "DistanceResult",
                                      "A distance with its proved bounds. It is no number: which "
                                      "bound is safe depends on the use.");
  add_equality(distance);
  distance
      .def_property_readonly(
          "lower", [](const DistanceResult& r) { return r.distance.lower; },
          "Proved: they are not nearer.")
      .def_property_readonly(
          "upper", [](const DistanceResult& r) { return r.distance.upper; },
          "The distance of the points of `closest`; infinite beyond max_distance.")
      .def_readonly("bracket", &DistanceResult::distance, "Both bounds.")
      .def_readonly("complete", &DistanceResult::complete,
                    "Whether the bounds are as near as requested; they hold in any case.")
      .def_property_readonly(
          "closest", [](const DistanceResult& r) { return contact_or_none(r.closest); },
          "The closest points, as a Contact; None beyond max_distance.")
      .def_property_readonly(
          "stats", [](const DistanceResult& r) { return dict_of(r.stats); },
          "Counts of tested pairs of boxes and faces, by name.")
      .def("__bool__",
           [](const DistanceResult&) -> bool {
             throw py::type_error("a distance is neither true nor false: see .lower and .upper");
           })
      .def("__repr__",
           [](const DistanceResult& r) {
             return "<distance " + text_of(r.distance) + (r.complete ? ">" : ", not complete>");
           })
      .def(py::pickle(
          [](const DistanceResult& r) {
            return py::make_tuple(bracket_of(r.distance), contact_or_none(r.closest), r.complete,
                                  state_of(r.stats));
          },
          [](const py::tuple& v) {
            return DistanceResult{bracket_from(item(v, 0)),
                                  optional_contact_of(v[1].cast<py::object>()), v[2].cast<bool>(),
                                  stats_of(item(v, 3))};
          }));

  py::class_<ToiResult> time(m, "TimeOfImpact",
                             "The first contact along motions. Its truth value is whether there is "
                             "one; an undecided one raises Undecided.");
  add_equality(time);
  time.def_property_readonly(
          "status", [](const ToiResult& r) { return std::string(name(r.status)); },
          "\"undecided\", \"free\", \"contact\" or \"initially_touching\".")
      .def_property_readonly(
          "lower", [](const ToiResult& r) { return r.time.lower; },
          "For all t before it, they are proved to be farther apart than the clearance.")
      .def_property_readonly(
          "upper", [](const ToiResult& r) { return r.time.upper; },
          "At this t they are at most clearance + tolerance apart; infinite if they do not touch.")
      .def_readonly("time", &ToiResult::time, "Both bounds.")
      .def_readonly("separated_at", &ToiResult::separated_at,
                    "With may_separate: t until which faces that touched at the start separate.")
      .def_readonly("tolerance", &ToiResult::tolerance,
                    "The one used: at least the rounding of coordinates.")
      .def_property_readonly(
          "contact", [](const ToiResult& r) { return contact_or_none(r.contact); },
          "Where they touch at t = upper, or None.")
      .def_property_readonly(
          "stats", [](const ToiResult& r) { return dict_of(r.stats); },
          "Counts of tested pairs of boxes and faces, by name.")
      .def("__bool__", [](const ToiResult& r) { return truth(r); })
      .def("__repr__",
           [](const ToiResult& r) {
             return "<" + std::string(name(r.status)) +
                    (r.status == ToiStatus::contact ? " at t in " + text_of(r.time) : "") + ">";
           })
      .def(py::pickle(
          [](const ToiResult& r) {
            return py::make_tuple(static_cast<int>(r.status), bracket_of(r.time), r.separated_at,
                                  r.tolerance, contact_or_none(r.contact), state_of(r.stats));
          },
          [](const py::tuple& v) {
            return ToiResult{status_of(v[0].cast<int>()),
                             bracket_from(item(v, 1)),
                             v[2].cast<double>(),
                             v[3].cast<double>(),
                             optional_contact_of(v[4].cast<py::object>()),
                             stats_of(item(v, 5))};
          }));
}

}  // namespace touche::python
