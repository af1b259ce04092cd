// SPDX-License-Identifier: Apache-2.0
// Parts that are convex shapes, in words: what they are, and what is not known of them.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// Whether parts are shapes.
bool has_shapes(const Study& study);

/// How much larger the polyhedron of a part may be than the part: 0 of all but round shapes.
double mesh_error_of(const Study& study, std::size_t part);
/// The greatest of all parts.
double mesh_error_of(const Study& study);

/// "sphere, radius 20" or "hull of scan.stl, rounded 1".
std::string shape_text(const StudyPart& part);

/// Tells what stands for round shapes, and what that means for answers; empty where there are none.
std::string mesh_error_remark(const Study& study);

/// A sentence, with a space before it, about a first contact with round shapes, which may be a gap;
/// empty of all others.
std::string gap_sentence(const StudyView& view);

}  // namespace touche::study
