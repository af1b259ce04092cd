// SPDX-License-Identifier: Apache-2.0
// A build without the viewer: reports have pictures only.
#include "module.h"
#include "viewing.h"

namespace touche::python {

std::string viewer_of(const StudyResult&) { return {}; }
std::string viewer_of(const ClashResult&) { return {}; }
std::string viewer_of(const SimulationResult&) { return {}; }

void add_viewer(pybind11::module_&) {}

}  // namespace touche::python
