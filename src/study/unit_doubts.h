// SPDX-License-Identifier: Apache-2.0
// Doubts the units of the files of a study or a scene.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "touche/study.h"

namespace touche::study {

/// A part that is read from a mesh file without "unit" and "scale".
struct UnitlessPart {
  std::string name;
  std::filesystem::path file;
  double size = 0;  ///< diagonal of its box
};

/// `unit`: of the study or scene; `what`: "study" or "scene".
std::vector<std::string> unit_doubts(double size_of_all, const std::vector<UnitlessPart>& parts,
                                     std::string_view unit, std::string_view what);

/// Of the parts at their start poses.
std::vector<std::string> unit_doubts(const Study& study, const std::vector<Object>& parts);

}  // namespace touche::study
