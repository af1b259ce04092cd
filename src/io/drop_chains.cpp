// SPDX-License-Identifier: Apache-2.0
#include "io/drop_chains.h"

#include <fmt/core.h>

#include <algorithm>

namespace touche::io {
namespace {

using plane::Chain;
using plane::Vec2;

double length_of(const Chain& chain) {
  double length = 0;
  for (std::size_t i = 1; i < chain.points.size(); ++i)
    length += (chain.points[i] - chain.points[i - 1]).norm();
  return length;
}

/// The diagonal of the box around a chain.
double size_of(const Chain& chain) {
  Vec2 lo = chain.points.front(), hi = lo;
  for (const Vec2& p : chain.points) lo = lo.cwiseMin(p), hi = hi.cwiseMax(p);
  return (hi - lo).norm();
}

}  // namespace

std::vector<std::string> drop_chains(std::vector<Chain>& chains, std::vector<ChainError>& errors,
                                     const OutlineOptions& options) {
  std::size_t kept = 0, open = 0, loops = 0;
  double length = 0, largest = 0;
  for (std::size_t k = 0; k < chains.size(); ++k) {
    if (options.drop_open && !chains[k].closed) {
      ++open;
      length += length_of(chains[k]);
      continue;
    }
    if (options.drop_loops_below > 0 && chains[k].closed) {
      if (const double size = size_of(chains[k]); size < options.drop_loops_below) {
        ++loops;
        largest = std::max(largest, size);
        continue;
      }
    }
    if (kept != k) {
      chains[kept] = std::move(chains[k]);
      errors[kept] = errors[k];
    }
    ++kept;
  }
  chains.resize(kept);
  errors.resize(kept);
  std::vector<std::string> sentences;
  if (open > 0)
    sentences.push_back(fmt::format("{} open chain{} left out, {:.6g} long{}", open,
                                    open == 1 ? " is" : "s are", length,
                                    open == 1 ? "" : " in total"));
  if (loops > 0)
    sentences.push_back(fmt::format("{} closed chain{} left out, {:.3g} across{}", loops,
                                    loops == 1 ? " is" : "s are", largest,
                                    loops == 1 ? "" : " at most"));
  return sentences;
}

}  // namespace touche::io
