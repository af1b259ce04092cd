// SPDX-License-Identifier: Apache-2.0
// The sections of report.html, which report.cpp assembles.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "touche/clash.h"

namespace touche::clash {

const char* class_colour(ClashPairVerdict c);

/// Pictures of the worst pairs. Pairs of the same meshes with nearly equal results share one.
class Pictures {
 public:
  explicit Pictures(const ClashResult& result);

  /// Of the worst pair, with a legend; empty if there is no pair to show.
  std::string worst() const;
  /// Of the other ones, under a heading.
  std::string others() const;

  struct Figure {
    std::size_t number;  ///< from 1; its address in the page is figure_id
    bool alike;          ///< it shows another pair that is like this one
  };
  /// The figure of a pair, given by its index in ClashResult::pairs.
  std::optional<Figure> figure_of(std::size_t pair) const;

 private:
  std::string figure(std::size_t number) const;
  std::string legend() const;

  const ClashResult& result_;
  std::vector<std::size_t> shown_;           // indices of pairs
  std::map<std::size_t, std::size_t> kind_;  // of pairs: index into shown_
  std::vector<std::string> drawn_;
};

std::string figure_id(std::size_t number);

/// What is new, changed and gone since an earlier check; empty without a comparison.
std::string changes_section(const ClashResult& result);
/// What the named tests found; empty without tests.
std::string tests_section(const ClashResult& result);
/// Clusters of the pairs that fail, what to move, and the state of the work on them.
std::string findings_section(const ClashResult& result);
std::string counts_section(const ClashResult& result);
std::string matrix_section(const ClashResult& result);
std::string list_section(const ClashResult& result, const Pictures& pictures);

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
