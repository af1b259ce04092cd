// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include <pybind11/stl.h>

#include <iterator>
#include <string>
#include <utility>

#include "run.h"
#include "touche/simd.h"
#include "touche/version.h"

namespace {

namespace py = pybind11;

// An object that `__new__` made without `__init__` has no value. pybind11 would allocate one and
// read whatever is there.
void refuse_unmade(const py::module_& m) {
  for (const auto& [name, value] : m.attr("__dict__").cast<py::dict>()) {
    if (PyType_Check(value.ptr()) == 0) continue;
    auto* const type = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()));
    if (type == nullptr) continue;
    type->operator_new = [](std::size_t) -> void* {
      throw py::type_error("an object that was made without __init__ has no value");
    };
  }
}

// pybind11 before 2.12 reads the arrays of NumPy 2 at wrong positions.
void require_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (version.starts_with("1.")) return;
  throw py::import_error("touche: this build needs NumPy 1, found " + version +
                         "; build it with pybind11 2.12 or later");
#endif
}

// Functions of pybind11 cannot be pickled, and so not be given to other processes. Functions
// without an object of their own can.
constexpr const char* kPickled[] = {"distance", "time_of_impact", "intersects_many",
                                    "distance_many", "time_of_impact_many"};
constexpr std::size_t kCount = std::size(kPickled);
PyObject* targets[kCount];  // they live as long as the interpreter
PyMethodDef methods[kCount];

template <std::size_t i>
PyObject* forward(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  return PyObject_Vectorcall(targets[i], arguments, static_cast<std::size_t>(count), names);
}

template <std::size_t... i>
void make_pickled(const py::module_& m, std::index_sequence<i...>) {
  const auto replace = [&](std::size_t k, auto* function) {
    const py::object target = m.attr(kPickled[k]), module_name = m.attr("__name__");
    targets[k] = target.inc_ref().ptr();
    // Python takes the signature off the text; here it is put in front again.
    const auto doc =
        py::str("{}{}\n--\n\n{}")
            .format(kPickled[k], target.attr("__text_signature__"), target.attr("__doc__"));
    methods[k] = {kPickled[k],
                  reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
                  METH_FASTCALL | METH_KEYWORDS, PyUnicode_AsUTF8(doc.inc_ref().ptr())};
    PyObject* const made = PyCFunction_NewEx(&methods[k], nullptr, module_name.ptr());
    if (made == nullptr) throw py::error_already_set();
    m.attr(kPickled[k]) = py::reinterpret_steal<py::object>(made);
  };
  (replace(i, &forward<i>), ...);
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  using namespace touche::python;
  require_numpy();
  m.doc() = "The compiled part of touche.";
  m.attr("__version__") = touche::kVersion;
  m.def("simd_targets", &touche::simd_targets,
        "The compiled instruction sets that this machine has, the first in use.");
  add_errors(m);
  add_poses(m);
  add_bodies(m);
  add_results(m);
  add_intersects(m);
  add_queries(m);
  add_batches(m);
  add_insides(m);
  add_paths(m);
  add_worlds(m);
  add_dynamics(m);
  add_files(m);
  add_pictures(m);
  add_viewer(m);
  make_pickled(m, std::make_index_sequence<kCount>());
  refuse_unmade(m);
  py::module_::import("atexit").attr("register")(py::cpp_function(&end_queries));
}
