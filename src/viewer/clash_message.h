// SPDX-License-Identifier: Apache-2.0
// The answer of a clash check as a message.
#pragma once

#include "touche/clash.h"
#include "viewer/opened.h"

namespace touche::viewer {

/// Pairs that are not free, most severe first. Parts are numbered in the order of the opened
/// inputs.
[[nodiscard]] protocol::ClashTable clash_message(const ClashResult& result, const Opened& opened);

}  // namespace touche::viewer
