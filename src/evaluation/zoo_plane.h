// SPDX-License-Identifier: Apache-2.0
// The volumes of the plane around outlines.
#pragma once

#include "touche/methods/zoo.h"

namespace touche::evaluation {

std::vector<ZooVolume> zoo_of_plane(const std::vector<ZooOutline>& outlines,
                                    const ZooOptions& options);

}  // namespace touche::evaluation
