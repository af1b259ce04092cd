// SPDX-License-Identifier: Apache-2.0
// Lengths in printed answers: in the unit that was typed, with its name; without one, the numbers
// of the files.
#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "length.h"
#include "touche/motion.h"
#include "touche/types.h"

namespace touche::cli {

class Figures {
 public:
  Figures() = default;
  /// `typed`: lengths of the command line; the first one with a unit decides.
  Figures(const std::string& unit_of_files, const std::vector<std::string>& typed);

  std::string text(double length, int digits) const {
    return fmt::format("{:.{}g}{}", factor_ * length, digits, name_);
  }
  double factor() const { return factor_; }
  const std::string& name() const { return name_; }  ///< with a space before it, or empty

 private:
  double factor_ = 1;
  std::string name_;
};

/// "a travelled 40 mm and turned by 10 turns", of the point in body coordinates.
std::string travel_text(const Motion& motion, const Vec3& point, double most_turns,
                        const Figures& figures);

}  // namespace touche::cli
