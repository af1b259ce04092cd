// SPDX-License-Identifier: Apache-2.0
// What questions to a world check of their arguments.
#pragma once

#include <string>

#include "touche/types.h"

namespace touche {

inline void require_length(double length, const char* what) {
  if (!(length >= 0))
    throw InvalidInput(std::string("world: ") + what + " must be a length, not " +
                       std::to_string(length));
}

}  // namespace touche
