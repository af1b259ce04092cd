// SPDX-License-Identifier: Apache-2.0
// The inside of an object that may never be asked for, or by several pairs of objects.
#pragma once

#include <optional>

#include "touche/path.h"

namespace touche {

/// Makes an interior when it is first asked for. For one thread at a time.
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

/// Answers like path() of the objects, with interiors that other pairs may share, and with what was
/// proved of the clearance with the same options, if that was followed before.
PathResult path(LazyInterior& a, const Motion& motion_a, LazyInterior& b, const Motion& motion_b,
                const PathOptions& options, const EarlyClearance* early = nullptr);

}  // namespace touche
