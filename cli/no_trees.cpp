// SPDX-License-Identifier: Apache-2.0
// Replaces trees.cpp in a program that is built without TOUCHE_METHODS.
#include "absent.h"
#include "touche/types.h"
#include "trees.h"

namespace touche::cli {

struct TreeCollide::State {};
struct TreeBuild::State {};

namespace {

constexpr const char* kTreesNeed = "TOUCHE_METHODS";

// All other options of volume trees are errors without one of these.
constexpr const char* kTreeOptions[] = {"--method", "--volume", "--expansion",
                                        "--queue",  "--tree-a", "--tree-b"};

void refuse_tree_options(Command& command) {
  for (const char* name : kTreeOptions) command.absent(name, absent_error(kTreesNeed));
}

}  // namespace

TreeCollide::TreeCollide() = default;
TreeCollide::~TreeCollide() = default;
void TreeCollide::add_to(Command& command) { refuse_tree_options(command); }
bool TreeCollide::wanted() const { return false; }
int TreeCollide::run(const TwoObjects& /*objects*/, std::size_t /*max_contacts*/) const {
  throw Error(absent_error(kTreesNeed));
}

TreeBuild::TreeBuild() = default;
TreeBuild::~TreeBuild() = default;
void TreeBuild::add_to(Command& command) { refuse_tree_options(command); }
bool TreeBuild::wanted() const { return false; }
int TreeBuild::run(const BuildOptions& /*options*/) const { throw Error(absent_error(kTreesNeed)); }

}  // namespace touche::cli
