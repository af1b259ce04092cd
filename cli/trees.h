// SPDX-License-Identifier: Apache-2.0
// The options of `touche collide` and `touche build` that are about volume trees, and what is done
// with them. trees.cpp implements them, or no_trees.cpp in a program that is built without
// TOUCHE_METHODS: there the options are refused.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "program.h"
#include "touche/io.h"
#include "two_objects.h"

namespace touche::cli {

class TreeCollide {
 public:
  TreeCollide();
  ~TreeCollide();

  void add_to(Command& command);

  /// Whether the command line selects volume trees. Throws InvalidInput if it only has options that
  /// have no effect without them.
  bool wanted() const;

  /// Searches the trees of two meshes and prints the result; returns the exit code.
  int run(const TwoObjects& objects, std::size_t max_contacts) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Options of `touche build` for hierarchies and for volume trees.
struct BuildOptions {
  std::string file, out, weld;
  double scale = 1;
  LoadOptions load_options() const;
  int threads = 0;
  bool check = false, json = false;
};

class TreeBuild {
 public:
  TreeBuild();
  ~TreeBuild();

  void add_to(Command& command);

  /// Like that of TreeCollide.
  bool wanted() const;

  /// Writes a volume tree; returns the exit code.
  int run(const BuildOptions& options) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touche::cli
