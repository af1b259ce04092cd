// SPDX-License-Identifier: Apache-2.0
// Writes results as a table for people and as a file for later.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace touche::bench {

/// One peer's answer to one question of one case.
struct Result {
  std::string scene, question, peer;
  std::string unit;  ///< "s" per query, or "B" per triangle
  double value = 0;  ///< thread CPU time where it is a time
  double wall = 0;
  std::string check{};  ///< what is wrong with its answers, empty when nothing is
  bool right = true;    ///< within the limits; otherwise the value is none
};

/// Lines are questions, columns peers; each cell has the value and how many times Touché's it is.
std::string table(const std::vector<Result>& results);

/// The processor's name in letters a file name may have.
std::string machine_name();

void write_csv(const std::vector<Result>& results, const std::filesystem::path& file);

}  // namespace touche::bench
