// SPDX-License-Identifier: Apache-2.0
#include "study/input_file.h"

#include <fmt/core.h>

#include "io/foreign_file.h"
#include "touche/io.h"
#include "touche/outline_file.h"

namespace touche::study {

void refuse_meshes(const std::filesystem::path& file, std::string_view what) {
  if (const std::string foreign = io::foreign_file(file); !foreign.empty())
    throw LoadError(file.string(), "",
                    fmt::format("not read, it is {}; a {} is a JSON file that names mesh files",
                                foreign, what));
  const bool drawing = is_outline(file);
  if (!drawing && !is_assembly(file) && !is_face_list(file)) return;
  throw LoadError(file.string(), "",
                  fmt::format("this is a {}; a {} is a JSON file that names such files",
                              drawing ? "drawing" : "mesh", what));
}

}  // namespace touche::study
