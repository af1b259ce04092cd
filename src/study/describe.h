// SPDX-License-Identifier: Apache-2.0
// Names features, contacts and points in results.
#pragma once

#include <string>
#include <vector>

#include "report/words.h"
#include "touche/study.h"

namespace touche::study {

/// "vertex 7", "edge 3–4" (its vertices) or "face".
std::string describe(const Feature& feature, const PolygonSoup& soup);

/// Returns whether the parts are drawings of the plane; their faces are called edges in texts.
bool of_drawings(const StudyResult& result);

/// "surface", or "outline" for drawings.
inline const char* surface_word(const StudyResult& result) {
  return of_drawings(result) ? "outline" : "surface";
}
/// "face", or "edge" for drawings.
inline const char* face_word(const StudyResult& result) {
  return of_drawings(result) ? "edge" : "face";
}

/// "vertex 7", "edge 3–4", or empty if the feature is the whole face (of a drawing: the edge).
/// Empty for shapes, whose faces are in no file.
std::string describe_place(const StudyResult& result, std::size_t part, const Feature& feature);

/// "nut face 12, vertex 7 – bolt face 80, edge 3–4"; "key edge 12, vertex 7 – lock edge 80".
std::string describe_contact(const StudyResult& result, const PairStep& pair);

/// The remarks on the files of the parts. A remark on a file of several parts is there once, with
/// the name of the first of them.
std::vector<std::string> file_remarks(const Study& study, const std::vector<Object>& parts);

/// What is odd in a study and its files: file_remarks, Study::remarks, doubts of units.
std::vector<std::string> input_remarks(const Study& study, const std::vector<Object>& parts);

/// "the tolerance of 1 mm is larger than the clearance of 0.5 mm: ..."; empty if it is not, or if
/// there is no clearance. `length` writes lengths.
std::string tolerance_remark(double tolerance, double clearance, const report::Lengths& length);

/// Converts a world point at s to the coordinates of the part's file, or of its shape.
Vec3 in_file(const Study& study, std::size_t part, double s, const Vec3& point);

}  // namespace touche::study
