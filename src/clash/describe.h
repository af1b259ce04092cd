// SPDX-License-Identifier: Apache-2.0
// Texts for parts, classes and positions in reports.
#pragma once

#include <string>
#include <string_view>

#include "report/words.h"
#include "touche/clash.h"

namespace touche::clash {

/// Writes lengths of an assembly in the unit in which they are shown.
inline report::Lengths lengths_of(const ClashParts& parts) {
  return {parts.unit, parts.shown_unit};
}

/// The heading of a class: "Clash", "One in another" and so on.
std::string_view class_text(ClashPairVerdict c);
/// States what a class means, as a sentence without a full stop.
std::string class_meaning(ClashPairVerdict c, const ClashResult& result);

/// The position of a pair to show: the centre of the overlap, or the midpoint of the contact or
/// closest points.
Vec3 clash_point(const ClashPair& pair);

/// The pairs that make a check fail, worst first: pairs that clash, contain or fail a named test,
/// and are not accepted. `with_approved`: also pairs that a note approves.
std::vector<std::size_t> findings(const ClashResult& result, bool with_approved = false);
/// Whether a pair fails a named test.
bool fails_a_test(const ClashResult& result, std::size_t pair);
/// "moving lever by 0.5 mm along (0, 0, 1) ends the overlap"
std::string move_text(const ClashParts& parts, const ClashMove& move);

/// Writes positions such as "(1.3000, 0.1250, 0.5071) m", with a resolution of a hundred-thousandth
/// of the assembly's size. Positions in drawings have no z.
class Places {
 public:
  explicit Places(const ClashParts& parts);
  std::string text(const ClashPair& pair) const;

 private:
  report::Lengths lengths_;
  int decimals_ = 3;
  bool drawings_;
};

/// Returns whether the surfaces of a pair count as touching only because overlaps thicker than the
/// tolerance are allowed.
bool thickness_counts(const ClashParts& parts, const ClashPair& pair);

/// "overlap by 3.2 mm", "overlap by no more than 0.02 mm", "0.4 mm apart".
std::string measure_text(const ClashParts& parts, const ClashPair& pair);

/// States what allows an overlap, e.g. "how far meshes may be off from smooth surfaces (an
/// estimate)".
std::string_view allowance_text(ClashAllowance allowance, bool drawings);

}  // namespace touche::clash
