// SPDX-License-Identifier: Apache-2.0
#include "math/nelder_mead.h"

#include <algorithm>
#include <cmath>

namespace touche::math {
namespace {

struct Corner {
  std::vector<double> x;
  double value;
};

}  // namespace

Minimum nelder_mead(const std::function<double(std::span<const double>)>& f,
                    const std::vector<double>& start, double step,
                    const NelderMeadOptions& options) {
  const std::size_t n = start.size();
  int evaluations = 0;
  const auto corner = [&](std::vector<double> x) {
    ++evaluations;
    const double value = f(x);
    return Corner{std::move(x), value};
  };
  std::vector<Corner> simplex = {corner(start)};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x = start;
    x[i] += step;
    simplex.push_back(corner(std::move(x)));
  }

  // The point at `factor` times the worst corner's distance from `middle`, in the same direction.
  const auto along = [&](const std::vector<double>& middle, double factor) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = middle[i] + factor * (simplex.back().x[i] - middle[i]);
    return corner(std::move(x));
  };
  const auto small = [&] {
    double width = 0;
    for (const Corner& c : simplex)
      for (std::size_t i = 0; i < n; ++i)
        width = std::max(width, std::abs(c.x[i] - simplex[0].x[i]));
    return width <= options.tolerance * std::abs(step) &&
           simplex.back().value - simplex[0].value <=
               options.tolerance * std::abs(simplex[0].value);
  };

  for (;;) {
    std::ranges::stable_sort(simplex, {}, &Corner::value);
    if (evaluations >= options.max_evaluations || small()) break;
    std::vector<double> middle(n, 0.0);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) middle[i] += simplex[k].x[i] / static_cast<double>(n);

    Corner reflected = along(middle, -1);
    if (reflected.value < simplex[0].value) {
      Corner expanded = along(middle, -2);
      simplex.back() = expanded.value < reflected.value ? std::move(expanded) : reflected;
      continue;
    }
    if (reflected.value < simplex[n - 1].value) {
      simplex.back() = std::move(reflected);
      continue;
    }
    Corner contracted = along(middle, reflected.value < simplex.back().value ? -0.5 : 0.5);
    if (contracted.value < std::min(reflected.value, simplex.back().value)) {
      simplex.back() = std::move(contracted);
      continue;
    }
    for (std::size_t k = 1; k <= n; ++k) {  // shrink towards the best
      std::vector<double> x(n);
      for (std::size_t i = 0; i < n; ++i) x[i] = 0.5 * (simplex[0].x[i] + simplex[k].x[i]);
      simplex[k] = corner(std::move(x));
    }
  }
  return {simplex[0].x, simplex[0].value, evaluations};
}

}  // namespace touche::math
