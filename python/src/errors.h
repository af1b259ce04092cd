// SPDX-License-Identifier: Apache-2.0
// touche.Error, InvalidInput (a ValueError), LoadError (an OSError) and Undecided.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace touche::python {

namespace py = pybind11;

/// Sets the error of Python to touche.Undecided.
void set_undecided(const char* what);
/// Raises it.
[[noreturn]] void raise_undecided(const char* what);

/// Raises an error of this type, or touche.InvalidInput if that is null, with the argument that is
/// wrong as its attribute `value`.
[[noreturn]] void raise_of_argument(PyObject* type, const std::string& text, py::handle value);

}  // namespace touche::python
