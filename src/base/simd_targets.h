// SPDX-License-Identifier: Apache-2.0
// For files that are compiled once for each instruction set. They include this at the top, after
// they define HWY_TARGET_INCLUDE as their own name. It selects the instruction sets to compile, and
// returns one table of functions for each that this machine supports.
#pragma once

// Also compile the sets below the baseline: plain scalar code is the reference implementation for
// the vector code. SSE4 has no fused multiply-add, which all tables need to give the same bits;
// SSSE3 and AVX3_DL add nothing useful here.
#define HWY_COMPILE_ALL_ATTAINABLE
// Use one lane for scalar code: Clang takes minutes to compile Highway's emulated vectors under
// sanitizers.
#define HWY_BROKEN_EMU128 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
// foreach_target must come first
#include <hwy/targets.h>

#include <cstdint>
#include <mutex>
#include <vector>

namespace touche::base {

/// Held while tables are made, because Highway chooses an instruction set for the whole program.
inline std::mutex making_tables;

/// Calls `make`, an HWY_DYNAMIC_DISPATCH of a function that makes a table, for each instruction
/// set, and returns the tables, the best instruction set first.
template <class Make>
auto tables_of_targets(const Make& make) {
  const std::lock_guard lock(making_tables);
  std::vector<decltype(make())> tables;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    tables.push_back(make());
  }
  hwy::SetSupportedTargetsForTest(0);
  return tables;
}

/// Returns what `make` returns for the best instruction set, also while other threads make tables.
template <class Make>
auto table_of_best(const Make& make) {
  const std::lock_guard lock(making_tables);
  return make();
}

}  // namespace touche::base
