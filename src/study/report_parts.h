// SPDX-License-Identifier: Apache-2.0
// The sections of report.html, which report.cpp assembles.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// A list item that says which polyhedra replace shapes; empty if there are no shapes.
std::string shapes_item(const StudyResult& result);

std::string contacts_section(const StudyResult& result);
std::string places_section(const StudyResult& result);
std::string parts_section(const StudyResult& result);
std::string foundation_section(const StudyResult& result);

}  // namespace touche::study
