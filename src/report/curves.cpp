// SPDX-License-Identifier: Apache-2.0
#include "report/curves.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/svg.h"
#include "touche/types.h"

namespace touche::report {
namespace {

constexpr double kWidth = 860, kLeft = 78, kRight = 14, kTop = 14, kBottom = 160, kStrip = 12;
constexpr double kLegendRow = 19;
constexpr std::size_t kLegendColumns = 2, kColumns = 600;

const char* colour_of(std::size_t i) { return colour::kCurves[i % colour::kCurves.size()]; }

class Axes {
 public:
  explicit Axes(const CurvesPlot& plot)
      : scale_(plot.scale), from_(plot.times.front()), to_(plot.times.back()) {
    double low = kInfinity, high = -kInfinity;
    for (const Curve& curve : plot.curves)
      for (const double value : curve.values)
        if (std::isfinite(value) && (scale_ != Scale::decades || value > 0)) {
          low = std::min(low, height_of(value));
          high = std::max(high, height_of(value));
        }
    if (scale_ == Scale::decades) {
      if (!(high >= low)) low = high = 0;
      low_ = std::floor(low);
      high_ = std::max(std::ceil(high), low_ + 1);
    } else {
      low_ = std::min(low, 0.0);
      high_ = std::max(high, 0.0);
      if (!(high_ > low_)) high_ = low_ + 1;
    }
  }

  double x_of(double t) const {
    return kLeft + (t - from_) / (to_ - from_) * (kWidth - kLeft - kRight);
  }
  double y_of(double value) const {
    const double height = scale_ == Scale::decades && !(value > 0) ? low_ : height_of(value);
    return kBottom - (height - low_) / (high_ - low_) * (kBottom - kTop);
  }

  void draw(std::string& out, const CurvesPlot& plot, double below) const {
    if (scale_ == Scale::decades) add_text(out, kLeft, kTop - 4, "start", "logarithmic scale");
    double step = round_down((high_ - low_) / 4);
    if (scale_ != Scale::linear) step = std::max(step, 1.0);
    for (double k = std::ceil(low_ / step); k * step <= high_ * (1 + 1e-12); ++k) {
      const double value = scale_ == Scale::decades ? std::pow(10, k * step) : k * step;
      add_line(out, kLeft, y_of(value), kWidth - kRight, y_of(value),
               value == 0 ? colour::kFaint : colour::kRule);
      add_text(out, kLeft - 8, y_of(value) + 4, "end", plot.text(value));
    }
    const double beat = round_down((to_ - from_) / 5);
    for (double k = std::ceil(from_ / beat); k * beat <= to_ * (1 + 1e-12); ++k) {
      add_line(out, x_of(k * beat), below, x_of(k * beat), below + 4, colour::kFaint);
      add_text(out, x_of(k * beat), below + 17, "middle", fmt::format("{:.6g} s", k * beat));
    }
  }

 private:
  double height_of(double value) const {
    return scale_ == Scale::decades ? std::log10(value) : value;
  }

  Scale scale_;
  double from_, to_, low_ = 0, high_ = 0;  // heights
};

// Draws a curve; where many values share a column of the picture, from the least to the greatest.
std::string path_of(const Axes& axes, const std::vector<double>& times,
                    const std::vector<double>& values) {
  std::string path;
  const std::size_t share = (values.size() + kColumns - 1) / kColumns;
  bool joined = false;
  for (std::size_t begin = 0; begin < values.size(); begin += share) {
    double low = std::nan(""), high = low;
    for (std::size_t i = begin; i < std::min(begin + share, values.size()); ++i) {
      if (!std::isfinite(values[i])) continue;
      low = std::fmin(low, values[i]);
      high = std::fmax(high, values[i]);
    }
    if (std::isnan(low)) {
      joined = false;
      continue;
    }
    const double x = axes.x_of(times[begin]);
    path += fmt::format("{}{:.1f} {:.1f}", joined ? "L" : "M", x, axes.y_of(low));
    if (high > low || !joined) path += fmt::format("L{:.1f} {:.1f}", x, axes.y_of(high));
    joined = true;
  }
  return path;
}

double legend(std::string& out, const std::vector<Curve>& curves, double y) {
  if (curves.size() < 2) return y;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::size_t row = i / kLegendColumns, column = i % kLegendColumns;
    const double x = kLeft + (kWidth - kLeft) / kLegendColumns * static_cast<double>(column);
    const double at = y + kLegendRow * static_cast<double>(row + 1);
    add_line(out, x, at - 4, x + 18, at - 4, colour_of(i), R"(stroke-width="3")");
    add_text(out, x + 24, at, "start", curves[i].name);
  }
  const std::size_t rows = (curves.size() + kLegendColumns - 1) / kLegendColumns;
  return y + kLegendRow * static_cast<double>(rows);
}

}  // namespace

std::string curves_plot(const CurvesPlot& plot) {
  const Axes axes(plot);
  const double below = kBottom + (plot.bands.empty() ? 0 : 3 + kStrip);
  std::string out;
  axes.draw(out, plot, below);
  for (std::size_t i = plot.curves.size(); i-- > 0;)
    out += fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.4"/>)",
                       path_of(axes, plot.times, plot.curves[i].values), colour_of(i));
  for (const Band& band : plot.bands)
    out += fmt::format(R"(<rect x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}" fill="{}">)"
                       "<title>{}</title></rect>",
                       axes.x_of(band.from), kBottom + 3,
                       std::max(0.6, axes.x_of(band.to) - axes.x_of(band.from)), kStrip,
                       band.colour, escape(band.title));
  const double end = legend(out, plot.curves, below + 24);
  return begin_plot(kWidth, end + 8, plot.about) + out + "</svg>";
}

}  // namespace touche::report
