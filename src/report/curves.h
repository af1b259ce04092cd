// SPDX-License-Identifier: Apache-2.0
// A plot of values over time, as SVG.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace touche::report {

/// Not finite: the curve has a gap.
struct Curve {
  std::string name;
  std::vector<double> values;
};

/// A stretch of the strip below the curves.
struct Band {
  double from = 0, to = 0;
  const char* colour = nullptr;
  std::string title;  ///< shown as a tooltip
};

/// The axis of values of a plot.
enum class Scale {
  linear,  ///< contains 0
  counts,  ///< linear, and marked at whole numbers
  decades  ///< logarithmic; values of 0 and below lie on its lower end
};

struct CurvesPlot {
  std::string about;             ///< text alternative for screen readers
  std::vector<double> times;     ///< seconds, increasing, two at least
  std::vector<Curve> curves;     ///< as many values as times
  std::vector<Band> bands = {};  ///< none: no strip
  /// How a value is written at the axis.
  std::function<std::string(double)> text;
  Scale scale = Scale::linear;
};

/// Curves with more points than the plot has columns show the least and greatest value of each
/// column.
std::string curves_plot(const CurvesPlot& plot);

}  // namespace touche::report
