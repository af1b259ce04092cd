// SPDX-License-Identifier: Apache-2.0
// The viewer in reports and in a page of its own, where the module was built with it.
#pragma once

#include <string>

#include "touche/clash.h"
#include "touche/simulation.h"
#include "touche/study.h"

namespace touche::python {

/// For PageNotes::viewer; empty in a build without the viewer.
std::string viewer_of(const StudyResult& result);
std::string viewer_of(const ClashResult& result);
std::string viewer_of(const SimulationResult& result);

}  // namespace touche::python
