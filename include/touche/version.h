// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace touche {

inline constexpr const char* kVersion = "0.3.0";

}  // namespace touche
