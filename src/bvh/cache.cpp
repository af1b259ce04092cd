// SPDX-License-Identifier: Apache-2.0
// A folder of cached hierarchies, found by mesh hash. It only saves time: if anything is wrong with
// it, the hierarchy is built.
#include <cstdio>

#include "bvh/file_format.h"
#include "bvh/object_data.h"
#include "touche/hierarchy_file.h"

namespace touche {
namespace {

namespace fs = std::filesystem;

fs::path name_of(std::uint64_t hash) {
  char name[24];
  std::snprintf(name, sizeof name, "%016llx.bvh", static_cast<unsigned long long>(hash));
  return name;
}

}  // namespace

CachedObject cached_object(PolygonSoup soup, const fs::path& folder, std::string name,
                           const BuildOptions& options) {
  const fs::path file = folder / name_of(mesh_hash(soup));
  std::error_code error;
  CacheUse use = CacheUse::stored;
  std::string remark;
  if (fs::exists(fs::symlink_status(file, error))) {
    try {
      bvh::Bvh bvh = bvh::file::load(file, soup);
      return {
          bvh::object_of(std::move(soup), std::move(bvh), std::move(name)), CacheUse::loaded, {}};
    } catch (const LoadError& refused) {
      use = CacheUse::replaced;
      remark = refused.what();
    }
  }
  const Object object(std::move(soup), std::move(name), options);
  try {
    fs::create_directories(folder, error);
    save_hierarchy(object, file);
  } catch (const LoadError& failed) {
    use = CacheUse::unstored;
    remark += (remark.empty() ? "" : "; ") + std::string(failed.what());
  }
  return {object, use, remark};
}

}  // namespace touche
