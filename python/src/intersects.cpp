// SPDX-License-Identifier: Apache-2.0
// intersects() and its result. A query takes some 50 ns, so the function takes its arguments
// directly if they are positions of the usual classes, and the result is a class without pybind11.
#include <pybind11/pybind11.h>

#include <string>

#include "bodies.h"
#include "convert.h"
#include "errors.h"
#include "exact.h"
#include "module.h"
#include "run.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche::python {
namespace {

// ---- the result -------------------------------------------------------------------------------

struct Result {
  PyObject_HEAD bool intersects, complete;
  Index face_a, face_b;
};

PyTypeObject* result_type = nullptr;
// Results without faces: each is one object.
PyObject *apart = nullptr, *undecided = nullptr;

const Result& result_of(PyObject* self) { return *reinterpret_cast<const Result*>(self); }

PyObject* new_result(bool intersects, bool complete, Index face_a, Index face_b) {
  auto* const made = PyObject_New(Result, result_type);
  if (made == nullptr) return nullptr;
  made->intersects = intersects;
  made->complete = complete;
  made->face_a = face_a;
  made->face_b = face_b;
  return reinterpret_cast<PyObject*>(made);
}

PyObject* python_result(const IntersectsResult& r) {
  if (r.intersects) return new_result(true, true, r.face_a, r.face_b);
  PyObject* const same = r.complete ? apart : undecided;
  Py_INCREF(same);
  return same;
}

void free_result(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

int truth(PyObject* self) {
  if (result_of(self).complete) return result_of(self).intersects ? 1 : 0;
  set_undecided(
      "it is undecided whether they intersect: a limit ended the query, or rounding hides it");
  return -1;
}

PyObject* text(PyObject* self) {
  return PyUnicode_FromString(!result_of(self).complete    ? "<undecided>"
                              : result_of(self).intersects ? "<they intersect>"
                                                           : "<they are apart>");
}

PyObject* face(Index number) {
  if (number == kNone) Py_RETURN_NONE;
  return PyLong_FromUnsignedLong(number);
}

PyObject* get_intersects(PyObject* self, void*) {
  return PyBool_FromLong(result_of(self).intersects ? 1 : 0);
}
PyObject* get_complete(PyObject* self, void*) {
  return PyBool_FromLong(result_of(self).complete ? 1 : 0);
}
PyObject* get_face_a(PyObject* self, void*) { return face(result_of(self).face_a); }
PyObject* get_face_b(PyObject* self, void*) { return face(result_of(self).face_b); }

PyObject* reduce(PyObject* self, PyObject*) {
  const Result& r = result_of(self);
  return Py_BuildValue("O(iikk)", result_type, r.intersects, r.complete,
                       static_cast<unsigned long>(r.face_a), static_cast<unsigned long>(r.face_b));
}

// For pickling.
PyObject* make(PyTypeObject*, PyObject* arguments, PyObject* names) {
  if (names != nullptr && PyDict_Size(names) > 0) {
    PyErr_SetString(PyExc_TypeError, "IntersectsResult: it has no named arguments");
    return nullptr;
  }
  int intersects = 0, complete = 0;
  unsigned long face_a = kNone, face_b = kNone;
  if (PyArg_ParseTuple(arguments, "pp|kk:IntersectsResult", &intersects, &complete, &face_a,
                       &face_b) == 0)
    return nullptr;
  if (intersects != 0 && complete == 0) {
    PyErr_SetString(PyExc_ValueError, "IntersectsResult: what intersects is complete");
    return nullptr;
  }
  return new_result(intersects != 0, complete != 0, static_cast<Index>(face_a),
                    static_cast<Index>(face_b));
}

PyObject* compare(PyObject* self, PyObject* other, int how) {
  if ((how != Py_EQ && how != Py_NE) || Py_TYPE(other) != result_type) Py_RETURN_NOTIMPLEMENTED;
  const Result &a = result_of(self), &b = result_of(other);
  const bool same = a.intersects == b.intersects && a.complete == b.complete &&
                    a.face_a == b.face_a && a.face_b == b.face_b;
  return PyBool_FromLong(same == (how == Py_EQ) ? 1 : 0);
}

Py_hash_t hash(PyObject* self) {
  const Result& r = result_of(self);
  return static_cast<Py_hash_t>((static_cast<std::size_t>(r.face_a) << 20 ^ r.face_b) * 4 +
                                (r.intersects ? 2 : 0) + (r.complete ? 1 : 0)) &
         0x7fffffffffff;
}

PyGetSetDef members[] = {
    {"intersects", get_intersects, nullptr, "Whether they are proved to have a common point.",
     nullptr},
    {"complete", get_complete, nullptr,
     "False if a limit ended the query first, or rounding hides whether round shapes meet.",
     nullptr},
    {"face_a", get_face_a, nullptr, "With face_b: a pair of faces that meet, or None.", nullptr},
    {"face_b", get_face_b, nullptr, "See face_a.", nullptr},
    {}};

PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};

void add_result(py::module_& m) {
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>("Whether two bodies have a point in common. Its truth value is "
                                    "`intersects`; an undecided one raises Undecided.")},
      {Py_tp_new, reinterpret_cast<void*>(make)},
      {Py_tp_dealloc, reinterpret_cast<void*>(free_result)},
      {Py_tp_repr, reinterpret_cast<void*>(text)},
      {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
      {Py_tp_hash, reinterpret_cast<void*>(hash)},
      {Py_tp_getset, members},
      {Py_tp_methods, methods},
      {Py_nb_bool, reinterpret_cast<void*>(truth)},
      {}};
  PyType_Spec spec{"touche._core.IntersectsResult", sizeof(Result), 0, Py_TPFLAGS_DEFAULT, slots};
  result_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (result_type == nullptr) throw py::error_already_set();
  m.attr("IntersectsResult") =
      py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(result_type));
  apart = new_result(false, true, kNone, kNone);
  undecided = new_result(false, false, kNone, kNone);
}

// ---- the query --------------------------------------------------------------------------------

IntersectsResult ask(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                     const Budget& budget) {
  const auto are_faces = [](const Body& body) {
    return body.is_mesh() && body.shape.radius() == 0;
  };
  return interruptible(
      budget,
      [&](const Budget& given) {
        return are_faces(a) && are_faces(b)
                   ? intersects(a.object(), pose_a, b.object(), pose_b, given)
                   : intersects(a.shape, pose_a, b.shape, pose_b, given);
      },
      [](const IntersectsResult& r) { return r.intersects || r.complete; });
}

py::object ask_any(const py::object& a, const py::object& pose_a, const py::object& b,
                   const py::object& pose_b, const py::object& max_work,
                   const py::object& timeout) {
  return py::reinterpret_steal<py::object>(
      python_result(ask(body_of(a, "a"), pose_of(pose_a, "pose_a"), body_of(b, "b"),
                        pose_of(pose_b, "pose_b"), budget_of(max_work, timeout))));
}

PyObject* ask_any_function = nullptr;

PyObject* ask_directly(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  static const Pose identity;
  const auto pose = [&](Py_ssize_t i) {
    return i >= count || arguments[i] == Py_None ? &identity : exact_pose(arguments[i]);
  };
  if (names == nullptr && (count == 3 || count == 4)) {
    const Body *const a = exact_body(arguments[0]), *const b = exact_body(arguments[2]);
    const Pose *const pose_a = pose(1), *const pose_b = pose(3);
    if (a != nullptr && b != nullptr && pose_a != nullptr && pose_b != nullptr) {
      try {
        return python_result(ask(*a, *pose_a, *b, *pose_b, {}));
      } catch (py::error_already_set& raised) {
        raised.restore();
        return nullptr;
      } catch (const std::exception&) {
        // Computed again below, where it becomes an exception of Python.
      }
    }
  }
  return PyObject_Vectorcall(ask_any_function, arguments, static_cast<std::size_t>(count), names);
}

constexpr const char* kDoc =
    R"(intersects(a, pose_a, b, pose_b=None, *, max_work=None, timeout=None)
--

Whether two bodies have a point in common. Touching counts.

Exact for meshes and polytopes; round shapes may be undecided where they are nearer than rounding
resolves. max_work limits the pairs of boxes and faces that are tested, timeout the seconds; a query
that they end is not complete. Ctrl-C ends the query with KeyboardInterrupt.

>>> import touche
>>> ball = touche.Shape.sphere(1)
>>> bool(touche.intersects(ball, None, ball, touche.Pose.from_translation((3, 0, 0))))
False)";

PyMethodDef direct = {"intersects",
                      reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(ask_directly)),
                      METH_FASTCALL | METH_KEYWORDS, kDoc};

}  // namespace

void add_intersects(py::module_& m) {
  add_result(m);
  py::cpp_function any(&ask_any, py::name("intersects"), py::arg("a"), py::arg("pose_a"),
                       py::arg("b"), py::arg("pose_b") = py::none(), py::kw_only(),
                       py::arg("max_work") = py::none(), py::arg("timeout") = py::none());
  ask_any_function = any.release().ptr();
  const py::object module_name = m.attr("__name__");
  PyObject* const made = PyCFunction_NewEx(&direct, nullptr, module_name.ptr());
  if (made == nullptr) throw py::error_already_set();
  m.attr("intersects") = py::reinterpret_steal<py::object>(made);
}

}  // namespace touche::python
