// SPDX-License-Identifier: Apache-2.0
// The parts of the module. Each adds its classes and functions. Functions whose names begin with an
// underscore take all arguments by position; the files of python/touche call them and have the
// documentation.
#pragma once

#include <pybind11/pybind11.h>

#include "numbers.h"

namespace touche::python {

void add_errors(pybind11::module_& m);
void add_poses(pybind11::module_& m);
void add_bodies(pybind11::module_& m);
void add_results(pybind11::module_& m);
void add_intersects(pybind11::module_& m);
void add_queries(pybind11::module_& m);
void add_batches(pybind11::module_& m);
void add_insides(pybind11::module_& m);
void add_paths(pybind11::module_& m);
void add_worlds(pybind11::module_& m);
void add_dynamics(pybind11::module_& m);
void add_files(pybind11::module_& m);
void add_pictures(pybind11::module_& m);
void add_viewer(pybind11::module_& m);

}  // namespace touche::python
