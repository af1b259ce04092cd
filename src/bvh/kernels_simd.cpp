// SPDX-License-Identifier: Apache-2.0
// Compiles the inner loops for each instruction set and offers those this machine has.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bvh/kernels_simd.cpp"
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
#include "bvh/kernels/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {
Kernels MakeTable() {
  return Table(HWY_TARGET == HWY_BASELINE_SCALAR ? "scalar" : hwy::TargetName(HWY_TARGET));
}
}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <atomic>

#include "touche/simd.h"

namespace touche {
namespace {

HWY_EXPORT(MakeTable);

std::vector<Kernels> find_kernels() {
  std::vector<Kernels> found;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    found.push_back(HWY_DYNAMIC_DISPATCH(MakeTable)());
  }
  hwy::SetSupportedTargetsForTest(0);
  return found;
}

std::atomic<const Kernels*>& current() {
  static std::atomic<const Kernels*> table{&all_kernels().front()};
  return table;
}

}  // namespace

const std::vector<Kernels>& all_kernels() {
  static const std::vector<Kernels> found = find_kernels();
  return found;
}

const Kernels& kernels() { return *current().load(std::memory_order_relaxed); }

std::vector<std::string> simd_targets() {
  std::vector<std::string> names{kernels().name};
  for (const Kernels& k : all_kernels())
    if (names.front() != k.name) names.emplace_back(k.name);
  return names;
}

void set_simd_target(const std::string& name) {
  for (const Kernels& k : all_kernels())
    if (name == k.name) return current().store(&k);
  throw InvalidInput("no SIMD target '" + name + "' on this machine");
}

}  // namespace touche
#endif
