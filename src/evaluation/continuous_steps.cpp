// SPDX-License-Identifier: Apache-2.0
#include "study/step_bounds.h"
#include "touche/methods/continuous_evaluation.h"

namespace touche {

ContinuousStudy continuous_study_of(const Study& study, std::vector<Object> parts) {
  ContinuousStudy result{study.title, std::move(parts), {}};
  const std::vector<std::size_t> groups = study::group_of_part(study);
  const std::vector<Ball> balls = study::balls_around(result.parts);
  for (std::size_t k = 0; k + 1 < study.times.size(); ++k) {
    const study::StepBounds bounds(study, result.parts, balls, groups, k);
    std::vector<ContinuousStudy::Pair> pairs;
    for (std::size_t a = 0; a < groups.size(); ++a)
      for (std::size_t b = a + 1; b < groups.size(); ++b)
        if (groups[a] != groups[b] && !(bounds.is_still(a) && bounds.is_still(b)) &&
            !bounds.apart(a, b, 0))
          pairs.push_back({a, b, bounds.motion(a), bounds.motion(b)});
    if (!pairs.empty()) result.steps.push_back(std::move(pairs));
  }
  return result;
}

}  // namespace touche
