// SPDX-License-Identifier: Apache-2.0
// The parts of the module. Each adds its classes and functions.
#pragma once

#include <pybind11/pybind11.h>

namespace touche::python {

void add_errors(pybind11::module_& m);
void add_poses(pybind11::module_& m);
void add_bodies(pybind11::module_& m);
void add_results(pybind11::module_& m);
void add_queries(pybind11::module_& m);
void add_batches(pybind11::module_& m);

}  // namespace touche::python
