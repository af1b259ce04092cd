// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace touche::bench {

/// Prints what a proof costs for a path that is recorded in steps of 10 degrees and of ever less: a
/// nut turns once on its bolt, about its own axis and with its frame far off.
void measure_sampling();

}  // namespace touche::bench
