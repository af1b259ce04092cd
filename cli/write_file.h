// SPDX-License-Identifier: Apache-2.0
// Writes the output files of a command.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touche::cli {

/// Creates the folder if needed; throws LoadError.
void make_folder(const std::filesystem::path& folder);

/// Writes to a temporary name and renames it, so that an existing file is never incomplete; throws
/// LoadError.
void write_file(const std::filesystem::path& file, std::string_view content);

/// Throws InvalidInput if an output is the same file as an input, under any name.
void keep_inputs(const std::vector<std::filesystem::path>& inputs,
                 const std::vector<std::filesystem::path>& outputs);

/// The date and time in UTC, or the one given by SOURCE_DATE_EPOCH for reproducible outputs
/// (reproducible-builds.org).
std::string page_date();

}  // namespace touche::cli
