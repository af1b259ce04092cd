// SPDX-License-Identifier: Apache-2.0
// The files that a check reads: the given ones, and the files in given folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "touche/clash.h"

namespace touche::clash {

bool is_mesh(const std::filesystem::path& path);

/// A file to read, or a node of it with its descendants.
struct Input {
  std::filesystem::path file;
  std::string node;
  std::size_t file_steps = 1;  ///< of the path, in the name of the file as a part
  std::optional<std::size_t> folder =
      {};  ///< number of the folder that was given, if it is from one
};

/// Lists the mesh files, drawings and shapes, of folders in the order of their names. What is not
/// read becomes a remark of `parts`. Throws LoadError for a file that is not there or of no known
/// format, and for a folder without files to read.
std::vector<Input> list_inputs(const std::vector<std::filesystem::path>& files, ClashParts& parts);

/// The common folder of all inputs; groups are relative to it.
std::filesystem::path common_folder(const std::vector<std::filesystem::path>& given,
                                    const std::vector<Input>& inputs);

/// The unit that is named, else that of all files. Throws LoadError if they differ.
std::string common_unit(const std::vector<Input>& inputs, const std::string& named);

/// Whether the inputs are drawings. Throws LoadError if only some of them are.
bool are_drawings(const std::vector<Input>& inputs);

/// Whether nodes of the file, or parts of a drawing, are parts; otherwise it is one part.
bool is_read_by_nodes(const Input& input, const ClashLoadOptions& options);

/// Throws InvalidInput if files of these kinds are not split as the options say.
void check_split(const std::vector<Input>& inputs, bool drawings, const ClashLoadOptions& options);

}  // namespace touche::clash
