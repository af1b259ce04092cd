// SPDX-License-Identifier: Apache-2.0
// Files that a command writes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touche::cli {

/// Makes the folder if need be; throws LoadError.
void make_folder(const std::filesystem::path& folder);

/// Under another name first, so that a file that is there is whole; throws LoadError.
void write_file(const std::filesystem::path& file, std::string_view content);

/// Throws InvalidInput if one of the files to be written is one of those that are read, by whatever
/// name.
void keep_inputs(const std::vector<std::filesystem::path>& inputs,
                 const std::vector<std::filesystem::path>& outputs);

/// The day and time in UTC, or those of SOURCE_DATE_EPOCH for outputs that can be made again bit
/// for bit (reproducible-builds.org).
std::string page_date();

}  // namespace touche::cli
