// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace touche::study {

/// Throws LoadError for a mesh or a drawing, by its ending, where a JSON file is expected that only
/// names such files; `what` it is: "study", "scene".
void refuse_meshes(const std::filesystem::path& file, std::string_view what);

}  // namespace touche::study
