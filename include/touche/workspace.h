// SPDX-License-Identifier: Apache-2.0
// Memory that queries use again.
#pragma once

#include <memory>

namespace touche {

/// Scratch memory of queries, named in their options. A query that finds enough of it there
/// allocates nothing; else it makes the workspace larger. Answers do not depend on it. It serves
/// one query at a time: each thread needs its own.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Memory;  ///< for the queries

 private:
  friend struct WorkspaceAccess;
  std::unique_ptr<Memory> memory_;
};

}  // namespace touche
