// SPDX-License-Identifier: Apache-2.0
// Describes in words what was simulated, and what is proved of it.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "report/words.h"
#include "simulation/describe.h"
#include "touche/overlap.h"
#include "touche/simulation.h"

namespace touche {
namespace simulation {

using namespace report;

std::string bodies_text(std::size_t n) {
  return fmt::format("{} {}", number_text(n), n == 1 ? "body" : "bodies");
}

std::string pair_text(const SimulationResult& result, std::size_t a, std::size_t b) {
  return fmt::format("{} and {}", with_article(result.simulation.bodies[a].name),
                     with_article(result.simulation.bodies[b].name));
}

const Shape* convex_shape(const SimulationResult& result, std::size_t body) {
  const std::size_t mesh = result.simulation.bodies[body].mesh;
  const std::vector<std::optional<Shape>>& shapes = result.parts.shapes;
  return mesh < shapes.size() && shapes[mesh] ? &*shapes[mesh] : nullptr;
}

std::size_t triangles_of(const SimulationResult& result, std::size_t body) {
  if (convex_shape(result, body) != nullptr) return 0;
  return result.parts.meshes[result.simulation.bodies[body].mesh].soup().triangle_count();
}

std::size_t moving_bodies(const Simulation& scene) {
  return static_cast<std::size_t>(std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                                [](const SimulationBody& b) { return !b.fixed; }));
}

bool rests(const SimulationResult& result) {
  return std::any_of(result.steps.begin(), result.steps.end(),
                     [](const SimulationStep& step) { return step.contacts > 0; });
}

std::string way_out_text(const SimulationResult& result, const StuckPair& p) {
  const std::vector<SimulationBody>& bodies = result.simulation.bodies;
  const std::string& unit = result.simulation.unit;
  const bool first = bodies[p.body_b].fixed;
  const std::string own = with_article(bodies[first ? p.body_a : p.body_b].name),
                    other = with_article(bodies[first ? p.body_b : p.body_a].name);
  if (!p.separation || p.separation->status == SeparationStatus::undecided)
    return fmt::format("how {} comes out of {} is not known", own, other);
  const Bracket& distance = p.separation->distance;
  if (p.separation->status == SeparationStatus::apart)
    return fmt::format("{} is {} from {}", own, length_text(distance.lower, unit, Rounding::down),
                       other);
  return fmt::format(
      "{} comes out of {} by {} along {}", own, other,
      length_text(-distance.lower, unit, Rounding::up),
      direction_text(first ? Vec3(-p.separation->direction) : p.separation->direction));
}

namespace {

// Describes the first few of them in words.
std::string ways_out(const SimulationResult& result) {
  constexpr std::size_t kNamed = 3;
  const std::vector<StuckPair>& pairs = result.stuck;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, pairs.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : "; ", way_out_text(result, pairs[i]));
  if (pairs.size() > kNamed) text += fmt::format("; {} more", number_text(pairs.size() - kNamed));
  return text;
}

std::string resolved_text(const SimulationResult& result) {
  const std::vector<ResolvedStart>& all = result.resolved;
  if (all.empty()) return "";
  const auto& most = *std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.shift.norm() < b.shift.norm();
  });
  const std::string own = with_article(result.simulation.bodies[most.body].name);
  const std::string way =
      fmt::format("by {} along {}", length_text(most.shift.norm(), result.simulation.unit),
                  direction_text(most.shift.normalized()));
  if (all.size() == 1)
    return fmt::format(" Before the start {} was shifted out of an overlap, {}.", own, way);
  return fmt::format(" Before the start {} were shifted out of overlaps, farthest {} {}.",
                     bodies_text(all.size()), own, way);
}

// "the cube starts inside the box"
std::string inside_text(const SimulationResult& result) {
  const auto is_sure = [](const ContainedStart& start) { return !start.is_unknown; };
  const auto first = std::ranges::find_if(result.contained, is_sure);
  if (first == result.contained.end()) return "";
  const auto more = static_cast<std::size_t>(std::ranges::count_if(result.contained, is_sure)) - 1;
  const auto name = [&](std::size_t body) {
    return with_article(result.simulation.bodies[body].name);
  };
  return fmt::format("{} starts inside {}{}", name(first->inner), name(first->outer),
                     more > 0 ? fmt::format(", likewise {}", count_text(more, "body")) : "");
}

// " Whether the ball starts inside the room is unknown: the room is open, at (1, 0, 0) m."
std::string unknown_text(const SimulationResult& result) {
  const auto first = std::ranges::find_if(result.contained, &ContainedStart::is_unknown);
  if (first == result.contained.end()) return "";
  const auto more = static_cast<std::size_t>(
                        std::ranges::count_if(result.contained, &ContainedStart::is_unknown)) -
                    1;
  const SimulationBody& outer = result.simulation.bodies[first->outer];
  const Interior interior(result.parts.meshes[outer.mesh]);
  const std::optional<Vec3> at = interior.open_at();
  return fmt::format(
      " Whether {} starts inside {} is unknown: {} {}{}{}.",
      with_article(result.simulation.bodies[first->inner].name), with_article(outer.name),
      with_article(outer.name), interior.is_open() ? "is open" : "has faces too near to decide",
      at ? ", at " + point_text(*at, result.simulation.unit) + " in its coordinates" : "",
      more > 0 ? fmt::format("; likewise for {} more", count_text(more, "pair")) : "");
}

// An impact is no contact of surfaces, which must be said beside the proof that there was none.
std::string impacts_text(const SimulationResult& result) {
  const std::size_t count = result.impacts.size();
  if (count == 0) return "";
  return fmt::format(
      ": the {} happened across a gap, when bodies were nearer than the tolerance of {}",
      count == 1 ? "impact" : number_text(count) + " impacts",
      length_text(result.simulation.tolerance, result.simulation.unit));
}

}  // namespace

std::string gap_kept(const SimulationResult& result) {
  const double tolerance = result.simulation.tolerance;
  const auto text = [&](double value) { return length_text(value, result.simulation.unit); };
  return fmt::format(
      "bodies that come to lie on each other are to keep a gap of one to two tolerances, {} to {}, "
      "which was not measured",
      text(tolerance), text(2 * tolerance));
}

}  // namespace simulation

bool is_about_surfaces(const SimulationResult& result) {
  return std::ranges::any_of(result.contained, &ContainedStart::is_unknown);
}

std::string verdict_sentence(const SimulationResult& result) {
  using namespace report;
  using namespace simulation;
  const std::size_t taken = result.steps.size() - 1;
  const std::string what =
      fmt::format("{} moved for {} s in {}", bodies_text(moving_bodies(result.simulation)),
                  digits(result.steps.back().time), count_text(taken, "step"));
  std::string text;
  switch (result.verdict) {
    case SimulationVerdict::free:
      text = fmt::format(
          "No {}, proved: {}, and no two touched at any time{}{}{}.",
          is_about_surfaces(result) || result.may_reach_in ? "surfaces met" : "penetration", what,
          impacts_text(result),
          result.proved > 0 ? fmt::format("; {} two of them came near each other in a step, and "
                                          "each time it was proved anew that they stayed apart",
                                          count_text(result.proved, "time"))
                            : "",
          rests(result) ? "; " + gap_kept(result) : "");
      break;
    case SimulationVerdict::contact: {
      const auto touching =
          std::find_if(result.unproved.begin(), result.unproved.end(),
                       [](const UnprovedPair& p) { return p.status != ToiStatus::undecided; });
      if (touching == result.unproved.end()) {
        text = fmt::format("Not free: {}, and {}{}.", what, inside_text(result),
                           result.unproved.empty() ? "; no two surfaces touched, proved" : "");
        break;
      }
      const UnprovedPair& first = *touching;
      text = fmt::format(
          "Not free of contact: {}, and {} {} {} s.", what,
          pair_text(result, first.body_a, first.body_b),
          first.status == ToiStatus::contact ? "touch after" : "touch at the start of the step at",
          digits(first.time, Rounding::down));
      break;
    }
    case SimulationVerdict::undecided:
      text = fmt::format(
          "Not decided: {}, but {} it could not be proved that two bodies stayed apart in a step.",
          what, count_text(result.unproved.size(), "time"));
      break;
    case SimulationVerdict::interrupted:
      text = fmt::format("Interrupted: {} of {} were taken{}.", number_text(taken),
                         count_text(step_count(result.simulation), "step"),
                         !result.unproved.empty() ? ", and not all of them are proved"
                         : result.may_reach_in    ? "; no surfaces met, proved"
                                                  : ", without penetration, proved");
      break;
  }
  const auto exempt = std::count_if(
      result.simulation.joints.begin(), result.simulation.joints.end(),
      [](const SimulationJoint& joint) { return joint.to.has_value() && !joint.contacts; });
  if (exempt > 0)
    text += fmt::format(
        " {} of bodies that are joined may pass through each other, and {} not tested.",
        count_text(static_cast<std::size_t>(exempt), "pair"), exempt == 1 ? "was" : "were");
  if (result.verdict == SimulationVerdict::contact && !inside_text(result).empty() &&
      text.find(inside_text(result)) == std::string::npos)
    text += " " + begin_sentence(inside_text(result)) + ".";
  text += unknown_text(result) + resolved_text(result);
  // The proof covers bodies that stood still, too: if the verdict is `free`, they are apart.
  if (!result.stuck.empty())
    text += fmt::format(
        " {} of bodies began a step nearer than the tolerance{} and stood still in it: {}.",
        count_text(result.stuck.size(), "pair"),
        result.verdict == SimulationVerdict::free ? ", though apart," : ", or in each other,",
        ways_out(result));
  if (!result.unresolved.empty())
    text += fmt::format(
        " {} of bodies {} so far from the origin that rounding may hide the gap between them and "
        "make them stand still, as {}: put the origin near, or take a larger tolerance.",
        count_text(result.unresolved.size(), "pair"), result.unresolved.size() == 1 ? "is" : "are",
        pair_text(result, result.unresolved[0].first, result.unresolved[0].second));
  return text;
}

}  // namespace touche
