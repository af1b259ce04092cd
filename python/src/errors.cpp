// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <cstring>

#include "module.h"
#include "touche/types.h"

namespace touche::python {
namespace {

// They live as long as the interpreter.
PyObject *error, *invalid_input, *load_error, *undecided_error;

PyObject* new_error(py::module_& m, const char* name, const char* doc, const py::tuple& bases) {
  PyObject* made =
      PyErr_NewExceptionWithDoc((std::string("touche.") + name).c_str(), doc, bases.ptr(), nullptr);
  if (made == nullptr) throw py::error_already_set();
  m.attr(name) = py::reinterpret_borrow<py::object>(made);
  return made;
}

// Names of files in texts may be no UTF-8.
void raise(PyObject* type, const char* text) {
  const auto size = static_cast<Py_ssize_t>(std::strlen(text));
  const auto decoded =
      py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(text, size, "surrogateescape"));
  if (decoded) PyErr_SetObject(type, decoded.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const LoadError& e) {
    raise(load_error, e.what());
  } catch (const InvalidInput& e) {
    raise(invalid_input, e.what());
  } catch (const Error& e) {
    raise(error, e.what());
  }
}

}  // namespace

void set_undecided(const char* what) { PyErr_SetString(undecided_error, what); }

void raise_undecided(const char* what) {
  set_undecided(what);
  throw py::error_already_set();
}

void raise_of_argument(PyObject* type, const std::string& text, py::handle value) {
  const auto of = py::reinterpret_borrow<py::object>(type == nullptr ? invalid_input : type);
  const py::object raised = of(text);
  raised.attr("value") = value;
  PyErr_SetObject(of.ptr(), raised.ptr());
  throw py::error_already_set();
}

void add_errors(py::module_& m) {
  const auto type = [](PyObject* of) { return py::reinterpret_borrow<py::object>(of); };
  error = new_error(m, "Error", "The base of all errors of touche.",
                    py::make_tuple(type(PyExc_Exception)));
  invalid_input = new_error(m, "InvalidInput", "An argument is out of range; the text names it.",
                            py::make_tuple(type(error), type(PyExc_ValueError)));
  load_error =
      new_error(m, "LoadError", "A file cannot be read: the text is `file:position: reason`.",
                py::make_tuple(type(error), type(PyExc_OSError)));
  undecided_error =
      new_error(m, "Undecided",
                "The truth value of an answer that is undecided: a limit ended the query, or "
                "rounding hides it.",
                py::make_tuple(type(error)));
  py::register_exception_translator(translate);
}

}  // namespace touche::python
