// SPDX-License-Identifier: Apache-2.0
// The option --up: the axis of a file's coordinates that points up.
#pragma once

#include <optional>
#include <string>

#include "program.h"
#include "touche/file_frame.h"

namespace touche::cli {

/// Adds an option that takes x, y or z.
inline void add_up(Command& command, const char* option, std::string& value,
                   const std::string& whose) {
  command
      .add(option, value,
           "Axis of the coordinates of " + whose +
               " that points up; it is turned to z (default: glTF y, COLLADA as it says, else z)")
      .one_of({"x", "y", "z"});
}

/// The axis of an option's text; none if that is empty.
inline std::optional<UpAxis> parse_up(const std::string& text) {
  for (const UpAxis up : {UpAxis::x, UpAxis::y, UpAxis::z})
    if (name(up) == text) return up;
  return std::nullopt;
}

}  // namespace touche::cli
