// SPDX-License-Identifier: Apache-2.0
// The page of an evaluation shows what won, then plots as in the thesis' Figures D.8 to D.48.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "evaluation/plot.h"
#include "evaluation/summary.h"
#include "evaluation/text.h"
#include "report/svg.h"

namespace touche {
namespace {

using namespace evaluation;
using report::escape;

template <class... Values>
void add(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  out += fmt::format(format, std::forward<Values>(values)...);
}

std::string figure(const std::string& plot, const std::string& caption) {
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", plot, escape(caption));
}

// In the order they first appear.
template <class Items, class Of>
auto distinct(const Items& items, Of of) {
  std::vector<std::decay_t<decltype(of(*items.begin()))>> result;
  for (const auto& item : items)
    if (auto value = of(item); std::find(result.begin(), result.end(), value) == result.end())
      result.push_back(std::move(value));
  return result;
}

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// D.8 to D.32: one plot a method, a group of bars for each degree and factor, a bar for each
// volume.
std::string settings_section(const Evaluation& e) {
  std::string out =
      "<h2>Each method by itself</h2>\n<p>Mean cost of a pose, counted: tests of volumes and "
      "triangles times what each costs on this machine. Fixed degrees and factors of improvement "
      "α; each bar is a kind of volume. (Figures D.8 to D.32.)</p>\n";
  for (const SplitMethod method : distinct(e.settings, [](auto& t) { return t.tree.method; })) {
    std::vector<Trial> trials;
    std::copy_if(e.settings.begin(), e.settings.end(), std::back_inserter(trials),
                 [&](const Trial& t) { return t.tree.method == method; });
    const auto labels = distinct(trials, [](auto& t) { return branching(t.tree); });
    std::vector<Series> series;
    for (const std::string& volume : distinct(trials, [](auto& t) { return t.tree.volume; })) {
      series.push_back({volume, std::vector<double>(labels.size(), kNoValue)});
      for (const Trial& t : trials)
        if (t.tree.volume == volume) {
          const auto label = std::find(labels.begin(), labels.end(), branching(t.tree));
          series.back().values[static_cast<std::size_t>(label - labels.begin())] = t.mean_cost();
        }
    }
    add(out, "<h3>{}</h3>\n", escape(evaluation::title(method)));
    out += figure(
        bars(evaluation::title(method), labels, series),
        fmt::format("{}; best: {}", trials.front().study, setting_text(cheapest_of(trials).tree)));
  }
  return out;
}

std::string volumes_section(const Evaluation& e) {
  std::vector<std::string> labels;
  Series mean{"mean", {}};
  for (const Trial& t : e.volumes) {
    labels.push_back(t.tree.volume);
    mean.values.push_back(t.mean_cost());
  }
  return "<h2>Volumes against each other</h2>\n" +
         figure(bars("volumes", labels, {mean}),
                fmt::format("Mean cost of a pose, counted; {}, {}",
                            evaluation::title(e.volumes.front().tree.method),
                            branching(e.volumes.front().tree)));
}

// D.33 to D.40: along each motion of the first study, counted and timed.
std::string methods_section(const Evaluation& e) {
  std::string out =
      "<h2>Methods against each other</h2>\n<p>Each with its best setting. (Figures D.33 to "
      "D.40.)</p>\n";
  const std::string& study = e.methods.front().study;
  for (std::size_t r = 0; r < e.methods.front().runs.size(); ++r) {
    std::vector<Series> counted, timed;
    for (const Trial& t : e.methods)
      if (t.study == study) {
        counted.push_back({evaluation::title(t.tree.method), t.runs[r].cost});
        timed.push_back({evaluation::title(t.tree.method), microseconds(t.runs[r].seconds)});
      }
    for (const DefaultTrial& t : e.own)
      if (t.study == study)
        timed.push_back({"the queries' own hierarchy", microseconds(t.runs[r].seconds)});
    const std::string& removal = e.methods.front().runs[r].removal;
    add(out, "<h3>{}: {}</h3>\n", escape(study), escape(removal));
    out += figure(curves(removal + ", counted", counted), "Cost of each pose, counted");
    out += figure(curves(removal + ", measured", timed), "Time of each pose, measured");
  }
  return out;
}

std::string methods_row(const std::string& name, const std::string& setting, double cost,
                        double mean, double worst, double build, double bytes, Index leaf) {
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.0f}</td><td "
      "class=\"n\">{}</td></tr>\n",
      escape(name), escape(setting), cost > 0 ? duration(cost) : "–", duration(1e6 * mean),
      duration(1e6 * worst), duration(1e6 * build), bytes, leaf);
}

std::string methods_table(const Evaluation& e) {
  std::string out =
      "<h2>On all studies</h2>\n<p>What a method cannot divide (by regions, where one face is much "
      "larger than the others) is halved at the median down to 8 faces.</p>\n";
  for (const DefaultTrial& own : e.own) {
    add(out,
        "<h3>{}</h3>\n<div class=\"scroll\"><table><tr><th>method</th><th>setting</th><th "
        "class=\"n\">mean, counted</th><th class=\"n\">mean</th><th class=\"n\">worst</th><th "
        "class=\"n\">build</th><th class=\"n\">bytes per triangle</th><th class=\"n\">largest "
        "leaf</th></tr>\n",
        escape(own.study));
    std::vector<const Trial*> trials;
    for (const Trial& t : e.methods)
      if (t.study == own.study) trials.push_back(&t);
    std::stable_sort(trials.begin(), trials.end(), [](const Trial* a, const Trial* b) {
      return a->mean_seconds() < b->mean_seconds();
    });
    out += methods_row("the queries' own", "8 × 8 boxes in frames of their own", 0,
                       own.mean_seconds(), own.worst_seconds(), own.build_seconds,
                       own.bytes_per_triangle, kOwnLargestLeaf);
    for (const Trial* t : trials)
      out += methods_row(evaluation::title(t->tree.method), setting_text(t->tree), t->mean_cost(),
                         t->mean_seconds(), t->worst_seconds(), t->build_seconds,
                         t->bytes_per_triangle, t->largest_leaf);
    std::size_t poses = 0, hits = 0;
    for (const TrialRun& run : own.runs) poses += run.seconds.size(), hits += run.hits;
    add(out, "</table></div>\n<p class=\"note\">{} poses, {} of them not free.</p>\n", poses, hits);
  }
  return out;
}

// D.41 to D.48.
std::string traversals_section(const Evaluation& e) {
  std::string out = "<h2>Traversals</h2>\n<p>(Figures D.41 to D.48.)</p>\n";
  for (const SplitMethod method : distinct(e.traversals, [](auto& t) { return t.tree.method; })) {
    std::vector<Trial> trials;
    std::copy_if(e.traversals.begin(), e.traversals.end(), std::back_inserter(trials),
                 [&](const Trial& t) { return t.tree.method == method; });
    const auto labels =
        distinct(trials, [](auto& t) { return evaluation::title(t.traversal.expansion); });
    std::vector<Series> counted, timed;
    for (const Trial& t : trials) {
      const std::string order = evaluation::title(t.traversal.order);
      if (counted.size() < trials.size() / labels.size()) {
        counted.push_back({order, {}});
        timed.push_back({order, {}});
      }
      const auto at = std::find_if(counted.begin(), counted.end(),
                                   [&](const Series& s) { return s.name == order; });
      at->values.push_back(t.mean_cost());
      timed[static_cast<std::size_t>(at - counted.begin())].values.push_back(1e6 *
                                                                             t.mean_seconds());
    }
    add(out, "<h3>{}, {}</h3>\n", escape(evaluation::title(method)),
        escape(setting_text(trials[0].tree)));
    out += figure(bars("traversals, counted", labels, counted), "Mean cost of a pose, counted");
    out += figure(bars("traversals, measured", labels, timed), "Mean time of a pose, measured");
  }
  return out;
}

std::string deforming_section(const Evaluation& e) {
  if (e.deforming.empty()) return {};
  std::string out =
      "<h2>Axis-aligned or oriented boxes, rigid and deforming</h2>\n<p>Van den Bergen's "
      "comparison: binary trees, split at the middle of the longest axis; all pairs of faces, one "
      "thread, means over the times of a scene.</p>\n<div class=\"scroll\"><table><tr><th>scene"
      "</th><th>boxes</th><th class=\"n\">triangles</th><th class=\"n\">bytes per triangle</th><th "
      "class=\"n\">build</th><th class=\"n\">refit</th><th class=\"n\">test, rigid</th><th "
      "class=\"n\">test, refitted</th><th class=\"n\">test, rebuilt</th></tr>\n";
  for (const DeformingTrial& t : e.deforming) {
    add(out, "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.0f}</td>",
        escape(t.title), t.volume, t.triangles, t.bytes_per_triangle);
    for (const double s :
         {t.build_seconds, t.refit_seconds, t.rigid_seconds, t.refitted_seconds, t.rebuilt_seconds})
      add(out, "<td class=\"n\">{}</td>", duration(1e6 * s));
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string costs_section(const Evaluation& e) {
  std::string out =
      "<h2>What a test costs</h2>\n<p>Measured on this machine, one after the other; the thesis' "
      "table stands before its §10.1.</p>\n<table><tr><th>test</th><th class=\"n\">ns</th></tr>\n";
  for (const auto& [pair, ns] : e.costs.cost)
    add(out, "<tr><td>{}</td><td class=\"n\">{:.1f}</td></tr>\n", escape(pair), ns);
  add(out, "<tr><td>two triangles</td><td class=\"n\">{:.1f}</td></tr>\n</table>\n",
      e.costs.triangles);
  return out;
}

}  // namespace

std::string evaluation_html(const Evaluation& e, const std::string& remark) {
  std::string out = begin_page("Hierarchies for removal studies");
  out += summary_section(e);
  out += settings_section(e);
  out += volumes_section(e);
  out += methods_section(e);
  out += methods_table(e);
  out += traversals_section(e);
  out += deforming_section(e);
  out += costs_section(e);
  return out + end_page(remark, e.seconds, "touche evaluate");
}

}  // namespace touche
