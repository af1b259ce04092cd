// SPDX-License-Identifier: Apache-2.0
// Plots of an evaluation, as SVG.
#pragma once

#include <string>
#include <vector>

namespace touche::evaluation {

struct Series {
  std::string name;
  std::vector<double> values;  ///< microseconds; NaN: none
};

std::vector<double> microseconds(const std::vector<double>& seconds);

/// A group of bars for each label, one bar a series.
std::string bars(const std::string& about, const std::vector<std::string>& labels,
                 const std::vector<Series>& series);

/// Values along a motion, from its start to its end; the axis is logarithmic.
std::string curves(const std::string& about, const std::vector<Series>& series);

}  // namespace touche::evaluation
