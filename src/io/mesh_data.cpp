// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_data.h"

namespace touche::io {

void FaceNames::use(std::string_view name, std::size_t face) {
  const auto [entry, is_new] =
      numbers_.try_emplace(std::string(name), static_cast<Index>(names_.size()));
  if (is_new) names_.emplace_back(name);
  runs_.push_back({face, entry->second});
}

void FaceNames::begin(std::string_view name, std::size_t face) {
  runs_.push_back({face, static_cast<Index>(names_.size())});
  names_.emplace_back(name);
}

std::vector<Index> FaceNames::numbers(std::size_t face_count) const {
  std::vector<Index> all(face_count, kNone);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const std::size_t end = r + 1 < runs_.size() ? runs_[r + 1].first_face : face_count;
    for (std::size_t f = runs_[r].first_face; f < end; ++f) all[f] = runs_[r].name;
  }
  return all;
}

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
