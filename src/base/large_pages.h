// SPDX-License-Identifier: Apache-2.0
// Memory for large arrays with random access. It requests large pages from the system, which saves
// address translations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace touche::base {

/// Memory is aligned to 64 bytes.
template <class T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const Room room(count * sizeof(T));
    void* memory = ::operator new(room.bytes, room.alignment);
#if defined(__linux__)
    // Only a request: if it is not granted, nothing is lost.
    if (room.pages > 0) ::madvise(memory, room.pages * kPage, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  /// Leaves elements uninitialised that get no value: large arrays are usually filled right away.
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  void deallocate(T* memory, std::size_t count) {
    ::operator delete(memory, Room(count * sizeof(T)).alignment);
  }

  friend bool operator==(LargePageAllocator, LargePageAllocator) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;  // on most processors

  // Whole pages; the last, partial one is completed if that wastes less than a quarter of the
  // whole.
  struct Room {
    std::size_t bytes, pages;
    std::align_val_t alignment;

    explicit Room(std::size_t wanted) : bytes(wanted), pages(wanted / kPage) {
      const std::size_t rounded = (pages + 1) * kPage;
      if (rounded - wanted < wanted / 4) {
        ++pages;
        bytes = rounded;
      }
      alignment = std::align_val_t{pages > 0 ? kPage : std::max(alignof(T), std::size_t{64})};
    }
  };
};

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace touche::base
