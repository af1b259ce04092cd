// SPDX-License-Identifier: Apache-2.0
#include "study/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "path/parts_inside.h"
#include "report/svg.h"
#include "report/words.h"
#include "study/allowed.h"
#include "study/travel.h"

namespace touche::study {
namespace {

using namespace report;

constexpr double kPlotWidth = 860, kLeft = 66, kRight = 14, kStrip = 12;
constexpr std::size_t kCurves = 6, kBars = 160, kMostDots = 100;

double x_of(double s) { return kLeft + s * (kPlotWidth - kLeft - kRight); }

template <class... Values>
void add(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  out += fmt::format(format, std::forward<Values>(values)...);
}

std::string tick_text(double n) {
  if (n >= 1e6) return fmt::format("{:.4g} M", n / 1e6);
  if (n >= 1e4) return fmt::format("{:.4g} k", n / 1e3);
  return fmt::format("{:.4g}", n);
}

void s_axis(std::string& out, double y) {
  for (const double s : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    add_line(out, x_of(s), y, x_of(s), y + 4, colour::kFaint);
    const char* anchor = s == 0 ? "start" : s == 1 ? "end" : "middle";
    add_text(out, x_of(s), y + 17, anchor, s == 0 ? "start" : s == 1 ? "end" : percent(s));
  }
}

using PartPair = std::pair<std::size_t, std::size_t>;

struct Mark {
  double s, distance;
  bool joined;  // to the mark before it
};

// The clearance of a pair: what a path knows between the recorded poses, and what was measured at
// them.
struct Curve {
  PartPair parts;
  std::vector<Mark> line, recorded;
  double least = kInfinity;
  bool touches = false;
};

Curve& curve_of(std::map<PartPair, Curve>& curves, std::size_t part_a, std::size_t part_b) {
  Curve& curve = curves[{part_a, part_b}];
  curve.parts = {part_a, part_b};
  return curve;
}

// Makes the curves of all pairs that were followed or measured, the closest pair first.
std::vector<Curve> curves_of(const StudyView& view) {
  std::map<PartPair, Curve> by_pair;
  for (const PairPath& pair : view.result.paths) {
    Curve& curve = curve_of(by_pair, pair.part_a, pair.part_b);
    for (const ClearanceSample& sample : pair.path.samples) {
      curve.line.push_back({sample.t, sample.clearance.upper, !curve.line.empty()});
      curve.least = std::min(curve.least, sample.clearance.upper);
    }
    curve.touches = !pair.path.contacts.empty();
  }
  for (const Clearance& c : view.result.clearances) {
    Curve& curve = curve_of(by_pair, c.part_a, c.part_b);
    const bool joined = !curve.recorded.empty() && c.pose > 0 &&
                        curve.recorded.back().s == view.study.times[c.pose - 1];
    curve.recorded.push_back({view.study.times[c.pose], c.distance, joined});
    curve.least = std::min(curve.least, c.distance);
  }
  std::vector<Curve> curves;
  for (auto& [parts, curve] : by_pair) {
    if (curve.line.empty()) curve.line = curve.recorded;
    curves.push_back(std::move(curve));
  }
  std::stable_sort(curves.begin(), curves.end(),
                   [](const Curve& x, const Curve& y) { return x.least < y.least; });
  return curves;
}

// Maps a clearance to a height, by its logarithm where the narrow places would else lie flat on the
// axis.
class HeightAxis {
 public:
  static constexpr double kTop = 18, kBottom = 236;

  HeightAxis(const Study& study, const std::vector<Curve>& curves) {
    for (std::size_t i = 0; i < std::min(kCurves, curves.size()); ++i)
      for (const Mark& mark : curves[i].line) high_ = std::max(high_, mark.distance);
    // Cut off wide clearances: the narrow places matter.
    if (study.clearance > 0) high_ = std::min(high_, 2 * study.clearance);
    if (!(high_ > 0)) high_ = 1;
    double least = high_;
    for (const Curve& curve : curves)
      if (!curve.touches && curve.least > 0) least = std::min(least, curve.least);
    if (least > high_ / kFlat) return;
    low_ = std::pow(10, std::floor(std::log10(std::max(0.5 * least, high_ / kMostRange))));
  }

  double high() const { return high_; }
  bool logarithmic() const { return low_ > 0; }
  bool shows(double distance) const { return distance <= high_; }
  double y_of(double distance) const {
    const double inside = std::clamp(distance, low_, high_);
    const double share =
        low_ > 0 ? std::log(inside / low_) / std::log(high_ / low_) : inside / high_;
    return kBottom - share * (kBottom - kTop);
  }
  std::vector<double> marked() const {
    if (!(low_ > 0)) return ticks(high_, 5);
    std::vector<double> values;
    const bool few = high_ / low_ < 2e3;
    for (double decade = low_; decade <= high_ * (1 + 1e-9); decade *= 10)
      for (const double value : {decade, 2 * decade, 5 * decade})
        if (value <= high_ * (1 + 1e-9) && (few || value == decade)) values.push_back(value);
    return values;
  }

 private:
  static constexpr double kFlat = 20, kMostRange = 1e6;
  double high_ = 0, low_ = 0;  // low_ is 0 where the axis is linear
};

void draw_marks(std::string& out, const HeightAxis& axis, const std::vector<Mark>& line,
                const char* stroke) {
  std::string path;
  bool drawn = false;
  for (const Mark& mark : line) {
    // Draw the line up to the upper edge, and again from there.
    const bool joined = drawn && mark.joined;
    if (axis.shows(mark.distance) || joined)
      add(path, "{}{:.1f} {:.1f}", joined ? "L" : "M", x_of(mark.s), axis.y_of(mark.distance));
    drawn = axis.shows(mark.distance);
  }
  add(out, R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.8"/>)", path, stroke);
}

void draw_curve(std::string& out, const HeightAxis& axis, const Curve& curve, const char* stroke) {
  draw_marks(out, axis, curve.line, stroke);
  if (curve.recorded.size() > kMostDots) return;
  for (const Mark& mark : curve.recorded)
    if (axis.shows(mark.distance))
      add(out, R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.4" fill="{}"/>)", x_of(mark.s),
          axis.y_of(mark.distance), stroke);
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

// Draws what is known of each step; the part of a step before its contact is free. Neighbours that
// are alike are joined.
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

void legend(std::string& out, const Study& study, const std::vector<Curve>& curves, double y) {
  const auto place = [&](std::size_t i) {
    const std::size_t row = i / 2, column = i % 2;
    return std::pair(kLeft + (column == 0 ? 0 : 0.5 * (kPlotWidth - kLeft)),
                     y + kLegendRow * static_cast<double>(row));
  };
  for (std::size_t i = 0; i < std::min(kCurves, curves.size()); ++i) {
    const auto [a, b] = curves[i].parts;
    const auto [x, row] = place(i);
    add_line(out, x, row - 4, x + 18, row - 4, colour::kCurves[i], R"(stroke-width="3")");
    add_text(out, x + 24, row, "start", study.parts[a].name + " – " + study.parts[b].name);
  }
  if (curves.size() <= kCurves) return;
  const auto [x, row] = place(kCurves);
  add_text(out, x, row, "start",
           fmt::format("and {} more pair{}", curves.size() - kCurves,
                       curves.size() == kCurves + 1 ? "" : "s"));
}

// Draws the area below the clearance that all pairs together are proved to keep.
std::string proved_area(const StudyResult& result, const HeightAxis& axis) {
  constexpr int kColumns = 600;
  std::vector<double> proved(kColumns, axis.high());
  for (const PairPath& pair : result.paths) {
    const auto& samples = pair.path.samples;
    for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
      const int begin = static_cast<int>(samples[k].t * kColumns);
      const int end = static_cast<int>(std::ceil(samples[k + 1].t * kColumns));
      for (int c = begin; c < std::min(end, kColumns); ++c)
        proved[static_cast<std::size_t>(c)] =
            std::min(proved[static_cast<std::size_t>(c)], samples[k].clearance.lower);
    }
  }
  std::string area = fmt::format("M{:.1f} {:.1f}", x_of(0), HeightAxis::kBottom);
  for (std::size_t c = 0; c < proved.size(); ++c)
    add(area, "V{:.1f}H{:.2f}", axis.y_of(proved[c]), x_of(static_cast<double>(c + 1) / kColumns));
  return area + fmt::format("V{:.1f}Z", HeightAxis::kBottom);
}

void height_axis(std::string& out, const Study& study, const HeightAxis& axis) {
  const std::vector<double> marked = axis.marked();
  const auto text = lengths_text(marked.empty() ? axis.high() : marked.back(), study.unit);
  for (const double tick : marked) {
    add_line(out, kLeft, axis.y_of(tick), kPlotWidth - kRight, axis.y_of(tick), colour::kRule);
    add_text(out, kLeft - 8, axis.y_of(tick) + 4, "end", text(tick));
  }
  if (axis.logarithmic()) add_text(out, kLeft, HeightAxis::kTop - 6, "start", "logarithmic scale");
  if (!(study.clearance > 0)) return;
  const double y = axis.y_of(study.clearance);
  const bool beyond = !axis.shows(study.clearance);
  if (!beyond)
    add_line(out, kLeft, y, kPlotWidth - kRight, y, colour::kFaint, R"(stroke-dasharray="5 4")");
  add_text(
      out, kPlotWidth - kRight, y - 5, "end",
      (beyond ? "above: threshold " : "threshold ") + length_text(study.clearance, study.unit));
}

// Draws what whole paths tell: contacts from their beginnings to their ends, where a part is inside
// another, and what is not decided. All else is free. Contacts that are allowed do not count.
void path_strip(std::string& out, const StudyView& view, double y) {
  const auto bar = [&](double begin, double end, double least, StepStatus status,
                       const std::string& what) {
    if (!(end > begin) && !(least > 0)) return;
    add(out,
        R"(<rect x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}" fill="{}"><title>{}</title>)"
        "</rect>",
        x_of(begin), y, std::max(least, x_of(end) - x_of(begin)), kStrip, status_colour(status),
        escape(what));
  };
  const auto each = [&](const auto& draw) {
    for (const PairPath& pair : view.result.paths)
      if (!is_allowed(view.study, pair.part_a, pair.part_b))
        draw(pair.path, fmt::format("{} and {}", view.study.parts[pair.part_a].name,
                                    view.study.parts[pair.part_b].name));
  };
  bar(0, 1, 0, StepStatus::free, "proved free");
  // What lies on top of each other is told by the gravest, which is drawn last.
  each([&](const PathResult& path, const std::string& pair) {
    const std::string what = pair + ": not decided";
    for (const ContactInterval& c : path.contacts) {
      bar(c.start.lower, c.start.upper, 0, StepStatus::undecided, what);
      bar(c.end.lower, c.end.upper, 0, StepStatus::undecided, what);
    }
    if (path.verdict == PathClass::undecided)
      bar(path.decided_until < 1 ? path.decided_until : 0, 1, 0, StepStatus::undecided, what);
  });
  each([&](const PathResult& path, const std::string& pair) {
    const std::string what = pair + ": one inside the other";
    const auto next = [&](std::size_t i) {
      return i < path.contacts.size() ? path.contacts[i].start.lower : path.decided_until;
    };
    if (is_inside(path.before)) bar(0, next(0), 0, StepStatus::contact, what);
    for (std::size_t i = 0; i < path.contacts.size(); ++i)
      if (is_inside(path.contacts[i].after))
        bar(path.contacts[i].end.upper, next(i + 1), 0, StepStatus::contact, what);
    // A contact stays visible however short it is.
    for (const ContactInterval& c : path.contacts)
      bar(c.start.upper, c.end.lower, 2.5, StepStatus::contact, pair + ": contact");
  });
}

// Writes how far the only group that moves has got, under the marks of s.
double travel_axis(std::string& out, const StudyView& view, double y) {
  if (view.study.groups.size() != 1 || view.study.groups[0].parts.empty()) return 0;
  for (const double s : {0.25, 0.5, 0.75, 1.0}) {
    const Travel way = travel_of_part(view, view.study.groups[0].parts[0], s);
    add_text(out, x_of(s), y + 32, s == 1 ? "end" : "middle", travel_text(view.study, way));
  }
  return 15;
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
  const std::vector<Curve> curves = curves_of(view);
  const bool measured = !curves.empty() || view.study.clearance > 0;
  const double bottom = measured ? HeightAxis::kBottom : HeightAxis::kTop + 14;
  std::string plot;
  if (measured) {
    const HeightAxis axis(view.study, curves);
    height_axis(plot, view.study, axis);
    if (!view.result.paths.empty())
      add(plot, R"(<path d="{}" fill="{}" fill-opacity="0.25"/>)", proved_area(view.result, axis),
          colour::kFree);
    for (std::size_t i = std::min(kCurves, curves.size()); i-- > 0;)
      draw_curve(plot, axis, curves[i], colour::kCurves[i]);
  }
  contact_marks(plot, view, bottom + 2);
  if (view.result.paths.empty())
    status_strip(plot, view, bottom + 3);
  else
    path_strip(plot, view, bottom + 3);
  s_axis(plot, bottom + 3 + kStrip);
  const double travel = travel_axis(plot, view, bottom + 3 + kStrip);
  legend(plot, view.study, curves, bottom + kStrip + 42 + travel);
  const double height = bottom + kStrip + 30 + travel + legend_height(curves.size());
  return begin_plot(kPlotWidth, height, "Clearance along the path") + plot + "</svg>";
}

std::string work_plot(const StudyResult& result) {
  constexpr double kTop = 18, kBottom = 150;
  // Share the steps out among bars.
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
  // Draw the axis of work.
  std::string out = begin_plot(kPlotWidth, kBottom + 46, "Work per step");
  const auto height = [&](double w) { return w / most * (kBottom - kTop); };
  for (const double tick : ticks(most, 4)) {
    add_line(out, kLeft, kBottom - height(tick), kPlotWidth - kRight, kBottom - height(tick),
             colour::kRule);
    add_text(out, kLeft - 8, kBottom - height(tick) + 4, "end", tick_text(tick));
  }
  for (std::size_t i = 0; i < bars; ++i) {
    // Draw a bar over its steps' part of the path.
    const std::size_t begin = first_of_bar(i), end = first_of_bar(i + 1);
    const double x0 = x_of(result.steps[begin].s_start), x1 = x_of(result.steps[end - 1].s_end);
    const double width = std::max({0.6, 0.8 * (x1 - x0), x1 - x0 - 2});
    const auto [nodes, triangles] = work[i];
    const auto bar = [&](double y, double h, const char* fill) {
      add(out, R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}"/>)", x0, y,
          width, h, fill);
    };
    bar(kBottom - height(nodes), height(nodes), colour::kCurves[0]);
    bar(kBottom - height(nodes) - height(triangles), height(triangles), colour::kPale);
  }
  // Draw the axis of s and the legend.
  add_line(out, kLeft, kBottom, kPlotWidth - kRight, kBottom, colour::kFaint);
  s_axis(out, kBottom);
  add_line(out, kLeft, kBottom + 36, kLeft + 18, kBottom + 36, colour::kCurves[0],
           R"(stroke-width="6")");
  add_text(out, kLeft + 24, kBottom + 40, "start", "pairs of bounding volume nodes");
  add_line(out, kLeft + 240, kBottom + 36, kLeft + 258, kBottom + 36, colour::kPale,
           R"(stroke-width="6")");
  add_text(
      out, kLeft + 264, kBottom + 40, "start",
      steps > bars ? "pairs of triangles (a bar: mean of several steps)" : "pairs of triangles");
  return out + "</svg>";
}

}  // namespace touche::study
