// SPDX-License-Identifier: Apache-2.0
// The page of a continuous evaluation. Every sentence about the present is made from the figures.
#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "evaluation/continuous_methods.h"
#include "evaluation/plot.h"
#include "evaluation/text.h"
#include "report/svg.h"

namespace touche {
namespace {

using namespace evaluation;
using report::escape;
using Scene = ContinuousEvaluation::Scene;

std::vector<const ContinuousTrial*> trials_of(const ContinuousEvaluation& e, const Scene& scene) {
  std::vector<const ContinuousTrial*> result;
  for (const ContinuousTrial& t : e.trials)
    if (t.study == scene.title) result.push_back(&t);
  return result;
}

bool is_certified(const ContinuousTrial& t) { return t.name == kCertified; }

struct Sum {
  std::size_t contacts = 0, found = 0, missed = 0, false_alarms = 0;
  std::size_t given_up() const { return contacts - found - missed; }
  double not_found() const {
    return static_cast<double>(contacts - found) / static_cast<double>(contacts);
  }
};

Sum sum_of(const ContinuousEvaluation& e, const std::string& method) {
  Sum sum;
  for (const ContinuousTrial& t : e.trials) {
    if (is_certified(t)) sum.contacts += t.found;
    if (t.name != method) continue;
    sum.found += t.found;
    sum.missed += t.missed;
    sum.false_alarms += t.false_alarms;
  }
  return sum;
}

std::string plural(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

// The methods that find most first.
std::string what_is_missed(const ContinuousEvaluation& e) {
  std::vector<std::pair<std::string, Sum>> ranked;
  for (const NamedMethod& method : continuous_methods())
    if (const Sum sum = sum_of(e, method.name); sum.contacts > 0)
      ranked.emplace_back(method.name, sum);
  if (ranked.empty()) return "";
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& x, const auto& y) {
    return std::pair(x.second.not_found(), x.second.false_alarms) <
           std::pair(y.second.not_found(), y.second.false_alarms);
  });
  std::string out =
      paragraph("What is missed, on all scenes together.",
                fmt::format("Of {}. The certified answer has no misses and no false alarms.",
                            plural(ranked.front().second.contacts, "contact", "contacts")));
  out +=
      "<table><tr><th>method</th><th class=\"n\">missed</th><th class=\"n\">given up</th><th "
      "class=\"n\">invented</th></tr>\n";
  for (const auto& [name, sum] : ranked)
    out += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        escape(name), sum.missed, sum.given_up(), sum.false_alarms);
  return out + "</table>\n";
}

std::string mean_times(const ContinuousEvaluation& e) {
  std::string out = paragraph("Mean time of a step.", "");
  out +=
      "<table><tr><th>scene</th><th class=\"n\">certified</th><th class=\"n\">by linear "
      "interpolation</th></tr>\n";
  for (const Scene& s : e.scenes) {
    const ContinuousTrial *linear = nullptr, *certified = nullptr;
    for (const ContinuousTrial* t : trials_of(e, s)) {
      if (is_certified(*t)) certified = t;
      if (t->name == "linear") linear = t;
    }
    if (certified != nullptr && linear != nullptr)
      out += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                         escape(s.title), duration(1e6 * certified->mean_seconds()),
                         duration(1e6 * linear->mean_seconds()));
  }
  return out + "</table>\n";
}

std::string summary(const ContinuousEvaluation& e) {
  std::string out = "<h2>Summary</h2>\n";
  out += paragraph(
      "In 1998.",
      "Eckstein's thesis (§10.2) found that a path its static test had called free was not, and "
      "that linear interpolation and regula falsi stay fast enough to be used interactively. It "
      "could not show how many contacts each method misses, because it had no reference to compare "
      "with.");
  std::string hidden;
  for (const Scene& s : e.scenes)
    if (s.free_poses_contacts > 0)
      hidden += fmt::format("{}{}: {} of {}", hidden.empty() ? "" : "; ", escape(s.title),
                            s.free_poses_contacts, plural(s.contacts, "contact", "contacts"));
  if (!hidden.empty())
    out += paragraph("Contacts between two free poses.",
                     "Static tests at the recorded poses cannot see them. " + hidden + ".");
  return out + what_is_missed(e) + mean_times(e);
}

std::string table(const std::vector<const ContinuousTrial*>& trials) {
  std::string out =
      "<div class=\"scroll\"><table><tr><th>method</th><th class=\"n\">mean time of a step</th><th "
      "class=\"n\">worst</th><th class=\"n\">missed</th><th class=\"n\">of contacts</th><th "
      "class=\"n\">false alarms</th><th class=\"n\">given up</th><th class=\"n\">mean error of "
      "t</th><th class=\"n\">worst</th></tr>\n";
  for (const ContinuousTrial* t : trials) {
    const bool errors = t->found > 0 && !is_certified(*t);
    out += fmt::format(
        "<tr><td style=\"white-space:nowrap\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
        escape(t->name), duration(1e6 * t->mean_seconds()), duration(1e6 * t->worst_seconds()),
        t->missed, t->found + t->missed, t->false_alarms, t->given_up,
        errors ? fmt::format("{:.2g}", t->mean_error) : "–",
        errors ? fmt::format("{:.2g}", t->worst_error) : "–");
  }
  return out + "</table></div>\n";
}

bool plotted(const std::string& name) {
  const auto& methods = continuous_methods();
  return name == kCertified || std::any_of(methods.begin(), methods.end(), [&](const auto& m) {
           return m.name == name && m.plotted;
         });
}

std::string scene_section(const ContinuousEvaluation& e, const Scene& scene) {
  const auto trials = trials_of(e, scene);
  std::string out = fmt::format(
      "<h3>{}</h3>\n<p class=\"note\">{} in {} of parts that come near "
      "each other; {}{}{}.</p>\n",
      escape(scene.title), plural(scene.steps, "step", "steps"),
      plural(scene.pairs, "pair", "pairs"), plural(scene.contacts, "contact", "contacts"),
      scene.free_poses_contacts > 0
          ? fmt::format(", {} between two free poses", scene.free_poses_contacts)
          : std::string(),
      scene.touching_starts > 0 ? fmt::format("; {} left out, which touch at the start",
                                              plural(scene.touching_starts, "pair", "pairs"))
                                : std::string());
  std::vector<Series> series;
  for (const ContinuousTrial* t : trials)
    if (plotted(t->name)) series.push_back({t->name, microseconds(t->seconds)});
  if (scene.steps > 1)
    out += fmt::format("<figure>{}<figcaption>Time of each step, measured</figcaption></figure>\n",
                       curves(scene.title + ", time of each step", series));
  return out + table(trials);
}

/// The tightest ones first.
std::string path_volumes_table(const ContinuousEvaluation& e) {
  std::string out =
      "<p>Every kind of volume around the points of such paths of boxes: its surface over that of "
      "their convex hull.</p>\n<table><tr><th>volume</th><th class=\"n\">surface</th></tr>\n";
  auto sorted = e.path_volumes;
  std::ranges::stable_sort(sorted, {}, &ContinuousEvaluation::PathVolume::area_ratio);
  for (const auto& v : sorted)
    out += fmt::format("<tr><td>{}</td><td class=\"n\">{:.2f}</td></tr>\n", v.volume, v.area_ratio);
  return out + "</table>\n";
}

std::string swept_volumes_section(const ContinuousEvaluation& e) {
  std::string out =
      "<h2>Swept volumes</h2>\n<p>Surface of the volume that stands for a node's path (thesis "
      "§4.2.1), over that of the smallest of its kind around points of the path: geometric mean "
      "over "
      "motions of a tenth of the body's size and 2 degrees. What is not enclosing need not contain "
      "the path.</p>\n<table><tr><th>volume</th><th>around</th><th class=\"n\">surface</th><th "
      "class=\"n\">points outside</th></tr>\n";
  for (const auto& l : e.swept_volumes)
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"n\">{:.2f}</td><td class=\"n\">{:.2g} %</td></tr>\n",
        l.volume, l.sweep, l.area_ratio, 100 * l.outside);
  return out + "</table>\n" + path_volumes_table(e);
}

}  // namespace

std::string continuous_html(const ContinuousEvaluation& e, const std::string& remark) {
  std::string out = begin_page("Continuous tests against the certified answer");
  out += summary(e);
  out +=
      "<h2>Scenes</h2>\n<p>(Figures D.49 to D.56.) Unless a method says otherwise: volumes around "
      "start and end, the exact inside test; sampling with five distances. Errors of the time in "
      "steps.</p>\n";
  for (const Scene& scene : e.scenes) out += scene_section(e, scene);
  out += swept_volumes_section(e);
  return out + end_page(remark, e.seconds, "touche evaluate --continuous");
}

std::string continuous_csv(const ContinuousEvaluation& e) {
  std::string out =
      "study,method,steps,mean_us,worst_us,found,missed,false_alarms,free,given_up,mean_time_error,"
      "worst_time_error\n";
  for (const ContinuousTrial& t : e.trials)
    out += fmt::format("{},{},{},{:.4g},{:.4g},{},{},{},{},{},{:.4g},{:.4g}\n", quoted(t.study),
                       quoted(t.name), t.seconds.size(), 1e6 * t.mean_seconds(),
                       1e6 * t.worst_seconds(), t.found, t.missed, t.false_alarms, t.free,
                       t.given_up, t.mean_error, t.worst_error);
  return out;
}

}  // namespace touche
