// SPDX-License-Identifier: Apache-2.0
// The scenes that all engines can do, and what is counted in each.
#pragma once

#include "engine.h"

namespace touche::bench {

struct CaseOptions {
  Index bodies = 1000;  ///< of pile and shots
  int steps = 600;      ///< of the pile
  int shot_steps = 120;
  int measure_every = 30;  ///< steps of pile and shots after which depth is measured
  std::uint64_t seed = 1;  ///< where bodies begin
};

struct Case {
  std::string name;
  Task task;
  int steps = 0;
  int measure_every = 1;
  double energy_zero = 0;     ///< J: of all bodies where they can have no less
  bool conservative = false;  ///< nothing takes energy: neither friction nor impacts
  /// Whether a body is counted at the end, and the name of that count in words.
  std::string counted;
  std::function<bool(const Case&, std::size_t body, const State&)> counts;
};

struct CaseName {
  const char *name, *about;
};
/// Names of scenes; SPEED stands for a number.
const std::vector<CaseName>& case_names();

/// Throws InvalidInput where there is no such scene.
Case make_case(const std::string& name, const CaseOptions& options);

}  // namespace touche::bench
