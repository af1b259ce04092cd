// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/words.h"
#include "touche/study.h"

namespace touche {
namespace {

constexpr double kHalfTurn = 170, kLessTurn = 91;  // degrees

double degrees(double cosine_of_half) {
  return 360 / std::numbers::pi * std::acos(std::min(1.0, std::abs(cosine_of_half)));
}

}  // namespace

std::string order_remark(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  const double turn = degrees(q.w()), other = degrees(q.z());
  if (turn < kHalfTurn || other > kLessTurn) return "";
  return fmt::format(
      "turns by {} about {}: quaternions are written w, x, y, z, and in the order x, y, z, w this "
      "one would turn by {}",
      report::angle_text(turn * std::numbers::pi / 180),
      report::direction_text(q.vec().normalized()),
      report::angle_text(other * std::numbers::pi / 180));
}

}  // namespace touche
