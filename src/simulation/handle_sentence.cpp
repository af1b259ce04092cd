// SPDX-License-Identifier: Apache-2.0
// Describes in one sentence what happened to the part in the hand.
#include <fmt/core.h>

#include "report/words.h"
#include "simulation/handle_facts.h"

namespace touche {
namespace {

using namespace report;
using simulation::HandleFacts;

// "the bolt", "the reflector and the housing", "the reflector, the housing and 2 more parts"
std::string names_of(const HandleResult& result, const std::vector<std::size_t>& parts) {
  constexpr std::size_t kNamed = 2;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, parts.size()); ++i)
    text += fmt::format("{}{}",
                        i == 0                  ? ""
                        : parts.size() > kNamed ? ", "
                                                : " and ",
                        with_article(result.study.parts[parts[i]].name));
  if (parts.size() <= kNamed) return text;
  const std::size_t more = parts.size() - kNamed;
  return text + fmt::format(" and {} more part{}", more, more == 1 ? "" : "s");
}

std::string seconds_text(double seconds) { return digits(seconds) + " s"; }

std::string followed(const HandleResult& result, const HandleFacts& facts) {
  const std::string who = begin_sentence(with_article(result.study.groups[result.group].name));
  if (facts.seconds > 0 && facts.touching == facts.seconds)
    return fmt::format(
        "{} did not move: at the start it is nearer than {} to something, and was "
        "not proved to come apart",
        who, length_text(result.clearance, result.study.unit));
  std::vector<std::size_t> by;
  for (const simulation::HoldingPart& holding : facts.holding)
    if (holding.seconds >= 0.1 * facts.held_back) by.push_back(holding.part);
  std::string text = fmt::format("{} followed the hand for {}", who, seconds_text(facts.seconds));
  if (facts.held_back > 0)
    text += fmt::format(", was held back {}{}{} of the time, from a distance of {} or more",
                        by.empty() ? "" : "by " + names_of(result, by), by.empty() ? "" : " ",
                        percent(facts.held_back / facts.seconds),
                        length_text(facts.nearest, result.study.unit, Rounding::down));
  return text;
}

std::string ended(const HandleResult& result, const HandleFacts& facts) {
  std::string text;
  if (!facts.left.empty()) text += ", came clear of " + names_of(result, facts.left);
  if (result.steps.empty() || facts.touching == facts.seconds) return text;
  if (facts.arrived) return text + ", and ended where the hand did";
  const HandleStep& last = result.steps.back();
  return text + fmt::format(", and ended {} and {} off the hand",
                            length_text(last.distance_left, result.study.unit),
                            angle_text(last.angle_left));
}

std::string proved(const HandleResult& result, const HandleFacts& facts) {
  switch (result.verdict) {
    case StudyVerdict::free:
      return facts.seconds > 0 && facts.touching == facts.seconds
                 ? "."
                 : fmt::format("; no {} on the path{}{}: proved.",
                               result.proof.may_reach_in.empty() ? "contact" : "surfaces meet",
                               result.proof.allowed.empty() ? "" : " except where that is allowed",
                               result.proof.may_reach_in.empty()
                                   ? ""
                                   : ", and no part lies inside another");
    case StudyVerdict::open:
      return "; no surfaces meet on the path, proved; but a part is open, and what lies inside it "
             "is unknown.";
    case StudyVerdict::interrupted:
      return "; interrupted before all was done, the path is not proved.";
    case StudyVerdict::undecided:
      return "; whether the path is free was not decided.";
    case StudyVerdict::contact:
    case StudyVerdict::inside:
      return "; its path is not free: " + verdict_sentence(result.proof);
  }
  return ".";
}

// Describes a clearance that was not kept because the part began nearer.
std::string not_kept(const HandleResult& result, const HandleFacts& facts) {
  if (!(result.start_distance < result.clearance) || facts.touching == facts.seconds) return "";
  const auto text = [&](double value) { return length_text(value, result.study.unit); };
  return fmt::format(
      " The clearance of {} was not kept: the part began {} from something, and at the poses of "
      "its path it was no nearer than {}.",
      text(result.clearance), text(result.start_distance), text(result.least_distance));
}

// Describes poses of the hand that the limit of work ended early; without a limit it was Ctrl-C.
std::string cut_short(const HandleResult& result, const HandleFacts& facts) {
  if (result.max_work == Budget::kUnlimited || facts.cut_short == 0) return "";
  std::string text =
      fmt::format(" The limit of work ended {} of {} early: there the part may lag behind the hand",
                  number_text(facts.cut_short), count_text(result.steps.size(), "pose"));
  if (facts.stood_still == 0) return text + ".";
  return text + fmt::format("; at {} of these it stood still.", number_text(facts.stood_still));
}

}  // namespace

std::string handle_sentence(const HandleResult& result) {
  const HandleFacts facts = simulation::facts_of(result);
  return followed(result, facts) + ended(result, facts) + proved(result, facts) +
         not_kept(result, facts) + cut_short(result, facts);
}

}  // namespace touche
