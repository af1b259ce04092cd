// SPDX-License-Identifier: Apache-2.0
// Describes parts that are convex shapes: their dimensions, and the error of the polyhedra that
// replace them.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// Returns whether any part is a shape.
bool has_shapes(const Study& study);

/// By how much the polyhedron that replaces a part may exceed it; 0 except for round shapes.
double mesh_error_of(const Study& study, std::size_t part);
/// The maximum over all parts.
double mesh_error_of(const Study& study);

/// "sphere, radius 20" or "hull of scan.stl, rounded 1".
std::string shape_text(const StudyPart& part);

/// Says which polyhedra replace round shapes and how this affects the answers; empty if there are
/// no round shapes.
std::string mesh_error_remark(const Study& study);

/// A sentence, with a leading space, that a first contact of round shapes may be a gap; empty for
/// other contacts.
std::string gap_sentence(const StudyResult& result);

}  // namespace touche::study
