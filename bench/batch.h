// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace touche::bench {

/// Prints what two threads gain over one in batches of queries: many poses of a pair, many pairs at
/// one pose.
void measure_batches();

}  // namespace touche::bench
