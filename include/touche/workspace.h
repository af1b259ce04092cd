// SPDX-License-Identifier: Apache-2.0
// Memory that queries reuse.
#pragma once

#include <memory>

namespace touche {

/// Scratch memory for queries, passed in their options. A query for which it is large enough
/// allocates nothing; otherwise the query enlarges it. Results do not depend on it. It serves one
/// query at a time, so each thread needs its own.
///
///     Workspace workspace;
///     for (const Pose& pose : poses) report(distance(a, {}, b, pose, {.workspace = &workspace}));
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Memory;  ///< internal

 private:
  friend struct WorkspaceAccess;
  std::unique_ptr<Memory> memory_;
};

}  // namespace touche
