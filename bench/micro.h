// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace touche::bench {

/// Times the inner loops one by one, on every instruction set of this machine, and prints what
/// Google Benchmark prints.
void run_micro();

}  // namespace touche::bench
