// SPDX-License-Identifier: Apache-2.0
#include "study/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "report/svg.h"
#include "study/describe.h"

namespace touche::study {
namespace {

using namespace report;

constexpr double kWidth = 860, kLeft = 62, kRight = 14, kStrip = 12;
constexpr std::size_t kCurves = 6, kBars = 160;

double x_of(double s) { return kLeft + s * (kWidth - kLeft - kRight); }

template <class... Values>
void add(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  out += fmt::format(format, std::forward<Values>(values)...);
}

std::string count_text(double n) {
  if (n >= 1e6) return fmt::format("{:.4g} M", n / 1e6);
  if (n >= 1e4) return fmt::format("{:.4g} k", n / 1e3);
  return fmt::format("{:.4g}", n);
}

void s_axis(std::string& out, double y) {
  for (const double s : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    add_line(out, x_of(s), y, x_of(s), y + 4, colour::kFaint);
    add_text(out, x_of(s), y + 17,
             s == 0   ? "start"
             : s == 1 ? "end"
                      : "middle",
             s == 0   ? "s = 0 (start)"
             : s == 1 ? "s = 1 (end)"
                      : fmt::format("{}", s));
  }
}

using PartPair = std::pair<std::size_t, std::size_t>;
using Curve = std::vector<const Clearance*>;  // by pose

// The pairs that come closest, closest first.
std::vector<std::pair<PartPair, Curve>> closest_curves(const StudyResult& result) {
  std::map<PartPair, Curve> by_pair;
  for (const Clearance& c : result.clearances) by_pair[{c.part_a, c.part_b}].push_back(&c);
  std::vector<std::pair<PartPair, Curve>> curves(by_pair.begin(), by_pair.end());
  const auto smallest = [](const Curve& curve) {
    return (*std::min_element(curve.begin(), curve.end(),
                              [](auto* x, auto* y) { return x->distance < y->distance; }))
        ->distance;
  };
  std::stable_sort(curves.begin(), curves.end(), [&](const auto& x, const auto& y) {
    return smallest(x.second) < smallest(y.second);
  });
  return curves;
}

// One path; it is broken where the clearance is above the threshold in between.
template <class YOf>
void draw_curve(std::string& out, const Study& study, const Curve& curve, const char* stroke,
                const YOf& y_of) {
  std::string path;
  std::size_t expected = static_cast<std::size_t>(-1);
  for (const Clearance* c : curve) {
    add(path, "{}{:.1f} {:.1f}", c->pose == expected ? "L" : "M", x_of(study.times[c->pose]),
        y_of(c->distance));
    expected = c->pose + 1;
  }
  add(out, R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.8"/>)", path, stroke);
  if (curve.size() > 100) return;
  for (const Clearance* c : curve)
    add(out, R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.4" fill="{}"/>)", x_of(study.times[c->pose]),
        y_of(c->distance), stroke);
}

void strip(std::string& out, double s0, double s1, double y, StepStatus status,
           std::size_t first_step, std::size_t last_step) {
  if (!(s1 > s0)) return;
  // A contact stays visible however short its step is.
  const double least = status == StepStatus::free || status == StepStatus::not_examined ? 0.6 : 2.5;
  add(out, R"(<rect x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}" fill="{}">)", x_of(s0), y,
      std::max(x_of(s1) - x_of(s0), least), kStrip, status_colour(status));
  add(out, "<title>step {} to {}: {}</title></rect>", first_step, last_step, name(status));
}

// What is known of each step; of a step with a contact, the part before it is free. Neighbours
// alike are joined.
void status_strip(std::string& out, const StudyView& view, double y) {
  std::vector<double> free_until(view.result.steps.size(), 1);  // s
  for (const PairStep& pair : view.result.pairs)
    if (pair.status != StepStatus::free)
      free_until[pair.step] =
          std::min(free_until[pair.step], path_position(view.study, pair.step, pair.time.lower));
  for (std::size_t k = 0; k < view.result.steps.size();) {
    const StepStatus status = view.result.steps[k].status;
    const double s0 = view.result.steps[k].s_start;
    std::size_t end = k + 1;
    if (status == StepStatus::contact || status == StepStatus::undecided) {
      const double s1 = view.result.steps[k].s_end, between = std::clamp(free_until[k], s0, s1);
      strip(out, s0, between, y, StepStatus::free, k, k);
      strip(out, between, s1, y, status, k, k);
    } else {
      while (end < view.result.steps.size() && view.result.steps[end].status == status) ++end;
      strip(out, s0, view.result.steps[end - 1].s_end, y, status, k, end - 1);
    }
    k = end;
  }
}

void contact_marks(std::string& out, const StudyView& view, double y) {
  std::size_t marks = 0;
  for (const PairStep& pair : view.result.pairs) {
    if (pair.status != StepStatus::contact || ++marks > 400) continue;
    const double x = x_of(path_position(view.study, pair.step, pair.time.upper));
    add(out, R"(<path d="M{0:.1f} {1:.1f} l-5 -9 h10 z" fill="{2}"/>)", x, y, colour::kContact);
  }
}

constexpr double kLegendRow = 19;

double legend_height(std::size_t curves) {
  const std::size_t rows = (std::min(kCurves + 1, curves) + 1) / 2;
  return kLegendRow * static_cast<double>(rows);
}

void legend(std::string& out, const Study& study, const std::vector<PartPair>& curves, double y) {
  const auto place = [&](std::size_t i) {
    const std::size_t row = i / 2, column = i % 2;
    return std::pair(kLeft + (column == 0 ? 0 : 0.5 * (kWidth - kLeft)),
                     y + kLegendRow * static_cast<double>(row));
  };
  for (std::size_t i = 0; i < std::min(kCurves, curves.size()); ++i) {
    const auto [a, b] = curves[i];
    const auto [x, row] = place(i);
    add_line(out, x, row - 4, x + 18, row - 4, colour::kCurves[i], R"(stroke-width="3")");
    add_text(out, x + 24, row, "start", study.parts[a].name + " – " + study.parts[b].name);
  }
  if (curves.size() <= kCurves) return;
  const auto [x, row] = place(kCurves);
  add_text(out, x, row, "start", fmt::format("and {} more pairs", curves.size() - kCurves));
}

// Below what all pairs together are proved to keep.
template <class YOf>
std::string proved_area(const std::vector<const PairPath*>& paths, double most, const YOf& y_of) {
  constexpr int kColumns = 600;
  std::vector<double> proved(kColumns, most);
  for (const PairPath* pair : paths) {
    const auto& samples = pair->path.samples;
    for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
      const int begin = static_cast<int>(samples[k].t * kColumns);
      const int end = static_cast<int>(std::ceil(samples[k + 1].t * kColumns));
      for (int c = begin; c < std::min(end, kColumns); ++c)
        proved[static_cast<std::size_t>(c)] =
            std::min(proved[static_cast<std::size_t>(c)], samples[k].clearance.lower);
    }
  }
  std::string area = fmt::format("M{:.1f} {:.1f}", x_of(0), y_of(0));
  for (std::size_t c = 0; c < proved.size(); ++c)
    add(area, "V{:.1f}H{:.2f}", y_of(proved[c]), x_of(static_cast<double>(c + 1) / kColumns));
  return area + fmt::format("V{:.1f}Z", y_of(0));
}

}  // namespace

const char* status_colour(StepStatus status) {
  switch (status) {
    case StepStatus::free:
      return colour::kFree;
    case StepStatus::contact:
    case StepStatus::initially_touching:
      return colour::kContact;
    case StepStatus::undecided:
      return colour::kUndecided;
    case StepStatus::not_examined:
      return colour::kNotExamined;
  }
  return colour::kInk;
}

std::string clearance_plot(const StudyView& view) {
  constexpr double kTop = 18, kBottom = 236;
  const bool measured = view.study.clearance > 0;
  const double bottom = measured ? kBottom : kTop + 14;
  const auto curves = closest_curves(view.result);
  std::string out = begin_plot(kWidth, bottom + kStrip + 30 + legend_height(curves.size()),
                               "Clearance along the path");
  if (measured) {
    const double top_value = 1.08 * view.study.clearance;
    const auto y_of = [&](double d) { return bottom - d / top_value * (bottom - kTop); };
    for (const double tick : ticks(view.study.clearance, 5)) {
      add_line(out, kLeft, y_of(tick), kWidth - kRight, y_of(tick), colour::kRule);
      add_text(out, kLeft - 8, y_of(tick) + 4, "end", fmt::format("{:.4g}", tick));
    }
    add_line(out, kLeft, y_of(view.study.clearance), kWidth - kRight, y_of(view.study.clearance),
             colour::kFaint, R"(stroke-dasharray="5 4")");
    add_text(out, kWidth - kRight, y_of(view.study.clearance) - 5, "end",
             "threshold " + length(view.study, view.study.clearance));
    add_text(out, kLeft - 8, 10, "end", view.study.unit);
    for (std::size_t i = std::min(kCurves, curves.size()); i-- > 0;)
      draw_curve(out, view.study, curves[i].second, colour::kCurves[i], y_of);
  }
  contact_marks(out, view, bottom + 2);
  status_strip(out, view, bottom + 3);
  s_axis(out, bottom + 3 + kStrip);
  std::vector<PartPair> pairs(curves.size());
  std::transform(curves.begin(), curves.end(), pairs.begin(),
                 [](const auto& curve) { return curve.first; });
  legend(out, view.study, pairs, bottom + kStrip + 42);
  return out + "</svg>";
}

std::string path_plot(const StudyView& view) {
  constexpr double kTop = 18, kBottom = 236;
  std::vector<const PairPath*> paths;
  for (const PairPath& pair : view.result.paths) paths.push_back(&pair);
  std::stable_sort(paths.begin(), paths.end(), [](const PairPath* x, const PairPath* y) {
    return x->path.min_clearance.upper < y->path.min_clearance.upper;
  });
  const std::size_t shown = std::min(kCurves, paths.size());
  double most = 0;
  for (std::size_t i = 0; i < shown; ++i)
    for (const ClearanceSample& s : paths[i]->path.samples)
      most = std::max(most, s.clearance.upper);
  // What matters is where it is narrow.
  if (view.study.clearance > 0) most = std::min(most, 2 * view.study.clearance);
  if (!(most > 0)) most = 1;
  std::string out =
      begin_plot(kWidth, kBottom + kStrip + 30 + legend_height(paths.size()), "Proved clearance");
  const auto y_of = [&](double d) { return kBottom - std::min(d, most) / most * (kBottom - kTop); };
  for (const double tick : ticks(most, 5)) {
    add_line(out, kLeft, y_of(tick), kWidth - kRight, y_of(tick), colour::kRule);
    add_text(out, kLeft - 8, y_of(tick) + 4, "end", fmt::format("{:.4g}", tick));
  }
  if (view.study.clearance > 0) {
    const double y = y_of(view.study.clearance);
    const bool beyond = view.study.clearance > most;
    if (!beyond)
      add_line(out, kLeft, y, kWidth - kRight, y, colour::kFaint, R"(stroke-dasharray="5 4")");
    add_text(
        out, kWidth - kRight, y - 5, "end",
        (beyond ? "above: threshold " : "threshold ") + length(view.study, view.study.clearance));
  }
  add_text(out, kLeft - 8, 10, "end", view.study.unit);
  add(out, R"(<path d="{}" fill="{}" fill-opacity="0.25"/>)", proved_area(paths, most, y_of),
      colour::kFree);
  for (std::size_t i = shown; i-- > 0;) {
    std::string line;
    bool drawn = false;
    for (const ClearanceSample& s : paths[i]->path.samples) {
      // Up to the upper edge, and again from there.
      if (s.clearance.upper <= most || drawn)
        add(line, "{}{:.1f} {:.1f}", drawn ? "L" : "M", x_of(s.t), y_of(s.clearance.upper));
      drawn = s.clearance.upper <= most;
    }
    add(out, R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.8"/>)", line,
        colour::kCurves[i]);
  }
  const auto bar = [&](double begin, double end, const char* fill) {
    add(out, R"(<rect x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}" fill="{}"/>)",
        x_of(begin), kBottom + 3, std::max(2.5, x_of(end) - x_of(begin)), kStrip, fill);
  };
  bar(0, 1, colour::kFree);
  for (const PairPath& pair : view.result.paths) {
    if (pair.path.decided_until < 1) bar(pair.path.decided_until, 1, colour::kUndecided);
    for (const ContactInterval& c : pair.path.contacts)
      bar(c.start.upper, c.end.lower, colour::kContact);
  }
  s_axis(out, kBottom + 3 + kStrip);
  std::vector<PartPair> pairs(paths.size());
  std::transform(paths.begin(), paths.end(), pairs.begin(),
                 [](const PairPath* pair) { return PartPair(pair->part_a, pair->part_b); });
  legend(out, view.study, pairs, kBottom + kStrip + 42);
  return out + "</svg>";
}

std::string work_plot(const StudyResult& result) {
  constexpr double kTop = 18, kBottom = 150;
  const std::size_t steps = result.steps.size();
  const std::size_t bars = std::min(kBars, steps);
  const auto first_of_bar = [&](std::size_t i) { return (i * steps + bars - 1) / bars; };
  std::vector<std::pair<double, double>> work(bars);  // nodes, triangles: mean of a bar's steps
  for (std::size_t i = 0; i < bars; ++i) {
    auto& [nodes, triangles] = work[i];
    const std::size_t begin = first_of_bar(i), end = first_of_bar(i + 1);
    for (std::size_t k = begin; k < end; ++k) {
      nodes += static_cast<double>(result.steps[k].stats.node_pairs);
      triangles += static_cast<double>(result.steps[k].stats.primitive_tests);
    }
    nodes /= static_cast<double>(end - begin);
    triangles /= static_cast<double>(end - begin);
  }
  double most = 1;
  for (const auto& [nodes, triangles] : work) most = std::max(most, nodes + triangles);
  std::string out = begin_plot(kWidth, kBottom + 46, "Work per step");
  const auto height = [&](double w) { return w / most * (kBottom - kTop); };
  for (const double tick : ticks(most, 4)) {
    add_line(out, kLeft, kBottom - height(tick), kWidth - kRight, kBottom - height(tick),
             colour::kRule);
    add_text(out, kLeft - 8, kBottom - height(tick) + 4, "end", count_text(tick));
  }
  for (std::size_t i = 0; i < bars; ++i) {
    // A bar stands over its steps' part of the path.
    const std::size_t begin = first_of_bar(i), end = first_of_bar(i + 1);
    const double x0 = x_of(result.steps[begin].s_start), x1 = x_of(result.steps[end - 1].s_end);
    const double width = std::max({0.6, 0.8 * (x1 - x0), x1 - x0 - 2});
    const auto [nodes, triangles] = work[i];
    const auto bar = [&](double y, double h, const char* fill) {
      add(out, R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}"/>)", x0, y,
          width, h, fill);
    };
    bar(kBottom - height(nodes), height(nodes), "#2b5c8a");
    bar(kBottom - height(nodes) - height(triangles), height(triangles), "#9dbbd6");
  }
  add_line(out, kLeft, kBottom, kWidth - kRight, kBottom, colour::kFaint);
  s_axis(out, kBottom);
  add_line(out, kLeft, kBottom + 36, kLeft + 18, kBottom + 36, "#2b5c8a", R"(stroke-width="6")");
  add_text(out, kLeft + 24, kBottom + 40, "start", "pairs of bounding volume nodes");
  add_line(out, kLeft + 240, kBottom + 36, kLeft + 258, kBottom + 36, "#9dbbd6",
           R"(stroke-width="6")");
  add_text(
      out, kLeft + 264, kBottom + 40, "start",
      steps > bars ? "pairs of triangles (a bar: mean of several steps)" : "pairs of triangles");
  return out + "</svg>";
}

}  // namespace touche::study
