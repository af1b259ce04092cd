// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "touche/types.h"

namespace touche::scenes {

/// Writes an array of JSON; each number reads back as the same one.
inline std::string json_vector(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}

}  // namespace touche::scenes
