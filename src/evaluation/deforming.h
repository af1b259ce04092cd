// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/methods/evaluation.h"

namespace touche::evaluation {

/// On one thread, with van den Bergen's builder: halves at the middle of the longest axis.
DeformingTrial deforming_trial(const DeformingCase& scene, const std::string& volume);

}  // namespace touche::evaluation
