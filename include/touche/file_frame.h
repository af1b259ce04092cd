// SPDX-License-Identifier: Apache-2.0
// The coordinates of a file and ours: which axis points up, and the unit. Link target touche::io.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "touche/names.h"
#include "touche/types.h"

namespace touche {

/// The axis of a file's coordinates that points up.
enum class UpAxis : std::uint8_t { x, y, z };
template <>
inline constexpr std::array<std::string_view, 3> kNames<UpAxis> = {"x", "y", "z"};

/// The turn that takes the coordinates of a file with this axis up to ours, with z up. It only
/// exchanges coordinates and signs, so it is exact: of y up, (x, y, z) becomes (x, -z, y); of x up,
/// (-y, -z, x).
[[nodiscard]] Mat3 upright(UpAxis up);

/// How the coordinates of a file became ours: a point x of the file is at
/// stretch * (unit * upright(up) * x), where the components of stretch multiply one by one.
struct FileFrame {
  UpAxis up = UpAxis::z;
  double unit = 1;              ///< our length of a length 1 of the file
  Vec3 stretch = Vec3::Ones();  ///< not 0; see LoadOptions::stretch
  [[nodiscard]] Vec3 in_file(const Vec3& ours) const;
};

}  // namespace touche
