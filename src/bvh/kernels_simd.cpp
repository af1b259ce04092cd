// SPDX-License-Identifier: Apache-2.0
// Compiles the inner loops for each instruction set and returns the tables for this machine.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bvh/kernels_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include "bvh/kernels/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {
Kernels MakeTable() {
  return Table(HWY_TARGET == HWY_BASELINE_SCALAR ? "scalar" : hwy::TargetName(HWY_TARGET));
}
}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <atomic>

#include "touche/simd.h"

namespace touche::bvh {

namespace {

HWY_EXPORT(MakeTable);

std::atomic<const Kernels*>& current() {
  static std::atomic<const Kernels*> table{&all_kernels().front()};
  return table;
}

}  // namespace

const std::vector<Kernels>& all_kernels() {
  static const std::vector<Kernels> found =
      base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeTable)(); });
  return found;
}

const Kernels& kernels() { return *current().load(std::memory_order_relaxed); }

}  // namespace touche::bvh

namespace touche {

std::vector<std::string> simd_targets() {
  std::vector<std::string> names{bvh::kernels().name};
  for (const bvh::Kernels& k : bvh::all_kernels())
    if (names.front() != k.name) names.emplace_back(k.name);
  return names;
}

void set_simd_target(const std::string& name) {
  for (const bvh::Kernels& k : bvh::all_kernels())
    if (name == k.name) return bvh::current().store(&k);
  throw InvalidInput("no SIMD target '" + name + "' on this machine");
}

}  // namespace touche
#endif
