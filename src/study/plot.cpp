// SPDX-License-Identifier: Apache-2.0
#include "study/plot.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "report/svg.h"
#include "report/words.h"
#include "study/facts.h"
#include "study/plot_frame.h"
#include "study/travel.h"

namespace touche::study {
namespace {

using namespace report;

constexpr std::size_t kCurves = 6, kMostDots = 100;

using PartPair = std::pair<std::size_t, std::size_t>;

struct Mark {
  double s, distance;
  bool joined;  // connected to the previous mark
};

// The clearance of a pair: from its path between the recorded poses, and as measured at them.
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

// Makes the curves of all pairs with a path or a measured clearance, closest pair first.
std::vector<Curve> curves_of(const StudyResult& result) {
  std::map<PartPair, Curve> by_pair;
  for (const PairPath& pair : result.paths) {
    Curve& curve = curve_of(by_pair, pair.part_a, pair.part_b);
    for (const ClearanceSample& sample : pair.path.samples) {
      curve.line.push_back({sample.t, sample.clearance.upper, !curve.line.empty()});
      curve.least = std::min(curve.least, sample.clearance.upper);
    }
    curve.touches = !pair.path.contacts.empty();
  }
  for (const Clearance& c : result.clearances) {
    Curve& curve = curve_of(by_pair, c.part_a, c.part_b);
    const bool joined = !curve.recorded.empty() && c.pose > 0 &&
                        curve.recorded.back().s == result.study.times[c.pose - 1];
    curve.recorded.push_back({result.study.times[c.pose], c.distance, joined});
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

// Maps a clearance to a height. The scale is logarithmic if small clearances would otherwise be
// indistinguishable from the axis.
class HeightAxis {
 public:
  static constexpr double kTop = 18, kBottom = 236;

  HeightAxis(const Study& study, const std::vector<Curve>& curves) {
    for (std::size_t i = 0; i < std::min(kCurves, curves.size()); ++i)
      for (const Mark& mark : curves[i].line) high_ = std::max(high_, mark.distance);
    high_ = std::min(high_, widest_shown(study));
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
  double high_ = 0, low_ = 0;  // low_ is 0 for a linear axis
};

void draw_marks(std::string& out, const HeightAxis& axis, const std::vector<Mark>& line,
                const char* stroke) {
  std::string path;
  bool drawn = false;
  for (const Mark& mark : line) {
    // Continue the line to the upper edge, and resume it there.
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

void contact_marks(std::string& out, const StudyResult& result, double y) {
  std::size_t marks = 0;
  for (const PairStep& pair : result.pairs) {
    if (pair.status != StepStatus::contact || ++marks > 400) continue;
    const double x = x_of(path_position(result.study, pair.step, pair.time.upper));
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

// Draws the area below the clearance that is proved for all pairs together.
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
  for (const double tick : axis.marked()) {
    add_line(out, kLeft, axis.y_of(tick), kPlotWidth - kRight, axis.y_of(tick), colour::kRule);
    add_text(out, kLeft - 8, axis.y_of(tick) + 4, "end", length_text(tick, study.unit));
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

// If a single group moves, writes its travel below the marks of s.
double travel_axis(std::string& out, const StudyResult& result, double y) {
  if (result.study.groups.size() != 1 || result.study.groups[0].parts.empty()) return 0;
  for (const double s : {0.25, 0.5, 0.75, 1.0}) {
    const Travel way = travel_of_part(result, result.study.groups[0].parts[0], s);
    add_text(out, x_of(s), y + 32, s == 1 ? "end" : "middle", travel_text(result.study, way));
  }
  return 15;
}

}  // namespace

std::string clearance_plot(const StudyResult& result) {
  const std::vector<Curve> curves = curves_of(result);
  const bool measured = !curves.empty() || result.study.clearance > 0;
  const double bottom = measured ? HeightAxis::kBottom : HeightAxis::kTop + 14;
  std::string plot;
  if (measured) {
    const HeightAxis axis(result.study, curves);
    height_axis(plot, result.study, axis);
    if (has_all_paths(result))
      add(plot, R"(<path d="{}" fill="{}" fill-opacity="0.25"/>)", proved_area(result, axis),
          colour::kFree);
    for (std::size_t i = std::min(kCurves, curves.size()); i-- > 0;)
      draw_curve(plot, axis, curves[i], colour::kCurves[i]);
  }
  contact_marks(plot, result, bottom + 2);
  if (has_all_paths(result))
    path_strip(plot, result, bottom + 3);
  else
    status_strip(plot, result, bottom + 3);
  s_axis(plot, bottom + 3 + kStrip);
  const double travel = travel_axis(plot, result, bottom + 3 + kStrip);
  legend(plot, result.study, curves, bottom + kStrip + 42 + travel);
  const double height = bottom + kStrip + 30 + travel + legend_height(curves.size());
  return begin_plot(kPlotWidth, height, "Clearance along the path") + plot + "</svg>";
}

}  // namespace touche::study
