// SPDX-License-Identifier: Apache-2.0
// The sections of report.html; report.cpp puts them together.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// An item of a list: what is tested for shapes; empty where there are none.
std::string shapes_item(const StudyView& view);

std::string contacts_section(const StudyView& view);
std::string places_section(const StudyView& view);
std::string parts_section(const StudyView& view);
std::string foundation_section(const StudyView& view);

}  // namespace touche::study
