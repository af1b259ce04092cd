// SPDX-License-Identifier: Apache-2.0
#include "study/travel.h"

#include <algorithm>
#include <cmath>

#include "math/motion_data.h"
#include "report/words.h"
#include "study/step_bounds.h"

namespace touche::study {
namespace {

using namespace report;

// A chord of such an arc is 4e-5 shorter than the arc.
constexpr double kMostAngle = 0.03;
constexpr int kFunctionChords = 64;

constexpr double kLeastAngle = 1e-3;  // smaller angles are not reported

}  // namespace

Travel travel(const Motion& motion, const Vec3& point, double t) {
  Travel sum;
  for (const detail::Piece& piece : math::pieces_of(motion)) {
    const double begin = piece.t_begin, end = std::min(piece.t_end, t);
    if (!(end > begin)) break;
    const int chords = piece.kind == detail::PieceKind::function
                           ? kFunctionChords
                           : 1 + static_cast<int>(std::abs(piece.angle) / kMostAngle);
    Pose last = detail::pose(piece, begin);
    for (int i = 1; i <= chords; ++i) {
      const Pose next = detail::pose(piece, begin + (end - begin) * i / chords);
      sum.length += (next * point - last * point).norm();
      sum.angle += relative(last, next).axis_angle().angle;
      last = next;
    }
  }
  return sum;
}

Travel travel_of_part(const StudyResult& result, std::size_t part, double s) {
  const std::size_t group = group_of_part(result.study)[part];
  if (group == kFixed) return {};
  Aabb box;
  for (const std::size_t p : result.study.groups[group].parts)
    box.include(result.parts[p].bounds());
  return travel(result.study.groups[group].motion, box.centre(), s);
}

std::string travel_text(const Study& study, const Travel& travel) {
  std::string text;
  if (travel.length > study.tolerance) text = length_text(travel.length, study.unit);
  if (travel.angle < kLeastAngle) return text;
  return text + (text.empty() ? "" : ", ") + angle_text(travel.angle);
}

std::size_t moving_part(const Study& study, std::size_t part_a, std::size_t part_b, double s) {
  const std::vector<std::size_t> groups = group_of_part(study);
  if (groups[part_a] == kFixed || groups[part_b] == kFixed)
    return groups[part_a] == kFixed ? part_b : part_a;
  const auto after = std::upper_bound(study.times.begin() + 1, study.times.end() - 1, s);
  const Motion& motion = study.groups[groups[part_a]].motion;
  return motion.part(*(after - 1), *after).is_still() ? part_b : part_a;
}

}  // namespace touche::study
