// SPDX-License-Identifier: Apache-2.0
// The interior of an object, made only if needed and shared by several pairs of objects.
#pragma once

#include <optional>

#include "touche/path.h"

namespace touche::paths {

/// Makes the interior at the first use. For one thread at a time.
class LazyInterior {
 public:
  /// The object must outlive it.
  explicit LazyInterior(const Object& object) : object_(&object) {}

  const Object& object() const { return *object_; }
  const Interior& get() {
    if (!made_) made_.emplace(*object_);
    return *made_;
  }

 private:
  const Object* object_;
  std::optional<Interior> made_;
};

struct EarlyClearance;

}  // namespace touche::paths

namespace touche {

/// The same as path() of the objects, with interiors that other pairs may share, and with what was
/// proved of the clearance if it was followed before with the same options.
PathResult path(paths::LazyInterior& a, const Motion& motion_a, paths::LazyInterior& b,
                const Motion& motion_b, const PathOptions& options,
                const paths::EarlyClearance* early = nullptr);

}  // namespace touche
