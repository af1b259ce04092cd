// SPDX-License-Identifier: Apache-2.0
// touche.Error, InvalidInput (a ValueError), LoadError (an OSError) and Undecided.
#pragma once

#include <pybind11/pybind11.h>

namespace touche::python {

namespace py = pybind11;

/// Sets the error of Python to touche.Undecided.
void set_undecided(const char* what);
/// Raises it.
[[noreturn]] void raise_undecided(const char* what);

}  // namespace touche::python
