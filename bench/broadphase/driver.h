// SPDX-License-Identifier: Apache-2.0
// A library takes part by implementing one class, in one file, and a line in drivers.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frames.h"

namespace touche::bench {

/// Bodies in either order.
struct Pair {
  std::uint32_t a, b;
};

class Driver {
 public:
  virtual ~Driver() = default;
  /// Takes all boxes; the first call.
  virtual void init(std::span<const Box> boxes) = 0;
  /// Gives some bodies new boxes and lists all pairs of boxes that overlap now, each once and no
  /// other, where its caller could read them. Returns how many. This is what is timed.
  virtual std::size_t frame(std::span<const Moved> moved) = 0;
  /// A copy of that list.
  virtual std::vector<Pair> pairs() const = 0;
  /// Memory of all pairs that are listed or remembered, which does not count as memory of boxes.
  virtual std::size_t pair_bytes() const = 0;
  /// All memory in use, where malloc does not know it.
  virtual std::size_t bytes() const { return 0; }
};

/// Lists pairs in an array, anew in each frame.
class ListingDriver : public Driver {
 public:
  std::vector<Pair> pairs() const override { return pairs_; }
  std::size_t pair_bytes() const override { return pairs_.capacity() * sizeof(Pair); }

 protected:
  std::vector<Pair> pairs_;
};

struct NamedDriver {
  std::string name;
  std::function<std::unique_ptr<Driver>()> make;
  std::uint32_t most = std::numeric_limits<std::uint32_t>::max();  ///< the most bodies that it
                                                                   /// supports
};

void add_touche(std::vector<NamedDriver>& all);
void add_embree(std::vector<NamedDriver>& all);
void add_fcl(std::vector<NamedDriver>& all);
void add_bullet(std::vector<NamedDriver>& all);
void add_cgal(std::vector<NamedDriver>& all);

std::vector<NamedDriver> drivers();

}  // namespace touche::bench
