// SPDX-License-Identifier: Apache-2.0
// Hierarchies on disk: built once, saved, and mapped into memory by whoever asks next. The format
// and what is checked: docs/hierarchy-file.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "touche/names.h"
#include "touche/object.h"

namespace touche {

struct SavedHierarchy {
  std::uint64_t mesh = 0;  ///< mesh_hash
  std::size_t nodes = 0, leaves = 0;
  int height = 0;
  std::size_t bytes = 0;
};

/// Writes the object's hierarchy; the same mesh gives the same bytes. The file appears under its
/// name once it is whole, in place of one that is there. Throws LoadError when it cannot be
/// written.
SavedHierarchy save_hierarchy(const Object& object, const std::filesystem::path& file);

/// An object whose hierarchy is the file's, mapped, not copied; refitted ones are in memory. Every
/// query gives the same bits as with one that is built. The file may be replaced or removed, but
/// not altered in place. Throws LoadError naming what is wrong: a file that is truncated, altered,
/// of another mesh, version or kind of machine.
[[nodiscard]] Object load_hierarchy(PolygonSoup soup, const std::filesystem::path& file,
                                    std::string name = {});

/// A hash of the coordinates and the triangles; it identifies a mesh for its hierarchy.
[[nodiscard]] std::uint64_t mesh_hash(const PolygonSoup& soup);

enum class CacheUse : std::uint8_t {
  loaded,    ///< the cache had it
  stored,    ///< built and stored: the cache did not have it
  replaced,  ///< built and stored: what the cache had was refused
  unstored,  ///< built, but it could not be stored
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<CacheUse> = {"loaded", "stored", "replaced",
                                                                     "unstored"};

struct [[nodiscard]] CachedObject {
  Object object;
  CacheUse use;
  std::string remark;  ///< why a file was refused or could not be stored
};

/// Takes the hierarchy from `folder`, which is made if need be, where it is called
/// `<mesh hash>.bvh`; else builds it and stores it there. Nothing that is wrong with the folder or
/// the file is an error: the object is right in any case, and `remark` tells. Any number of
/// processes may use a folder at once.
CachedObject cached_object(PolygonSoup soup, const std::filesystem::path& folder,
                           std::string name = {}, const BuildOptions& options = {});

}  // namespace touche
