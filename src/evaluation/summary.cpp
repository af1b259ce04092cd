// SPDX-License-Identifier: Apache-2.0
// All sentences about the present results are generated from the figures; the ones about 1998 are
// from the thesis.
#include "evaluation/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "evaluation/text.h"
#include "report/svg.h"

namespace touche::evaluation {
namespace {

using report::escape;

std::size_t poses(const std::vector<TrialRun>& runs) {
  std::size_t sum = 0;
  for (const TrialRun& run : runs) sum += std::max(run.cost.size(), run.seconds.size());
  return std::max<std::size_t>(1, sum);
}

/// Per pose.
double volume_tests(const Trial& t) {
  double sum = 0;
  for (const TrialRun& run : t.runs) sum += static_cast<double>(run.stats.volume_tests);
  return sum / static_cast<double>(poses(t.runs));
}

double triangle_tests(const Trial& t) {
  double sum = 0;
  for (const TrialRun& run : t.runs) sum += static_cast<double>(run.stats.primitive_tests);
  return sum / static_cast<double>(poses(t.runs));
}

using Condition = std::function<bool(const Trial&)>;

const Trial* cheapest_where(const std::vector<Trial>& trials, const Condition& among) {
  const Trial* best = nullptr;
  for (const Trial& t : trials)
    if (among(t) && (best == nullptr || t.mean_cost() < best->mean_cost())) best = &t;
  return best;
}

std::string factor(double x) { return fmt::format("{:.2g}", x); }

std::vector<const Trial*> of_study(const std::vector<Trial>& trials, const std::string& study) {
  std::vector<const Trial*> result;
  for (const Trial& t : trials)
    if (t.study == study) result.push_back(&t);
  return result;
}

// Compares two mean times.
std::string compared(double ours, double theirs) {
  const double ratio = theirs / ours;
  if (ratio > 0.95 && ratio < 1.05) return "about as long as the best of them";
  return ratio > 1 ? factor(ratio) + " times less than the best of them"
                   : factor(1 / ratio) + " times as long as the best of them";
}

std::string tests_text(const Trial& t) {
  return fmt::format("{:.0f} tests of volumes and {:.0f} of triangles per pose", volume_tests(t),
                     triangle_tests(t));
}

bool faster(const Trial* a, const Trial* b) { return a->mean_seconds() < b->mean_seconds(); }

// States which setting won on each study, and by how much the queries' own hierarchy is ahead of
// it.
std::string winners(const Evaluation& e) {
  std::string text = "By measured time per pose: ";
  for (const DefaultTrial& own : e.own) {
    std::vector<const Trial*> trials = of_study(e.methods, own.study);
    std::sort(trials.begin(), trials.end(), faster);
    text += fmt::format(
        "{}: {} ({}, mean {}: {}), then {} ({}) and {}; slowest {} with {} times as "
        "much. The queries' own hierarchy takes {}, {}. ",
        escape(own.study), title(trials[0]->tree.method), setting_text(trials[0]->tree),
        duration(1e6 * trials[0]->mean_seconds()), tests_text(*trials[0]),
        title(trials[1]->tree.method), tests_text(*trials[1]), title(trials[2]->tree.method),
        title(trials.back()->tree.method),
        factor(trials.back()->mean_seconds() / trials[0]->mean_seconds()),
        duration(1e6 * own.mean_seconds()),
        compared(own.mean_seconds(), trials[0]->mean_seconds()));
  }
  return paragraph("What wins now.", text);
}

std::string volumes(const Evaluation& e) {
  int boxes = 0, methods = 0;
  std::vector<SplitMethod> seen;
  for (const Trial& t : e.settings) {
    if (std::find(seen.begin(), seen.end(), t.tree.method) != seen.end()) continue;
    seen.push_back(t.tree.method);
    const auto best = [&](const char* volume) {
      return cheapest_where(e.settings, [&](const Trial& u) {
        return u.tree.method == t.tree.method && u.tree.volume == volume;
      });
    };
    const Trial *obb = best("obb"), *mixed = best("mixed");
    if (obb == nullptr || mixed == nullptr) continue;
    ++methods;
    boxes += obb->mean_cost() <= mixed->mean_cost() ? 1 : 0;
  }
  std::string text = fmt::format(
      "Oriented boxes alone are at least as good as a mixture of spheres and boxes with {} of {} "
      "methods. Why a volume is good or bad is a product, how often it must be tested times what "
      "a test costs:",
      boxes, methods);
  text +=
      "</p>\n<div class=\"scroll\"><table><tr><th>volume</th><th class=\"n\">tests of volumes per "
      "pose</th><th class=\"n\">ns each</th><th class=\"n\">tests of triangles per pose</th><th "
      "class=\"n\">cost per pose</th></tr>\n";
  std::vector<const Trial*> ranked;
  for (const Trial& t : e.volumes) ranked.push_back(&t);
  std::sort(ranked.begin(), ranked.end(),
            [](const Trial* a, const Trial* b) { return a->mean_cost() < b->mean_cost(); });
  for (const Trial* t : ranked) {
    const double tests = volume_tests(*t), triangles = triangle_tests(*t);
    const double ns = (1e3 * t->mean_cost() - triangles * e.costs.triangles) / std::max(1.0, tests);
    text += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{:.0f}</td><td class=\"n\">{:.1f}</td><td "
        "class=\"n\">{:.0f}</td><td class=\"n\">{}</td></tr>\n",
        t->tree.volume, tests, ns, triangles, duration(t->mean_cost()));
  }
  return "<p><b>Volumes.</b> " + text + "</table></div>\n";
}

std::string degrees(const Evaluation& e) {
  std::string text;
  int variable = 0, methods = 0;
  std::vector<SplitMethod> seen;
  for (const Trial& t : e.settings) {
    if (std::find(seen.begin(), seen.end(), t.tree.method) != seen.end()) continue;
    seen.push_back(t.tree.method);
    const auto best = [&](bool varies) {
      return cheapest_where(e.settings, [&](const Trial& u) {
        return u.tree.method == t.tree.method && (u.tree.improvement > 0) == varies;
      });
    };
    const Trial *fixed = best(false), *varying = best(true);
    if (fixed == nullptr || varying == nullptr) continue;
    ++methods;
    variable += varying->mean_cost() < fixed->mean_cost() ? 1 : 0;
    text += fmt::format("{}{}: {} {}, {} {}", text.empty() ? "" : "; ", title(t.tree.method),
                        branching(fixed->tree), duration(fixed->mean_cost()),
                        branching(varying->tree), duration(varying->mean_cost()));
  }
  return paragraph("Degrees.",
                   fmt::format("A variable degree beats every fixed one with {} of {} methods. The "
                               "best of either, mean cost of a pose, counted: {}.",
                               variable, methods, text));
}

std::string traversal_text(const Trial& t) {
  return fmt::format("{}, {}", title(t.traversal.expansion), title(t.traversal.order));
}

std::string traversals(const Evaluation& e) {
  std::vector<const Trial*> trials;
  for (const Trial& t : e.traversals)
    if (t.tree.method == e.traversals.front().tree.method) trials.push_back(&t);
  const Trial* counted = *std::min_element(trials.begin(), trials.end(), [](auto* a, auto* b) {
    return a->mean_cost() < b->mean_cost();
  });
  std::sort(trials.begin(), trials.end(), faster);
  return paragraph(
      "Traversals.",
      fmt::format("With {}, least cost by counts: {} ({}); fastest: {} ({}), slowest: {} ({}). "
                  "What an order saves in tests it may lose again in keeping its queue.",
                  title(trials[0]->tree.method), traversal_text(*counted),
                  duration(counted->mean_cost()), traversal_text(*trials.front()),
                  duration(1e6 * trials.front()->mean_seconds()), traversal_text(*trials.back()),
                  duration(1e6 * trials.back()->mean_seconds())));
}

}  // namespace

const Trial& cheapest_of(const std::vector<Trial>& trials) {
  return *cheapest_where(trials, [](const Trial&) { return true; });
}

std::string setting_text(const TreeOptions& tree) {
  return fmt::format("{}, {}", tree.volume, branching(tree));
}

std::string summary_section(const Evaluation& e) {
  std::string out = "<h2>Summary</h2>\n";
  out += paragraph(
      "What won in 1998.",
      "Eckstein's thesis (§10.1) took lamps out of an engine bay and found: oriented boxes of "
      "least surface beat spheres, axis-aligned boxes and mixtures; dividing a node until its "
      "quality has improved by α = 0.75 beats every fixed degree; both heuristics and the modified "
      "Gottschalk method are best, branch and bound and Hochbaum–Shmoys of no use; one-sided "
      "expansion beats simultaneous and hybrid. The worst pose took 40 ms on a 195 MHz MIPS "
      "R10000.");
  out += winners(e);
  out += volumes(e);
  out += degrees(e);
  out += traversals(e);
  return out;
}

}  // namespace touche::evaluation
