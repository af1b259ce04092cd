// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_data.h"

namespace touche::io {

Index MeshBuilder::new_group(std::string_view name) {
  data_.group_names.emplace_back(name);
  return static_cast<Index>(data_.group_names.size() - 1);
}

void MeshBuilder::use_group(std::string_view name) {
  if (name.empty()) {
    group_ = kNone;
    return;
  }
  const auto [entry, is_new] = groups_by_name_.try_emplace(std::string(name), kNone);
  if (is_new) entry->second = new_group(name);
  group_ = entry->second;
}

void MeshBuilder::begin_group(std::string_view name) { group_ = new_group(name); }

void MeshBuilder::note_size(std::size_t size) {
  if (data_.face_sizes.empty()) data_.face_sizes.assign(data_.face_count, 3);
  data_.face_sizes.push_back(static_cast<Index>(size));
}

void MeshBuilder::note_group() {
  const bool earlier_without = data_.face_groups.empty() && data_.face_count > 0;
  if ((group_ == kNone || earlier_without) && nameless_ == kNone) nameless_ = new_group("");
  if (earlier_without) data_.face_groups.assign(data_.face_count, nameless_);
  data_.face_groups.push_back(group_ == kNone ? nameless_ : group_);
}

MeshData MeshBuilder::finish(const std::string& file) {
  if (data_.face_count == 0) {
    throw LoadError(file, "",
                    "no faces (" + std::to_string(data_.vertex_count()) + " vertices); points " +
                        "and lines are not surfaces");
  }
  if (data_.corners.size() >= kMaxCorners) {
    throw LoadError(file, "", "more than 2^31 corners in all faces");
  }
  return std::move(data_);
}

}  // namespace touche::io
