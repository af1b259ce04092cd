// SPDX-License-Identifier: Apache-2.0
// Doubts the unit of files whose sizes are unusual. A file in inches that is read as millimetres
// has no other sign of it than its size.
#include <fmt/core.h>

#include <algorithm>

#include "report/words.h"
#include "touche/study.h"

namespace touche {
namespace {

// Sizes beyond which a unit is doubted: of all parts in metres, and of parts relative to others.
constexpr double kLargest = 100, kSmallest = 1e-3, kMostApart = 20;

}  // namespace

std::vector<std::string> unit_remarks(double size_of_all, const std::vector<PartSize>& parts,
                                      std::string_view unit, std::string_view option) {
  const auto text = [&](double size) {
    return unit.empty() ? report::digits(size) : report::length_text(size, unit);
  };
  std::vector<std::string> remarks;
  const double metres = unit.empty() ? 1 : size_of_all * report::Lengths(unit, "m").factor();
  if (metres > kLargest || (metres > 0 && metres < kSmallest))
    remarks.push_back(fmt::format(
        "the parts together are {} in size, with coordinates in {}: if that is too {}, give the "
        "unit of the files by {}",
        text(size_of_all), unit, metres > kLargest ? "large" : "small", option));
  if (parts.empty()) return remarks;
  const auto less = [](const PartSize& a, const PartSize& b) { return a.size < b.size; };
  const PartSize& largest = *std::max_element(parts.begin(), parts.end(), less);
  const PartSize& smallest = *std::min_element(parts.begin(), parts.end(), less);
  if (smallest.size > 0 && largest.size > kMostApart * smallest.size)
    remarks.push_back(fmt::format("{} is {} in size, and {} is {}: {} ({})", largest.name,
                                  text(largest.size), smallest.name, text(smallest.size),
                                  unit.empty()
                                      ? std::string("not all of the files say their units, and "
                                                    "coordinates are taken as they are")
                                      : fmt::format("the files do not say their units, and all are "
                                                    "taken in {}",
                                                    unit),
                                  option));
  return remarks;
}

}  // namespace touche
