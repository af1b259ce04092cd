// SPDX-License-Identifier: Apache-2.0
#include "study/shape_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/words.h"
#include "study/json_text.h"

namespace touche::study {
namespace {

// "14 × 14 × 14", or a number.
std::string lengths(const Json& value) {
  std::string text;
  for (const Json& one : value.is_array() ? value : Json::array({value}))
    text += fmt::format("{}{:.6g}", text.empty() ? "" : " × ", one.get<double>());
  return text;
}

std::string count(const Json& list, const char* what) {
  return fmt::format("{} {}{}", list.size(), what, list.size() == 1 ? "" : "s");
}

std::string text_of(const Json& shape, const std::string& file) {
  std::string text = shape["type"].get<std::string>();
  if (text == "hull")
    text += " of " + (shape.contains("points") ? count(shape["points"], "point") : file);
  if (text == "zonotope") text += " of " + count(shape["generators"], "generator");
  if (text == "sum") {
    std::string parts;
    for (const Json& part : shape["of"])
      parts += fmt::format("{}{}", parts.empty() ? "" : " + ", text_of(part, file));
    text += " (" + parts + ")";
  }
  for (const char* key : {"radius", "length", "height", "size", "half_axes", "rounded"})
    if (shape.contains(key)) {
      std::string name = key;
      std::replace(name.begin(), name.end(), '_', ' ');
      text += fmt::format(", {} {}", name, lengths(shape[key]));
    }
  return text;
}

}  // namespace

bool has_shapes(const Study& study) {
  return std::any_of(study.parts.begin(), study.parts.end(),
                     [](const StudyPart& part) { return part.shape.has_value(); });
}

double mesh_error_of(const Study& study, std::size_t part) {
  const std::optional<PartShape>& shape = study.parts[part].shape;
  return shape ? shape->mesh_error : 0;
}

double mesh_error_of(const Study& study) {
  double most = 0;
  for (std::size_t p = 0; p < study.parts.size(); ++p)
    most = std::max(most, mesh_error_of(study, p));
  return most;
}

std::string shape_text(const StudyPart& part) {
  return text_of(Json::parse(part.shape->json), part.file.filename().string());
}

std::string mesh_error_remark(const Study& study) {
  const double error = mesh_error_of(study);
  if (!(error > 0)) return "";
  return fmt::format(
      "round shapes are tested as polyhedra around them, which are larger by up to {}: the verdict "
      "free holds for the shapes; where a contact is reported there may be a gap, and clearances "
      "may be larger, by as much for each of the two",
      report::length_text(error, study.unit, report::Rounding::up));
}

std::string gap_sentence(const StudyResult& result) {
  if (!result.first || result.verdict != StudyVerdict::contact) return "";
  const PairStep& pair = result.pairs[*result.first];
  const double gap =
      mesh_error_of(result.study, pair.part_a) + mesh_error_of(result.study, pair.part_b);
  if (!(gap > 0)) return "";
  return fmt::format(
      " At the first contact they may still be up to {} apart: round shapes are tested as "
      "polyhedra around them.",
      report::length_text(gap, result.study.unit, report::Rounding::up));
}

}  // namespace touche::study
