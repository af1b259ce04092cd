// SPDX-License-Identifier: Apache-2.0
#include "evaluation/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "evaluation/text.h"
#include "report/svg.h"

namespace touche::evaluation {
namespace {

using namespace report;

constexpr double kWidth = 860, kLeft = 68, kRight = 10, kTop = 14, kBottom = 206, kLegendRow = 18;

double most(const std::vector<Series>& series) {
  double result = 0;
  for (const Series& s : series)
    for (const double value : s.values)
      if (std::isfinite(value)) result = std::max(result, value);
  return result > 0 ? result : 1;
}

double least(const std::vector<Series>& series) {
  double result = most(series);
  for (const Series& s : series)
    for (const double value : s.values)
      if (value > 0) result = std::min(result, value);
  return result;
}

const char* colour_of(std::size_t i) { return colour::kCurves[i % colour::kCurves.size()]; }

constexpr std::size_t kLegendColumns = 3;

double plot_height(std::size_t series) {
  const std::size_t rows = (series + kLegendColumns - 1) / kLegendColumns;
  return kBottom + 34 + kLegendRow * static_cast<double>(rows);
}

void legend(std::string& out, const std::vector<Series>& series) {
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::size_t row = i / kLegendColumns, column = i % kLegendColumns;
    const double x = kLeft + (kWidth - kLeft) / kLegendColumns * static_cast<double>(column);
    const double y = kBottom + 40 + kLegendRow * static_cast<double>(row);
    add_line(out, x, y - 4, x + 16, y - 4, colour_of(i), R"(stroke-width="6")");
    add_text(out, x + 22, y, "start", series[i].name);
  }
}

}  // namespace

std::vector<double> microseconds(const std::vector<double>& seconds) {
  std::vector<double> result = seconds;
  for (double& s : result) s *= 1e6;
  return result;
}

std::string bars(const std::string& about, const std::vector<std::string>& labels,
                 const std::vector<Series>& series) {
  const double top = 1.04 * most(series);
  const auto y_of = [&](double value) { return kBottom - value / top * (kBottom - kTop); };
  std::string out = begin_plot(kWidth, plot_height(series.size()), about);
  for (const double tick : ticks(top, 5)) {
    add_line(out, kLeft, y_of(tick), kWidth - kRight, y_of(tick), colour::kRule);
    add_text(out, kLeft - 8, y_of(tick) + 4, "end", tick > 0 ? duration(tick) : "0");
  }
  const double group = (kWidth - kLeft - kRight) / static_cast<double>(labels.size());
  const double bar = std::min(30.0, 0.8 * group / static_cast<double>(series.size()));
  for (std::size_t g = 0; g < labels.size(); ++g) {
    const double middle = kLeft + (static_cast<double>(g) + 0.5) * group;
    const bool narrow = group < 56 && g % 2 == 1;  // names of many are in two rows
    add_text(out, middle, kBottom + (narrow ? 29 : 16), "middle", labels[g]);
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double value = series[i].values[g];
      if (!std::isfinite(value)) continue;
      const double x =
          middle + (static_cast<double>(i) - 0.5 * static_cast<double>(series.size())) * bar;
      out += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}">)"
                         "<title>{}, {}: {}</title></rect>",
                         x, y_of(value), bar - 1, kBottom - y_of(value), colour_of(i),
                         escape(series[i].name), escape(labels[g]), duration(value));
    }
  }
  add_line(out, kLeft, kBottom, kWidth - kRight, kBottom, colour::kFaint);
  legend(out, series);
  return out + "</svg>";
}

std::string curves(const std::string& about, const std::vector<Series>& series) {
  const double low = std::floor(std::log10(least(series)));
  const double high = std::max(low + 1, std::ceil(std::log10(most(series))));
  const auto y_of = [&](double value) {
    const double share = (std::log10(std::max(value, 1e-9)) - low) / (high - low);
    return kBottom - std::clamp(share, 0.0, 1.0) * (kBottom - kTop);
  };
  std::string out = begin_plot(kWidth, plot_height(series.size()), about);
  for (double decade = low; decade <= high; ++decade) {
    const double value = std::pow(10, decade);
    add_line(out, kLeft, y_of(value), kWidth - kRight, y_of(value), colour::kRule);
    add_text(out, kLeft - 8, y_of(value) + 4, "end", duration(value));
  }
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string path;
    const auto count = static_cast<double>(series[i].values.size());
    for (std::size_t k = 0; k < series[i].values.size(); ++k) {
      const double x = kLeft + (static_cast<double>(k) + 0.5) / count * (kWidth - kLeft - kRight);
      path += fmt::format("{}{:.1f} {:.1f}", k == 0 ? "M" : "L", x, y_of(series[i].values[k]));
    }
    out += fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.4"/>)", path,
                       colour_of(i));
  }
  add_line(out, kLeft, kBottom, kWidth - kRight, kBottom, colour::kFaint);
  add_text(out, kLeft, kBottom + 16, "start", "start");
  add_text(out, kWidth - kRight, kBottom + 16, "end", "end of the removal");
  legend(out, series);
  return out + "</svg>";
}

}  // namespace touche::evaluation
