// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "report/csv.h"
#include "study/describe.h"
#include "study/facts.h"
#include "touche/study.h"

namespace touche {
namespace {

using report::cell;

constexpr std::size_t kColumnsAfterStatus = 29, kContactColumns = 19;

using ClearanceKey = std::array<std::size_t, 3>;

std::string cell(const Feature& f) { return fmt::format("{} {}", name(f.kind), f.index); }

std::string csv_vector(const Vec3& v) { return fmt::format("{},{},{}", v.x(), v.y(), v.z()); }

std::string contact_cells(const Study& study, const PairStep& pair) {
  if (!pair.contact) return std::string(kContactColumns - 1, ',');
  const Contact& c = *pair.contact;
  const double s = path_position(study, pair.step, pair.time.upper);
  return fmt::format("{},{},{},{},{},{},{},{},{}", c.face_a, c.face_b, cell(c.feature_a),
                     cell(c.feature_b), csv_vector(c.point_a), csv_vector(c.point_b),
                     csv_vector(c.normal),
                     csv_vector(study::in_file(study, pair.part_a, s, c.point_a)),
                     csv_vector(study::in_file(study, pair.part_b, s, c.point_b)));
}

}  // namespace

std::string result_csv(const StudyResult& result) {
  std::map<ClearanceKey, double> clearance;
  for (const Clearance& c : result.clearances) clearance[{c.pose, c.part_a, c.part_b}] = c.distance;
  const auto clearance_cell = [&](std::size_t pose, const PairStep& pair) {
    const auto found = clearance.find({pose, pair.part_a, pair.part_b});
    return found == clearance.end() ? std::string() : cell(found->second);
  };

  std::map<std::pair<std::size_t, std::size_t>, std::string_view> paths;
  for (const PairPath& path : result.paths)
    paths[{path.part_a, path.part_b}] = name(path.path.verdict);
  const auto path_cell = [&](const PairStep& pair) -> std::string_view {
    const auto found = paths.find({pair.part_a, pair.part_b});
    if (found != paths.end()) return found->second;
    return study::missing_paths(result) > 0 ? "not_followed" : "";
  };

  std::string out =
      "step,s_start,s_end,part_a,part_b,status,t_free_until,t_touched_at,s_free_until,"
      "s_touched_at,clearance_at_start,clearance_at_end,face_a,face_b,feature_a,feature_b,"
      "point_a_x,point_a_y,point_a_z,point_b_x,point_b_y,point_b_z,normal_x,normal_y,normal_z,"
      "point_a_in_file_x,point_a_in_file_y,point_a_in_file_z,"
      "point_b_in_file_x,point_b_in_file_y,point_b_in_file_z,"
      "node_pairs,primitive_tests,reason,path\n";
  auto pair = result.pairs.begin();
  for (std::size_t k = 0; k < result.steps.size(); ++k) {
    const StudyStep& step = result.steps[k];
    const std::string head = fmt::format("{},{},{}", k, step.s_start, step.s_end);
    if (pair == result.pairs.end() || pair->step != k) {
      // No pair was examined in this step: write one line that says so.
      out += fmt::format("{},,,{}{}\n", head, name(step.status),
                         std::string(kColumnsAfterStatus, ','));
      continue;
    }
    for (; pair != result.pairs.end() && pair->step == k; ++pair) {
      const double s_touched = std::isfinite(pair->time.upper)
                                   ? path_position(result.study, k, pair->time.upper)
                                   : kInfinity;
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", head,
                         cell(result.study.parts[pair->part_a].name),
                         cell(result.study.parts[pair->part_b].name), name(pair->status),
                         pair->time.lower, cell(pair->time.upper),
                         path_position(result.study, k, pair->time.lower), cell(s_touched),
                         clearance_cell(k, *pair), clearance_cell(k + 1, *pair),
                         contact_cells(result.study, *pair), pair->stats.node_pairs,
                         pair->stats.primitive_tests, cell(pair->reason), path_cell(*pair));
    }
  }
  return out;
}

}  // namespace touche
