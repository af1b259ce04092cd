// SPDX-License-Identifier: Apache-2.0
// Names of parts that do not depend on which other files are given.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "touche/clash.h"

namespace touche::clash {

/// Where a part comes from. Its name consists of the last steps of the file's path and the path of
/// the node.
struct PartOrigin {
  std::filesystem::path file;
  std::size_t file_steps = 0;  ///< number of steps of the file's path in the name
  std::string node;            ///< empty: the file is one part
};

/// Names the parts and what is left out after their origins. Parts of different files that would
/// have one name get more steps of their files' paths.
void name_parts(const std::vector<PartOrigin>& parts, const std::vector<PartOrigin>& left_out,
                ClashParts& result);

/// The name by origin alone.
std::string name_of(const PartOrigin& origin);

/// ClashPart::own_name, or the name.
inline const std::string& own_name(const ClashPart& part) {
  return part.own_name.empty() ? part.name : part.own_name;
}

/// The name with the file in front where several files have parts: the group and the last step.
std::string long_name(const ClashPart& part);

/// Returns whether `name` is `end`, or ends with all steps of `end`: "Frame/Bolt" with "Bolt".
bool ends_with_steps(std::string_view name, std::string_view end);

}  // namespace touche::clash
