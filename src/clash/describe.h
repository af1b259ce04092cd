// SPDX-License-Identifier: Apache-2.0
// Parts, classes and places as people say them.
#pragma once

#include <string>
#include <string_view>

#include "touche/clash.h"

namespace touche::clash {

/// The names of parts and groups without the steps that all of them begin with.
class ShortNames {
 public:
  explicit ShortNames(const ClashParts& parts);
  std::string_view of(std::string_view name) const;

 private:
  std::string common_;  // with a '/' at its end, or empty
};

/// "Clash", "One inside the other" and so on.
std::string_view class_text(ClashClass c);
/// Says what a class means, in a sentence without its full stop.
std::string class_meaning(ClashClass c, double clearance, std::string_view unit, bool drawings);

/// Where to look: in the middle of the overlap, or between the points that meet or are closest.
Vec3 clash_point(const ClashPair& pair);

/// Writes places, "(1.3000, 0.1250, 0.5071) m", to a hundred-thousandth of the assembly. Those of
/// drawings have no z.
class Places {
 public:
  explicit Places(const ClashParts& parts);
  std::string text(const ClashPair& pair) const;

 private:
  std::string unit_;
  int decimals_ = 3;
  bool drawings_;
};

/// Whether a pair touches only because an overlap that is thicker than the tolerance may.
bool thickness_counts(const ClashParts& parts, const ClashPair& pair);

/// "overlap by 3.2 mm", "overlap by no more than 0.02 mm", "0.4 mm apart".
std::string measure_text(const ClashParts& parts, const ClashPair& pair);

/// Says what allows an overlap, as "how far meshes may be off from smooth surfaces (an estimate)".
std::string_view allowance_text(ClashAllowance allowance, bool drawings);

}  // namespace touche::clash
