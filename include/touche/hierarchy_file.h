// SPDX-License-Identifier: Apache-2.0
// Hierarchies on disk: built once, saved, and mapped into memory when needed again. The format and
// the checks are described in docs/hierarchy-file.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "touche/names.h"
#include "touche/object.h"

namespace touche {

struct SavedHierarchy {
  std::uint64_t mesh = 0;  ///< mesh_hash of the soup
  std::size_t nodes = 0, leaves = 0;
  int height = 0;
  std::size_t bytes = 0;
};

/// Writes the object's hierarchy; the same mesh gives the same bytes. The file appears under its
/// name only when it is complete, and then replaces an existing one. Throws LoadError when it
/// cannot be written.
SavedHierarchy save_hierarchy(const Object& object, const std::filesystem::path& file);

/// An object that uses the hierarchy of a file, which is mapped into memory, not copied; refitted
/// objects hold theirs in memory. Every query gives the same bits as with a hierarchy that is
/// built. The file may be replaced or removed later, but not changed in place. Throws LoadError,
/// naming the reason, for a file that is truncated, changed, or of another mesh, version or kind of
/// machine.
[[nodiscard]] Object load_hierarchy(PolygonSoup soup, const std::filesystem::path& file,
                                    std::string name = {});

/// The same in memory: the bytes of that file. To send an object to another process, send them with
/// its soup; they are read only by the same version on the same kind of machine.
///
///     const std::vector<std::byte> bytes = hierarchy_bytes(object);
///     const Object copy = object_from_bytes(object.soup(), bytes, object.name());
[[nodiscard]] std::vector<std::byte> hierarchy_bytes(const Object& object);
/// Copies the bytes, and throws LoadError as load_hierarchy does.
[[nodiscard]] Object object_from_bytes(PolygonSoup soup, std::span<const std::byte> bytes,
                                       std::string name = {});

/// A hash of the coordinates and the triangles; it identifies the mesh of a hierarchy.
[[nodiscard]] std::uint64_t mesh_hash(const PolygonSoup& soup);

enum class CacheUse : std::uint8_t {
  loaded,    ///< loaded from the cache
  stored,    ///< built and stored: it was not in the cache
  replaced,  ///< built and stored: the file in the cache was invalid
  unstored,  ///< built, but it could not be stored
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<CacheUse> = {"loaded", "stored", "replaced",
                                                                     "unstored"};

struct [[nodiscard]] CachedObject {
  Object object;
  CacheUse use;
  std::string remark;  ///< why a file was invalid or could not be stored
};

/// Loads the hierarchy from the file `<mesh hash>.bvh` in `folder`, or builds it and stores it
/// there; the folder is created if needed. Problems with the folder or the file are no errors: the
/// object is valid in any case, and `remark` describes the problem. Any number of processes may use
/// a folder at the same time.
CachedObject cached_object(PolygonSoup soup, const std::filesystem::path& folder,
                           std::string name = {}, const BuildOptions& options = {});

}  // namespace touche
