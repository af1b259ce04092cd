// SPDX-License-Identifier: Apache-2.0
// The sections of report.html, which report.cpp assembles.
#pragma once

#include <string>

#include "touche/clash.h"

namespace touche::clash {

const char* class_colour(ClashPairVerdict c);

std::string counts_section(const ClashResult& result);
std::string worst_section(const ClashResult& result);
std::string matrix_section(const ClashResult& result);
std::string list_section(const ClashResult& result);

/// The groups of the matrix: few enough for a table, but as detailed as that permits.
class Groups {
 public:
  explicit Groups(const ClashParts& parts);
  std::size_t of(std::size_t part) const { return of_part_[part]; }
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t group) const { return names_[group]; }

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> of_part_;
};

}  // namespace touche::clash
