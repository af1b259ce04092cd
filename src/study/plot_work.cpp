// SPDX-License-Identifier: Apache-2.0
// The plot of the work that each step took.
#include <algorithm>
#include <utility>
#include <vector>

#include "report/svg.h"
#include "study/plot.h"
#include "study/plot_frame.h"

namespace touche::study {

using namespace report;

namespace {

constexpr std::size_t kBars = 160;

std::string tick_text(double n) {
  if (n >= 1e6) return fmt::format("{:.4g} M", n / 1e6);
  if (n >= 1e4) return fmt::format("{:.4g} k", n / 1e3);
  return fmt::format("{:.4g}", n);
}

}  // namespace

std::string work_plot(const StudyResult& result) {
  constexpr double kTop = 18, kBottom = 150;
  // Distribute the steps among the bars.
  const std::size_t steps = result.steps.size();
  const std::size_t bars = std::min(kBars, steps);
  const auto first_of_bar = [&](std::size_t i) { return (i * steps + bars - 1) / bars; };
  std::vector<std::pair<double, double>> work(bars);  // of nodes and of triangles: mean over the
                                                      // bar's steps
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
    // Draw a bar over the interval of its steps.
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
