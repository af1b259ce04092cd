// SPDX-License-Identifier: Apache-2.0
// For files that are compiled once for each instruction set, from the top of which this is included
// after HWY_TARGET_INCLUDE is defined as their own name: the sets that are compiled, and one table
// of functions for each that this machine has.
#pragma once

// Compile also the sets that the baseline has made unnecessary: plain scalar code is the twin that
// the vector code is compared with. SSE4 has no fused multiply-add, which all tables need to give
// the same bits; SSSE3 and AVX3_DL add nothing that is of use here.
#define HWY_COMPILE_ALL_ATTAINABLE
// Let scalar code have one lane: compiling Highway's emulated vectors takes Clang minutes under
// sanitizers.
#define HWY_BROKEN_EMU128 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
// foreach_target must come first
#include <hwy/targets.h>

#include <cstdint>
#include <mutex>
#include <vector>

namespace touche {

/// Held while tables are made, for Highway chooses an instruction set for the whole program.
inline std::mutex making_tables;

/// Returns what `make`, which is HWY_DYNAMIC_DISPATCH of a function that makes a table, returns for
/// each instruction set, the best one first.
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

/// Returns what `make` returns for the best of them, also while other threads make tables.
template <class Make>
auto table_of_best(const Make& make) {
  const std::lock_guard lock(making_tables);
  return make();
}

}  // namespace touche
