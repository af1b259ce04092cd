// SPDX-License-Identifier: Apache-2.0
// Measures steps that have all the time they need: thread time, on one thread.
#pragma once

namespace touche::bench {

/// Worlds of many bodies, and the headlamp taken apart by hand (docs/decisions/0013-steps.md).
void measure_times(int steps);

/// Measures what it saves to remember pairs, for bodies that rest, are pressed, slide and fly.
void measure_memory(int steps);

}  // namespace touche::bench
