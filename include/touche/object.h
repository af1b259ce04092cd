// SPDX-License-Identifier: Apache-2.0
// An object: a polygon soup with its hierarchy, immutable, cheap to copy, safe to share.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "touche/soup.h"

namespace touche {

class Bvh;

struct BuildOptions {
  int threads = 0;  ///< 0: all; the hierarchy does not depend on it
  /// Where to count the triangles whose place is settled, for who watches; small objects may skip
  /// it.
  std::atomic<std::size_t>* progress = nullptr;
};

class Object {
 public:
  explicit Object(PolygonSoup soup, std::string name = {}, const BuildOptions& options = {});

  /// With a hierarchy that was made for this very soup: see touche/hierarchy_file.h.
  Object(PolygonSoup soup, Bvh&& bvh, std::string name);

  const PolygonSoup& soup() const;
  const Bvh& bvh() const;
  const std::string& name() const;
  const Aabb& bounds() const { return soup().bounds(); }

  struct Memory {
    std::size_t mesh_bytes = 0;
    std::size_t hierarchy_bytes = 0;
  };
  Memory memory() const;

  /// Checks every invariant of the hierarchy; throws Error naming the node that breaks one.
  void validate() const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace touche
