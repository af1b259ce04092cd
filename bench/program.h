// SPDX-License-Identifier: Apache-2.0
// All of these programs do this when something goes wrong.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace touche::bench {

/// `run(argc, argv)`; or 2, after printing the error.
template <class Run>
int run_program(const char* name, const Run& run, int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 2;
  }
}

}  // namespace touche::bench
