// SPDX-License-Identifier: Apache-2.0
// The answer of a clash check as a message.
#pragma once

#include "touche/clash.h"
#include "viewer/opened.h"

namespace touche::viewer {

/// Pairs that are not free, gravest first. Parts are those of what was opened, in its order.
[[nodiscard]] protocol::ClashTable clash_message(const ClashView& view, const Opened& opened);

}  // namespace touche::viewer
