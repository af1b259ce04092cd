// SPDX-License-Identifier: Apache-2.0
// What to move to end an overlap. clash_moves.cpp implements it, or no_clash_moves.cpp in a program
// that is built without TOUCHE_DYNAMICS: there nothing is found.
#pragma once

#include "touche/clash.h"

namespace touche::cli {

/// Sets ClashPair::move of the worst pairs of closed parts that clash.
void find_moves(ClashResult& result, const Budget& budget);

}  // namespace touche::cli
