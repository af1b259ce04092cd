// SPDX-License-Identifier: Apache-2.0
#include "study/conclude.h"

#include <algorithm>
#include <map>

#include "study/allowed.h"

namespace touche {
namespace {

bool touches(const PairStep& pair) {
  return pair.status == StepStatus::contact || pair.status == StepStatus::initially_touching;
}

// A step has the most severe status of its pairs. An undecided pair may be a contact, so it is more
// severe than one.
int gravity(StepStatus status) {
  switch (status) {
    case StepStatus::free:
      return 0;
    case StepStatus::contact:
      return 1;
    case StepStatus::initially_touching:
      return 2;
    case StepStatus::undecided:
      return 3;
    case StepStatus::not_examined:
      return 4;
  }
  return 4;
}

void judge_steps(std::size_t examined_steps, StudyResult& result) {
  for (std::size_t k = 0; k < result.steps.size(); ++k) {
    StudyStep& step = result.steps[k];
    if (k < examined_steps)
      step.status = StepStatus::free;
    else
      step = {.s_start = step.s_start,
              .s_end = step.s_end,
              .status = StepStatus::not_examined,
              .stats = {}};
  }
  for (const PairStep& pair : result.pairs) {
    if (pair.allowed && touches(pair)) continue;
    StepStatus& status = result.steps[pair.step].status;
    if (gravity(pair.status) > gravity(status)) status = pair.status;
  }
}

void find_first(const Study& study, StudyResult& result) {
  for (std::size_t i = 0; i < result.pairs.size(); ++i) {
    const PairStep& pair = result.pairs[i];
    if (!touches(pair) || pair.allowed) continue;
    const double s = path_position(study, pair.step, pair.time.upper);
    if (s < result.time.upper) {
      result.time.upper = s;
      result.first = i;
    }
  }
}

// Finds the first contact of each pair that may touch.
void find_allowed(const Study& study, StudyResult& result) {
  for (std::size_t i = 0; i < study.allowed_contacts.size(); ++i) {
    const AllowedContact& allowed = study.allowed_contacts[i];
    double s = kInfinity;
    for (const PairStep& pair : result.pairs)
      if (touches(pair) && pair.part_a == allowed.part_a && pair.part_b == allowed.part_b)
        s = std::min(s, path_position(study, pair.step, pair.time.upper));
    if (s < kInfinity) result.allowed.push_back({i, s});
  }
}

// Finds where parts that touch at the start have separated; the last step that reports a position
// counts.
void find_separated(const Study& study, StudyResult& result) {
  std::map<std::pair<std::size_t, std::size_t>, double> separated;
  for (const PairStep& pair : result.pairs)
    if (pair.separated_at > 0)
      separated[{pair.part_a, pair.part_b}] = path_position(study, pair.step, pair.separated_at);
  for (const auto& [pair, s] : separated) result.separated.push_back({pair.first, pair.second, s});
}

}  // namespace

namespace study {

void conclude_steps(const Study& study, std::size_t examined_steps, StudyResult& result) {
  judge_steps(examined_steps, result);
  find_first(study, result);
  find_allowed(study, result);
  find_separated(study, result);
  std::stable_sort(result.clearances.begin(), result.clearances.end(),
                   [](const Clearance& x, const Clearance& y) { return x.pose < y.pose; });

  result.time.lower = examined_steps < study.times.size() - 1 ? study.times[examined_steps] : 1;
  for (const PairStep& pair : result.pairs)
    if (pair.status != StepStatus::free && !(pair.allowed && touches(pair)))
      result.time.lower =
          std::min(result.time.lower, path_position(study, pair.step, pair.time.lower));
  for (const StudyStep& step : result.steps) result.stats += step.stats;
}

void conclude(const Study& study, bool complete, StudyResult& result) {
  const auto any = [&](StepStatus status) {
    return std::any_of(result.pairs.begin(), result.pairs.end(),
                       [&](const PairStep& pair) { return pair.status == status; });
  };
  // The path is not free once a part lies inside another one.
  bool inside = false;
  for (const PartInside& pair : result.containments) {
    if (is_allowed(study, pair.part_a, pair.part_b)) continue;
    inside = true;
    result.time.lower = std::min(result.time.lower, pair.s);
  }
  // True if all contacts are known, but it was not decided whether one part contains the other.
  const auto may_hold = [&](const PairPath& pair) {
    const PathResult& path = pair.path;
    return path.verdict == PathVerdict::undecided && path.decided_until == 1 &&
           (path.before == Containment::undecided ||
            std::any_of(path.contacts.begin(), path.contacts.end(),
                        [](const auto& c) { return c.after == Containment::undecided; })) &&
           !is_allowed(study, pair.part_a, pair.part_b);
  };
  const bool not_told = std::any_of(result.paths.begin(), result.paths.end(), may_hold);
  if (not_told) result.time.lower = 0;
  result.verdict = !complete || any(StepStatus::not_examined) ? StudyVerdict::interrupted
                   : result.first                             ? StudyVerdict::contact
                   : inside                                   ? StudyVerdict::inside
                   : not_told || any(StepStatus::undecided)   ? StudyVerdict::undecided
                   : !result.may_contain.empty()              ? StudyVerdict::open
                                                              : StudyVerdict::free;
}

}  // namespace study

double path_position(const Study& study, std::size_t step, double t) {
  const double begin = study.times[step], end = study.times[step + 1];
  if (t >= 1) return end;
  return std::min(end, begin + t * (end - begin));
}

}  // namespace touche
