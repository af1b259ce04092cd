// SPDX-License-Identifier: Apache-2.0
// Counts parts of a drawing by reason, for a remark about all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touche::io {

class Tally {
 public:
  /// The words for one part and for several.
  Tally(std::string_view singular, std::string_view plural)
      : singular_(singular), plural_(plural) {}

  /// Counts a part. Of the names with a reason the first few distinct ones are kept; `reason` stays
  /// valid.
  void add(std::string_view reason, std::string_view name = {});
  bool empty() const { return counts_.empty(); }
  /// "3 entities on frozen or off layers (A, B) and 1 in paper space are <ending>".
  std::string sentence(std::string_view ending) const;

 private:
  struct Count {
    std::string_view reason;
    std::size_t parts = 0;
    std::vector<std::string> names;
    bool more_names = false;
  };
  static constexpr std::size_t kMostNames = 5;

  std::string_view singular_, plural_;
  std::vector<Count> counts_;
};

/// A name as remarks show it: at most 40 characters, unprintable bytes as \xNN.
std::string shown_name(std::string_view name);

}  // namespace touche::io
