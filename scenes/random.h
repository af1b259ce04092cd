// SPDX-License-Identifier: Apache-2.0
// The library's random numbers, for scenes and for tests.
#pragma once

#include "base/random.h"

namespace touche::scenes {

using touche::base::Random;

}  // namespace touche::scenes
