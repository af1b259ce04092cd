// SPDX-License-Identifier: Apache-2.0
// The sections of report.html; report.cpp puts them together.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

std::string contacts_section(const Study& study, const std::vector<Object>& parts,
                             const StudyResult& result);
std::string paths_section(const Study& study, const StudyResult& result);
std::string parts_section(const Study& study, const std::vector<Object>& parts,
                          const StudyResult& result);
std::string foundation_section(const Study& study, const StudyResult& result);

}  // namespace touche::study
