// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include <pybind11/stl.h>

#include "touche/simd.h"
#include "touche/version.h"

PYBIND11_MODULE(_core, m) {
  using namespace touche::python;
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
}
