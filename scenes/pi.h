// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

namespace touche::scenes {

inline constexpr double kPi = std::numbers::pi;

}  // namespace touche::scenes
