// SPDX-License-Identifier: Apache-2.0
// Refitting changes nothing when memory runs out, wherever it does.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "moved_vertices.h"
#include "shapes.h"

namespace {

constexpr long kNever = -1;
std::atomic<long> allocations_left = kNever;  // until one fails

void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations_left != kNever && allocations_left-- == 0) {
    allocations_left = kNever;
    throw std::bad_alloc();
  }
  void* const memory = std::aligned_alloc(alignment, (size / alignment + 1) * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Not inlined: the compiler would see free where it expects the other half of new.
[[gnu::noinline]] void release(void* memory) noexcept { std::free(memory); }

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace touche {
namespace {

TEST(Refit, ChangesNothingWhenMemoryRunsOut) {
  const PolygonSoup soup = scenes::bumpy_sphere(1000, 7);
  const test::Coordinates away = test::moved(soup, [](const Vec3& v) { return Vec3(3 * v); });
  const Object before(soup, "ball"), after = before.refitted(away);
  Object object(soup, "ball");
  const auto refit_failing_at = [&](long allocation) {
    allocations_left = allocation;
    try {
      object.refit(away);
    } catch (const std::bad_alloc&) {
      return false;
    }
    allocations_left = kNever;
    return true;
  };
  long failures = 0;
  for (; !refit_failing_at(failures); ++failures) {
    EXPECT_EQ(test::coordinates_of(object.soup()), test::coordinates_of(soup));
    object.validate();
    test::expect_same_bits(object, before);
  }
  EXPECT_GT(failures, 10);
  test::expect_same_bits(object, after);
}

}  // namespace
}  // namespace touche
