// SPDX-License-Identifier: Apache-2.0
// Applies the rules to a pair of parts: ignored, accepted or neither.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "touche/clash.h"

namespace touche::clash {

/// By part: the one with this whole name. If there is none, the only one that has this name beside
/// other files, or without them.
std::vector<bool> parts_named(const ClashParts& parts, std::string_view name);

/// By part: the one with this whole name. If there is none, the ones that match the pattern, see
/// ClashRule.
std::vector<bool> parts_matching(const ClashParts& parts, std::string_view pattern);

class Rulings {
 public:
  Rulings(const ClashParts& parts, const ClashRules& rules);

  struct Ruling {
    ClashRuling what = ClashRuling::none;
    std::string_view reason;
  };
  Ruling of(std::size_t part_a, std::size_t part_b) const;

  /// Remarks on patterns that match no part.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  // The parts that each side of a rule matches.
  struct Sides {
    std::vector<bool> a, b;
    const std::string* reason;
  };
  std::vector<Sides> sides_of(const ClashParts& parts, const std::vector<ClashRule>& rules,
                              const char* list);
  static const std::string* find(const std::vector<Sides>& rules, std::size_t a, std::size_t b);

  const ClashRules& rules_;
  std::vector<Sides> ignore_, accept_;
  std::vector<Index> group_,
      name_;  // numbers of the name strings, shared by groups and parts; group 0: none
  std::map<std::pair<std::size_t, std::size_t>, const std::string*> allowed_;
  std::vector<std::string> remarks_;
};

}  // namespace touche::clash
