// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include "touche/version.h"

PYBIND11_MODULE(_core, m) {
  using namespace touche::python;
  m.doc() = "The compiled part of touche.";
  m.attr("__version__") = touche::kVersion;
  add_errors(m);
  add_poses(m);
  add_bodies(m);
  add_results(m);
  add_queries(m);
  add_batches(m);
}
