// SPDX-License-Identifier: Apache-2.0
// The option --separation of `touche collide`. separation.cpp implements it, or no_separation.cpp
// in a program that is built without TOUCHE_DYNAMICS: there the option is refused.
#pragma once

#include <cstddef>
#include <string>

#include "program.h"
#include "two_objects.h"

namespace touche::cli {

class SeparationInput {
 public:
  void add_to(Command& command);

  /// Whether the option is given. Throws InvalidInput when only --tolerance is.
  bool wanted() const;

  /// Prints how far apart the two are, or how deep in each other; returns the exit code.
  int run(const TwoObjects& objects, std::size_t max_contacts) const;

 private:
  bool wanted_ = false;
  std::string tolerance_;  // a length; empty: a share of the smaller one's size
};

}  // namespace touche::cli
