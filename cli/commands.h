// SPDX-License-Identifier: Apache-2.0
// One function per sub-command: adds it to the program and returns what runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace touche::cli {

/// What a program that calls us can tell from the exit code.
enum ExitCode : int { kFree = 0, kContact = 1, kError = 2 };

using Command = std::function<int()>;

Command add_study(CLI::App& app);
Command add_info(CLI::App& app);
Command add_build(CLI::App& app);
Command add_collide(CLI::App& app);
Command add_distance(CLI::App& app);
Command add_toi(CLI::App& app);
Command add_scene(CLI::App& app);

}  // namespace touche::cli
