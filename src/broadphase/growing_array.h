// SPDX-License-Identifier: Apache-2.0
// An array that grows without being copied, so that no call takes long because of growth: it
// consists of blocks, and a table of pointers to its pieces.
#pragma once

#include <cstddef>
#include <vector>

#include "base/large_pages.h"
#include "touche/types.h"

namespace touche::broadphase {

/// Entries have a trivial type and are not initialised.
template <class T>
class GrowingArray {
 public:
  /// Entries are contiguous in memory up to the end of the block that was added together.
  T* at(Index i) { return pieces_[i / kPiece] + i % kPiece; }
  const T* at(Index i) const { return pieces_[i / kPiece] + i % kPiece; }
  Index size() const { return static_cast<Index>(pieces_.size()) * kPiece; }

  void clear() {
    blocks_.clear();
    pieces_.clear();
  }
  /// Adds a block of at least `count` entries; it begins at `size()`.
  void add(Index count) {
    const std::size_t pieces = (std::size_t{count} + kPiece - 1) / kPiece;
    base::LargeVector<T>& block = blocks_.emplace_back(pieces * kPiece);
    for (std::size_t i = 0; i < pieces; ++i) pieces_.push_back(block.data() + i * kPiece);
  }

  std::size_t bytes() const {
    return size() * sizeof(T) + pieces_.capacity() * sizeof(T*) +
           blocks_.capacity() * sizeof(base::LargeVector<T>);
  }

 private:
  static constexpr Index kPiece = 4096;

  std::vector<base::LargeVector<T>> blocks_;
  std::vector<T*> pieces_;
};

}  // namespace touche::broadphase
