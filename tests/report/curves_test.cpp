// SPDX-License-Identifier: Apache-2.0
// Plots over time: heights are in proportion, peaks are not lost among many values, gaps stay gaps.
#include "report/curves.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace touche::report {
namespace {

struct Drawn {
  char kind;  // M or L
  double x, y;
};

// The points of each curve, the last curve first, as they are drawn.
std::vector<std::vector<Drawn>> drawn(const std::string& svg) {
  std::vector<std::vector<Drawn>> curves;
  const std::string begin = "<path d=\"";
  for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at)) {
    at += begin.size();
    std::istringstream path(svg.substr(at, svg.find('"', at) - at));
    curves.emplace_back();
    Drawn point{};
    while (path >> point.kind >> point.x >> point.y) curves.back().push_back(point);
  }
  return curves;
}

std::string as_text(double value) { return fmt::format("{:g} N", value); }

CurvesPlot plot_of(std::vector<double> values) {
  CurvesPlot plot{"a test", {}, {}, {}, as_text};
  for (std::size_t i = 0; i < values.size(); ++i)
    plot.times.push_back(0.25 * static_cast<double>(i));
  plot.curves = {{"one", std::move(values)}};
  return plot;
}

TEST(CurvesPlot, HeightsAreInProportion) {
  const std::string svg = curves_plot(plot_of({0, 1, 4, -4}));
  const auto curve = drawn(svg).at(0);
  double high = 0, low = 1e9, zero = 0;
  for (const Drawn& d : curve) {
    high = std::max(high, d.y);
    low = std::min(low, d.y);
  }
  zero = curve.front().y;
  EXPECT_NEAR(zero, (high + low) / 2, 0.11);  // 0 is in the middle of -4 and 4
  EXPECT_NE(svg.find(">2 N<"), std::string::npos);
  EXPECT_NE(svg.find(">0 s<"), std::string::npos);
}

TEST(CurvesPlot, DecadesAreEvenlySpaced) {
  CurvesPlot plot = plot_of({0.01, 0.1, 1, 10, 0});
  plot.scale = Scale::decades;
  const auto curve = drawn(curves_plot(plot)).at(0);
  std::vector<double> y;
  for (const Drawn& d : curve)
    if (y.empty() || d.y != y.back()) y.push_back(d.y);
  ASSERT_EQ(y.size(), 5u);
  EXPECT_NEAR(y[0] - y[1], y[2] - y[3], 0.2);
  EXPECT_EQ(y[4], y[0]);  // nothing lies below the axis
  for (double& value : plot.curves[0].values) value = 0;
  EXPECT_FALSE(drawn(curves_plot(plot)).at(0).empty());
}

TEST(CurvesPlot, CountsAreWhole) {
  CurvesPlot plot = plot_of({0, 2, 1});
  plot.scale = Scale::counts;
  const std::string svg = curves_plot(plot);
  EXPECT_NE(svg.find(">1 N<"), std::string::npos);
  EXPECT_EQ(svg.find(">0.5 N<"), std::string::npos);
}

TEST(CurvesPlot, PeaksOfManyValuesAreSeen) {
  std::vector<double> values(10000, 1);
  values[5003] = 10;
  const auto with = drawn(curves_plot(plot_of(values))).at(0);
  EXPECT_LT(with.size(), 2500u);
  const auto top = std::min_element(with.begin(), with.end(),
                                    [](const Drawn& a, const Drawn& b) { return a.y < b.y; });
  EXPECT_LT(top->y, 15);
  EXPECT_NEAR(top->x, 78 + 0.5 * (860 - 78 - 14), 2);
}

TEST(CurvesPlot, GapsAreNotBridged) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto curve = drawn(curves_plot(plot_of({1, 2, none, none, 3, 1}))).at(0);
  EXPECT_EQ(std::count_if(curve.begin(), curve.end(), [](const Drawn& d) { return d.kind == 'M'; }),
            2);
}

TEST(CurvesPlot, NothingAndConstantsAreDrawn) {
  EXPECT_EQ(drawn(curves_plot(plot_of({0, 0}))).at(0).size(), 3u);
  EXPECT_EQ(drawn(curves_plot(plot_of({1e300, 1e300}))).at(0).size(), 3u);
  CurvesPlot two = plot_of({1, 2});
  two.curves.push_back({"<other>", {2, 1}});
  two.bands = {{0, 0.1, "#fff", "free"}};
  const std::string svg = curves_plot(two);
  EXPECT_EQ(drawn(svg).size(), 2u);
  EXPECT_NE(svg.find("&lt;other&gt;"), std::string::npos);
  EXPECT_NE(svg.find("<title>free</title>"), std::string::npos);
}

}  // namespace
}  // namespace touche::report
