// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace touche::study {

/// Throws LoadError if the file's extension says mesh or drawing where a JSON file that names such
/// files is expected. `what` is the expected file: "study", "scene".
void refuse_meshes(const std::filesystem::path& file, std::string_view what);

}  // namespace touche::study
