// SPDX-License-Identifier: Apache-2.0
// Tells in words what was simulated, and what is proved of it.
#include <fmt/core.h>

#include <algorithm>

#include "report/words.h"
#include "simulation/describe.h"
#include "touche/simulation.h"

namespace touche {
namespace simulation {

using namespace report;

std::string bodies_text(std::size_t n) {
  return fmt::format("{} {}", number_text(n), n == 1 ? "body" : "bodies");
}

std::string pair_text(const SimulationView& view, std::size_t a, std::size_t b) {
  return fmt::format("{} and {}", with_article(view.simulation.bodies[a].name),
                     with_article(view.simulation.bodies[b].name));
}

const Shape* convex_shape(const SimulationView& view, std::size_t body) {
  const std::size_t mesh = view.simulation.bodies[body].mesh;
  const std::vector<std::optional<Shape>>& shapes = view.parts.shapes;
  return mesh < shapes.size() && shapes[mesh] ? &*shapes[mesh] : nullptr;
}

std::size_t triangles_of(const SimulationView& view, std::size_t body) {
  if (convex_shape(view, body) != nullptr) return 0;
  return view.parts.meshes[view.simulation.bodies[body].mesh].soup().triangle_count();
}

std::size_t moving_bodies(const Simulation& scene) {
  return static_cast<std::size_t>(std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                                [](const SimulationBody& b) { return !b.fixed; }));
}

bool rests(const SimulationResult& result) {
  return std::any_of(result.steps.begin(), result.steps.end(),
                     [](const SimulationStep& step) { return step.contacts > 0; });
}

std::string gap_kept(const SimulationView& view) {
  const double tolerance = view.simulation.tolerance;
  const auto text = lengths_text(tolerance, view.simulation.unit);
  return fmt::format(
      "bodies that come to lie on each other are to keep a gap of one to two tolerances, {} to {}, "
      "which was not measured",
      text(tolerance), text(2 * tolerance));
}

}  // namespace simulation

std::string verdict_sentence(const SimulationView& view) {
  using namespace report;
  using namespace simulation;
  const SimulationResult& result = view.result;
  const std::size_t taken = result.steps.size() - 1;
  const std::string what =
      fmt::format("{} moved for {} s in {}", bodies_text(moving_bodies(view.simulation)),
                  digits(result.steps.back().time), count_text(taken, "step"));
  std::string text;
  switch (result.verdict) {
    case SimulationVerdict::free:
      text = fmt::format(
          "Nothing penetrated, proved: {}, and none touched another at any time{}{}.", what,
          result.proved > 0 ? fmt::format("; {} two of them came near each other in a step, and "
                                          "each time it was proved anew that they stayed apart",
                                          count_text(result.proved, "time"))
                            : "",
          rests(result) ? "; " + gap_kept(view) : "");
      break;
    case SimulationVerdict::contact: {
      const UnprovedPair& first =
          *std::find_if(result.unproved.begin(), result.unproved.end(),
                        [](const UnprovedPair& p) { return p.status != ToiStatus::undecided; });
      text = fmt::format(
          "Not free of contact: {}, and {} {} {} s.", what,
          pair_text(view, first.body_a, first.body_b),
          first.status == ToiStatus::contact ? "touch after" : "touch at the start of the step at",
          digits(first.time, Rounding::down));
      break;
    }
    case SimulationVerdict::undecided:
      text = fmt::format(
          "Not decided: {}, but {} it could not be proved of two bodies that they stayed apart in "
          "a "
          "step.",
          what, count_text(result.unproved.size(), "time"));
      break;
    case SimulationVerdict::interrupted:
      text = fmt::format("Interrupted: {} of {} were taken{}.", number_text(taken),
                         count_text(step_count(view.simulation), "step"),
                         result.unproved.empty() ? ", and nothing penetrated in them, proved"
                                                 : ", and not all of them are proved");
      break;
  }
  const auto exempt = std::count_if(
      view.simulation.joints.begin(), view.simulation.joints.end(),
      [](const SimulationJoint& joint) { return joint.to.has_value() && !joint.contacts; });
  if (exempt > 0)
    text += fmt::format(
        " {} of bodies that are joined may pass through each other, and {} not asked.",
        count_text(static_cast<std::size_t>(exempt), "pair"), exempt == 1 ? "was" : "were");
  // It was proved before that what stood still, too, is apart.
  if (!result.stuck.empty())
    text += fmt::format(
        " {} of bodies began a step nearer than the tolerance{} and stood still in "
        "it, as {}.",
        count_text(result.stuck.size(), "pair"),
        result.verdict == SimulationVerdict::free ? ", though apart," : ", or in each other,",
        pair_text(view, result.stuck[0].first, result.stuck[0].second));
  if (!result.unresolved.empty())
    text += fmt::format(
        " {} of bodies {} so far from the origin that rounding may hide the gap between them, and "
        "let "
        "them stand still, as {}: put the origin near, or take a larger tolerance.",
        count_text(result.unresolved.size(), "pair"), result.unresolved.size() == 1 ? "is" : "are",
        pair_text(view, result.unresolved[0].first, result.unresolved[0].second));
  return text;
}

}  // namespace touche
