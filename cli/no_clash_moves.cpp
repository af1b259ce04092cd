// SPDX-License-Identifier: Apache-2.0
// Replaces clash_moves.cpp in a program that is built without TOUCHE_DYNAMICS.
#include "clash_moves.h"

namespace touche::cli {

void find_moves(ClashResult& /*result*/, const Budget& /*budget*/) {}

}  // namespace touche::cli
