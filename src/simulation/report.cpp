// SPDX-License-Identifier: Apache-2.0
// Writes report.html: one page that needs no other file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/curves.h"
#include "report/page.h"
#include "report/svg.h"
#include "report/words.h"
#include "simulation/describe.h"
#include "simulation/pictures.h"
#include "touche/simulation.h"
#include "touche/version.h"

namespace touche {
namespace simulation {
namespace {

using namespace report;

struct Headline {
  const char* word;
  const char* colour;
};

Headline headline(const SimulationResult& result) {
  switch (result.verdict) {
    case SimulationVerdict::free:
      if (is_about_surfaces(result)) return {"Their surfaces did, proved", colour::kUndecided};
      if (result.may_reach_in) return {"Their surfaces did, proved", colour::kFree};
      return {"Yes, proved", colour::kFree};
    case SimulationVerdict::contact:
      return {"No, bodies touch or overlap", colour::kContact};
    case SimulationVerdict::undecided:
      return {"Not decided", colour::kUndecided};
    case SimulationVerdict::interrupted:
      return {"Interrupted", colour::kUndecided};
  }
  return {"", colour::kInk};
}

std::string fact(const std::string& value, std::string_view label) {
  return fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, label);
}

std::string facts(const SimulationResult& result) {
  const Simulation& scene = result.simulation;
  std::size_t triangles = 0, convex = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    triangles += triangles_of(result, b);
    convex += convex_shape(result, b) != nullptr;
  }
  std::string out = "<div class=\"facts\">\n";
  const std::size_t moving = moving_bodies(scene), still = scene.bodies.size() - moving;
  out += fact(number_text(moving),
              fmt::format("{}, {} {} still", moving == 1 ? "body moves" : "bodies move",
                          number_text(still), still == 1 ? "stands" : "stand"));
  if (convex < scene.bodies.size()) {
    const auto meshes = static_cast<std::size_t>(std::count_if(
        scene.meshes.begin(), scene.meshes.end(),
        [](const SimulationMesh& mesh) { return !mesh.shape && !mesh.hull_rounded_by; }));
    out += fact(number_text(triangles),
                fmt::format("triangles of all bodies, {} different {}", number_text(meshes),
                            meshes == 1 ? "mesh" : "meshes"));
  }
  if (convex > 0)
    out += fact(number_text(convex),
                convex == 1 ? "body is a convex shape" : "bodies are convex shapes");
  out += fact(digits(result.steps.back().time) + " s",
              fmt::format("in {}", count_text(result.steps.size() - 1, "step")));
  out +=
      fact(number_text(result.impacts.size()), result.impacts.size() == 1 ? "impact" : "impacts");
  out += fact(digits(result.lost) + " s", "of motion given up, all bodies together");
  return out + "</div>\n";
}

std::string with_unit(double value, const char* unit) {
  return fmt::format("{} {}", digits(value), unit);
}

// A loss of less than this fraction of the energy that could be lost is not mentioned.
constexpr double kNoLoss = 0.01;

// Relative accuracy of sums of energies of many bodies.
constexpr double kRounding = 1e-12;

// Returns the most energy that could be lost, from the fall or from motion.
double energy_to_lose(const SimulationResult& result) {
  double most = 0;
  for (const SimulationStep& step : result.steps)
    most = std::max({most, result.steps.front().potential - step.potential, step.kinetic});
  return most;
}

// Returns the energy that lifts all bodies to the gap that they keep.
double energy_of_gaps(const SimulationResult& result) {
  const Simulation& scene = result.simulation;
  double weight = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    if (!scene.bodies[b].fixed) weight += result.parts.mass[b].mass * scene.gravity.norm();
  return 2 * scene.tolerance * metres_per_unit(scene.unit) * weight;
}

// Describes by how much the energy of a scene without forces rose, and what that means.
std::string gain_text(const SimulationResult& result, double gained, const std::string& text) {
  if (!(gained > 0)) return " It never rose.";
  const auto drives = [](const SimulationJoint& joint) { return joint.motor_strength > 0; };
  if (std::any_of(result.simulation.joints.begin(), result.simulation.joints.end(), drives))
    return " Motors of the scene do work on bodies.";
  const double most = energy_to_lose(result);
  if (!(gained > kRounding * most)) return " It never rose by more than rounding.";
  if (!(gained > kNoLoss * most + energy_of_gaps(result)))
    return fmt::format(" It never rose by more than {}.", text);
  return fmt::format(
      " It rose by {}, {} % of its maximum, without a source: an error of steps in which bodies "
      "that touch others turn too far. Shorter steps make it smaller.",
      text, digits(100 * gained / most));
}

// Describes why a scene without forces has less energy in the end.
std::string loss_text(const SimulationResult& result, double lost, const std::string& text) {
  const Simulation& scene = result.simulation;
  // The friction of a pair is the geometric mean of both.
  const bool friction = std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                      [](const SimulationBody& b) { return b.friction > 0; }) > 1;
  if (!(lost > kNoLoss * energy_to_lose(result))) return "";
  if (!result.impacts.empty() || friction || !scene.joints.empty())
    return " Impacts, friction and contacts of bodies that lie on each other take energy.";
  return fmt::format(
      " {} went without impacts and without friction: bodies that lie on each other lose the speed "
      "at which their surfaces come together. Where they run up against a stop, as a nut at the "
      "end of its thread, the loss is physical. Surfaces that turn on each other, as threads and "
      "teeth do, come together anew in each step: this is an error of the time step, {} s, and "
      "shorter steps lose less.",
      text, digits(scene.time_step));
}

// A plot's values are divided by `size`, and its unit has the prefix `text`.
struct Prefix {
  double size;
  const char* text;
};

Prefix prefix_of(double largest) {
  for (const Prefix& prefix :
       {Prefix{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}})
    if (largest >= prefix.size) return prefix;
  return largest > 0 ? Prefix{1e-9, "n"} : Prefix{1, ""};
}

Prefix prefix_for(const std::vector<Curve>& curves) {
  double largest = 0;
  for (const Curve& curve : curves)
    for (const double value : curve.values) largest = std::max(largest, std::abs(value));
  return prefix_of(largest);
}

// A plot below its heading, which names the unit, if there is one.
std::string plot(const SimulationResult& result, const char* heading, std::vector<Curve> curves,
                 const char* unit) {
  std::vector<double> times;
  for (const SimulationStep& step : result.steps) times.push_back(step.time);
  if (times.size() < 2) return "";
  const Prefix prefix = *unit != '\0' ? prefix_for(curves) : Prefix{1, ""};
  for (Curve& curve : curves)
    for (double& value : curve.values) value /= prefix.size;
  const std::string title =
      *unit != '\0' ? fmt::format("{}, in {}{}", heading, prefix.text, unit) : heading;
  return fmt::format("<h3>{}</h3>\n", title) +
         curves_plot({.about = title + " over time",
                      .times = std::move(times),
                      .curves = std::move(curves),
                      .text = [](double value) { return digits(value); }});
}

template <class Of>
Curve curve(const SimulationResult& result, const char* name, const Of& of) {
  Curve made{name, {}};
  for (const SimulationStep& step : result.steps)
    made.values.push_back(static_cast<double>(of(step)));
  return made;
}

using Step = SimulationStep;

std::string energy_section(const SimulationResult& result) {
  const std::vector<Step>& steps = result.steps;
  double lowest = kInfinity;
  for (const Step& step : steps) lowest = std::min(lowest, step.potential);
  const auto total = [](const Step& s) { return s.kinetic + s.potential; };
  // The largest rise of the energy above any earlier value.
  double least = total(steps.front()), gained = 0;
  for (const Step& step : steps) {
    gained = std::max(gained, total(step) - least);
    least = std::min(least, total(step));
  }
  std::vector<Curve> curves = {
      curve(result, "total", [&](const Step& s) { return total(s) - lowest; }),
      curve(result, "kinetic", [](const Step& s) { return s.kinetic; }),
      curve(result, "potential", [&](const Step& s) { return s.potential - lowest; })};
  // In the unit of the plot above, unless that would take many zeros.
  const Prefix of_plot = prefix_for(curves);
  const auto energy_text = [&](double energy) {
    const Prefix prefix = energy == 0 || std::abs(energy) > 1e-3 * of_plot.size
                              ? of_plot
                              : prefix_of(std::abs(energy));
    return fmt::format("{} {}J", digits(energy / prefix.size), prefix.text);
  };
  std::string note = fmt::format(
      "Potential energy is measured from its least value. From start to end the total went from {} "
      "to {}.",
      energy_text(total(steps.front()) - lowest), energy_text(total(steps.back()) - lowest));
  const double lost = total(steps.front()) - total(steps.back());
  if (result.simulation.forces.empty())
    note +=
        gain_text(result, gained, energy_text(gained)) + loss_text(result, lost, energy_text(lost));
  else
    note += " Forces of the scene do work on bodies.";
  return "<h2>Energy and momentum</h2>\n" + plot(result, "Energy", std::move(curves), "J") +
         "<p class=\"note\">" + note + "</p>\n";
}

std::string momentum_section(const SimulationResult& result) {
  return plot(result, "Momentum",
              {curve(result, "along x", [](const Step& s) { return s.momentum.x(); }),
               curve(result, "along y", [](const Step& s) { return s.momentum.y(); }),
               curve(result, "along z", [](const Step& s) { return s.momentum.z(); })},
              "N s") +
         plot(result, "Angular momentum about the origin",
              {curve(result, "about x", [](const Step& s) { return s.angular_momentum.x(); }),
               curve(result, "about y", [](const Step& s) { return s.angular_momentum.y(); }),
               curve(result, "about z", [](const Step& s) { return s.angular_momentum.z(); })},
              "N m s");
}

std::string hardest_impacts(const SimulationResult& result) {
  constexpr std::size_t kMost = 10;
  const std::vector<SimulationImpact>& impacts = result.impacts;
  if (impacts.empty()) return "";
  std::vector<std::size_t> order(impacts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return impacts[i].impulse.squaredNorm() > impacts[j].impulse.squaredNorm();
  });
  if (order.size() > kMost) order.resize(kMost);
  std::string rows;
  for (const std::size_t i : order) {
    const SimulationImpact& impact = impacts[i];
    rows += fmt::format(
        "<tr><td class=\"n\">{} s</td><td>{}</td><td class=\"n\">{}/s</td><td class=\"n\">{}</td>"
        "<td>{}</td></tr>\n",
        digits(impact.time), escape(pair_text(result, impact.body_a, impact.body_b)),
        length_text(impact.speed, result.simulation.unit), with_unit(impact.impulse.norm(), "N s"),
        escape(point_text(impact.point, result.simulation.unit)));
  }
  return "<h3>The hardest impacts</h3>\n<div class=\"scroll\"><table><thead><tr><th "
         "class=\"n\">time</th><th>bodies</th><th class=\"n\">speed</th><th "
         "class=\"n\">impulse</th><th>where</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n" +
         (impacts.size() > kMost ? fmt::format("<p class=\"note\">All {} are in impacts.csv.</p>\n",
                                               number_text(impacts.size()))
                                 : std::string());
}

std::string stuck_section(const SimulationResult& result) {
  constexpr std::size_t kMost = 50;
  const std::vector<StuckPair>& pairs = result.stuck;
  const std::string& unit = result.simulation.unit;
  if (pairs.empty()) return "";
  std::string rows;
  for (std::size_t i = 0; i < std::min(kMost, pairs.size()); ++i) {
    const StuckPair& p = pairs[i];
    const bool known = p.separation && p.separation->status == SeparationStatus::overlapping;
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        p.step + 1, escape(pair_text(result, p.body_a, p.body_b)),
        known ? length_text(-p.separation->distance.upper, unit, Rounding::down) : "",
        escape(capitalised(way_out_text(result, p))));
  }
  return "<h3>In each other, or nearer than the tolerance</h3>\n<div "
         "class=\"scroll\"><table><thead>"
         "<tr><th class=\"n\">step</th><th>bodies</th><th class=\"n\">depth, at "
         "least</th><th>separation</th></tr></thead><tbody>\n" +
         rows +
         "</tbody></table></div>\n"
         "<p class=\"note\">They stood still in that step. The depth is the diameter of a ball "
         "that fits into both; the shift is proved to separate them, and no shorter one was found" +
         (pairs.size() > kMost
              ? fmt::format("; all {} are in result.json", number_text(pairs.size()))
              : std::string()) +
         ". <code>--resolve</code> shifts bodies apart before the start.</p>\n";
}

std::string contact_section(const SimulationResult& result) {
  std::string out =
      "<h2>Contacts</h2>\n" +
      plot(result, "How many",
           {curve(result, "contacts of bodies at rest", [](const Step& s) { return s.contacts; }),
            curve(result, "impacts in a step", [](const Step& s) { return s.impacts; })},
           "");
  if (result.lost > 0)
    out += plot(result, "Motion given up in each step",
                {curve(result, "all bodies together", [](const Step& s) { return s.lost; })}, "s") +
           "<p class=\"note\">Where contacts do not end within a step, a body stands still for the "
           "rest of it and keeps its momentum: time is given up, never solidity.</p>\n";
  if (rests(result))
    out += fmt::format("<p class=\"note\">{}.</p>\n", capitalised(gap_kept(result)));
  return out + stuck_section(result) + hardest_impacts(result);
}

std::string proof_section(const SimulationResult& result) {
  std::string rows;
  constexpr std::size_t kMost = 50;
  for (std::size_t i = 0; i < std::min(kMost, result.unproved.size()); ++i) {
    const UnprovedPair& p = result.unproved[i];
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{} s</td></tr>\n",
        p.step + 1, escape(pair_text(result, p.body_a, p.body_b)), name(p.status),
        digits(p.time, Rounding::down));
  }
  std::string out = fmt::format(
      "<h2>The proof</h2>\n<ul>\n"
      "<li><b>What was proved:</b> on the paths that bodies actually made, two bodies came near "
      "each other in a step {}. Each time their time of impact was computed anew, without any "
      "result of the steps; in {} they are proved to stay apart for the whole step.</li>\n"
      "<li>All other bodies are apart by the boxes around their whole paths. Each path begins "
      "where the one before ended, bit for bit.</li>\n"
      "<li>The paths are as simulated, in double precision. The animation shows them at "
      "the ends of steps, in single precision, with straight lines between: there bodies may seem "
      "to touch.</li>\n"
      "<li>Meshes are taken as they are; two bodies that are fixed are not tested.</li>\n"
      "</ul>\n",
      count_text(result.proved + result.unproved.size(), "time"),
      result.unproved.empty() ? "each case" : count_text(result.proved, "case"));
  if (!rows.empty())
    out +=
        "<h3>Not proved</h3>\n<div class=\"scroll\"><table><thead><tr><th class=\"n\">step</th>"
        "<th>bodies</th><th>status</th><th class=\"n\">apart until</th></tr></thead><tbody>\n" +
        rows + "</tbody></table></div>\n";
  return out;
}

std::string remarks_section(const SimulationResult& result) {
  std::string out;
  for (const std::string& remark : simulation_remarks(result))
    out += "<li>" + escape(remark) + "</li>\n";
  return out.empty() ? "" : "<h2>Remarks</h2>\n<ul>\n" + out + "</ul>\n";
}

}  // namespace
}  // namespace simulation

std::string result_html(const SimulationResult& result, const PageNotes& notes) {
  using namespace report;
  using namespace simulation;
  const Simulation& scene = result.simulation;
  const Headline head = headline(result);
  const std::string title = scene.title.empty() ? scene.file.filename().string() : scene.title;
  std::string out = begin_page(title, "Simulation", title);
  out += fmt::format(
      "<section class=\"verdict\" style=\"--mark:{}\"><p>Did all bodies stay out of each other?</p>"
      "<div class=\"word\">{}</div><p>{}</p></section>\n",
      head.colour, head.word, escape(verdict_sentence(result)));
  out += facts(result);
  out += picture_section(result) + notes.viewer;
  out += energy_section(result);
  out += momentum_section(result);
  out += contact_section(result);
  out += remarks_section(result);
  out += proof_section(result);
  std::string foot =
      fmt::format("Touché {} · {}", kVersion, escape(scene.file.filename().string()));
  for (const std::string& note : {notes.date, notes.remark})
    if (!note.empty()) foot += " · " + escape(note);
  return out + end_page(foot);
}

}  // namespace touche
