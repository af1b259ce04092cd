// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "path/orientation.h"
#include "touche/path.h"

namespace touche {

/// The same for a soup whose triangles are already oriented.
InsideFault inside_fault(const PolygonSoup& soup, const paths::Oriented& surface);

}  // namespace touche
