// SPDX-License-Identifier: Apache-2.0
// Which pairs are tested: the ones between two sets of parts, and the ones of named tests.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "touche/clash.h"

namespace touche::clash {

class Selection {
 public:
  /// Throws InvalidInput for lengths that are no lengths, and for tests without a name.
  Selection(const ClashParts& parts, const ClashOptions& options);

  /// What holds for a pair.
  struct Chosen {
    bool tested = true;
    std::vector<std::size_t> tests;  ///< indices into ClashRules::tests
    double clearance = 0;
    double ignore_thinner = 0;
  };
  const Chosen& of(std::size_t part_a, std::size_t part_b) const {
    return chosen_[kind_[part_a] * kinds_ + kind_[part_b]];
  }

  double largest_clearance() const { return largest_clearance_; }
  /// The number of pairs that are not tested.
  std::size_t outside() const { return outside_; }
  /// The length of a test, in ClashParts::unit.
  double length(std::size_t test) const { return lengths_[test]; }
  /// Remarks on patterns and files that match no part.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  std::vector<bool> members(const ClashParts& parts, const ClashSet& set, const std::string& where);
  Chosen choose(const std::vector<bool>& a, const std::vector<bool>& b,
                const ClashOptions& options) const;

  bool between_ = false;
  std::vector<double> lengths_;    // of tests
  std::vector<std::size_t> kind_;  // of each part: parts of a kind are in the same sets
  std::size_t kinds_ = 0;
  std::vector<Chosen> chosen_;  // by two kinds
  double largest_clearance_ = 0;
  std::size_t outside_ = 0;
  std::vector<std::string> remarks_;
};

/// Whether a pair fails a test.
bool fails(const ClashTest& test, double length, const ClashPair& pair);

}  // namespace touche::clash
