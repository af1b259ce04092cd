// SPDX-License-Identifier: Apache-2.0
// The methods that are compared.
#pragma once

#include <string>
#include <vector>

#include "touche/methods/continuous_evaluation.h"

namespace touche::evaluation {

struct NamedMethod {
  std::string name;
  ContinuousOptions options;
  bool plotted = false;  ///< along the motion, as in the thesis' figures
};
const std::vector<NamedMethod>& continuous_methods();

inline constexpr const char* kCertified = "certified";

/// For each kind of volume and each method to sweep it.
std::vector<ContinuousEvaluation::SweptVolume> measure_swept_volumes();
std::vector<ContinuousEvaluation::PathVolume> measure_path_volumes();

}  // namespace touche::evaluation
