// SPDX-License-Identifier: Apache-2.0
#include "study/describe.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "bvh/object_data.h"
#include "path/interior.h"
#include "plane/flat_outline.h"
#include "report/words.h"
#include "study/shape_words.h"
#include "study/step_bounds.h"
#include "study/unit_doubts.h"
#include "touche/path.h"

namespace touche {

namespace study {

std::string describe(const Feature& feature, const PolygonSoup& soup) {
  const bool edge = feature.kind == FeatureKind::edge;
  const Index start = edge ? soup.corner_vertex(feature.index) : kNone;
  const Index end = edge ? soup.corner_vertex(soup.next_corner(feature.index)) : kNone;
  switch (feature.kind) {
    case FeatureKind::vertex:
      return fmt::format("vertex {}", feature.index);
    case FeatureKind::edge:
      // The text is the same for either half-edge of the edge.
      return fmt::format("edge {}–{}", std::min(start, end), std::max(start, end));
    case FeatureKind::face:
      return "face";
  }
  return "?";
}

bool of_drawings(const StudyResult& result) {
  return !result.parts.empty() && bvh::flat_of(result.parts.front()) != nullptr;
}

std::string describe_place(const StudyResult& result, std::size_t part, const Feature& feature) {
  if (result.study.parts[part].shape) return "";
  const FeatureKind whole = of_drawings(result) ? FeatureKind::edge : FeatureKind::face;
  return feature.kind == whole ? "" : describe(feature, result.parts[part].soup());
}

std::string describe_contact(const StudyResult& result, const PairStep& pair) {
  const auto side = [&](std::size_t part, Index face, const Feature& feature) {
    std::string text = result.study.parts[part].name;
    if (!pair.contact || result.study.parts[part].shape) return text;
    text += fmt::format(" {} {}", face_word(result), face);
    const std::string place = describe_place(result, part, feature);
    return place.empty() ? text : text + ", " + place;
  };
  const Contact c = pair.contact.value_or(Contact{});
  return fmt::format("{} – {}", side(pair.part_a, c.face_a, c.feature_a),
                     side(pair.part_b, c.face_b, c.feature_b));
}

Vec3 in_file(const Study& study, std::size_t part, double s, const Vec3& point) {
  const Vec3 at_start = pose_of_part(study, part, s).inverse() * point;
  const StudyPart& own = study.parts[part];
  return own.frame.in_file(own.pose.inverse() * at_start / own.scale);
}

std::vector<std::string> file_remarks(const Study& study, const std::vector<Object>& parts) {
  std::vector<std::string> remarks;
  std::set<std::pair<std::filesystem::path, std::string>> known;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const std::string& remark : plane::remarks_of(parts[p]))
      if (known.emplace(study.parts[p].file, remark).second)
        remarks.push_back(fmt::format("{}: {}", study.parts[p].name, remark));
  return remarks;
}

std::string tolerance_remark(double tolerance, double clearance, const report::Lengths& length) {
  if (!(clearance > 0 && tolerance > clearance)) return "";
  return fmt::format(
      "the tolerance of {} is larger than the clearance of {}: parts that keep the clearance may "
      "be "
      "reported as touching",
      length.text(tolerance), length.text(clearance));
}

std::vector<std::string> input_remarks(const Study& study, const std::vector<Object>& parts) {
  std::vector<std::string> remarks = file_remarks(study, parts);
  remarks.insert(remarks.end(), study.remarks.begin(), study.remarks.end());
  for (std::string& remark : unit_doubts(study, parts)) remarks.push_back(std::move(remark));
  return remarks;
}

namespace {

InsideFault fault_of(const StudyResult& result, std::size_t part) {
  const std::vector<Health>& health = result.health;
  const bool is_flat = bvh::flat_of(result.parts[part]) != nullptr;
  const bool is_sound = part < health.size() && health[part].non_manifold_edges == 0 &&
                        health[part].inconsistent_edges == 0 && health[part].components <= 1;
  return is_flat || is_sound ? InsideFault::none : inside_fault(result.parts[part].soup());
}

// Of a part whose gaps are wider than slits.
double closed_gap_of(const StudyResult& result, std::size_t part) {
  const Object& object = result.parts[part];
  if (bvh::flat_of(object) != nullptr || part >= result.health.size() || result.health[part].closed)
    return 0;
  const Interior interior(object);
  return base::data_of(interior).is_capped() ? interior.closed_gap() : 0;
}

}  // namespace
}  // namespace study

std::vector<std::string> study_remarks(const StudyResult& result) {
  const Study& own = result.study;
  std::vector<std::string> remarks = study::input_remarks(own, result.parts);
  if (std::string remark = study::tolerance_remark(own.tolerance, own.clearance, {own.unit, ""});
      !remark.empty())
    remarks.push_back(std::move(remark));
  for (std::size_t p = 0; p < result.parts.size(); ++p)
    if (const auto fault = study::fault_of(result, p); fault != InsideFault::none)
      remarks.push_back(fmt::format("{}: {}", result.study.parts[p].name, remark_of(fault)));
  for (std::size_t p = 0; p < result.parts.size(); ++p)
    if (const double gap = study::closed_gap_of(result, p); gap > 0)
      remarks.push_back(
          fmt::format("{}: its gaps are no wider than {} and count as closed for what lies in it",
                      result.study.parts[p].name,
                      report::length_text(gap, result.study.unit, report::Rounding::up)));
  if (const double error = plane::chord_error_of(result.parts); error > 0)
    remarks.push_back(
        plane::chord_remark(report::length_text(error, result.study.unit, report::Rounding::up)));
  if (std::string remark = study::mesh_error_remark(result.study); !remark.empty())
    remarks.push_back(std::move(remark));
  return remarks;
}

}  // namespace touche
