// SPDX-License-Identifier: Apache-2.0
// Replaces separation.cpp in a program that is built without TOUCHE_DYNAMICS.
#include "absent.h"
#include "separation.h"
#include "touche/types.h"

namespace touche::cli {
namespace {

constexpr const char* kSeparationNeeds = "TOUCHE_DYNAMICS";

}  // namespace

void SeparationInput::add_to(Command& command) {
  for (const char* name : {"--separation", "--tolerance"})
    command.absent(name, absent_error(kSeparationNeeds));
}

bool SeparationInput::wanted() const { return wanted_; }  // false

int SeparationInput::run(const TwoObjects& /*objects*/, std::size_t /*max_contacts*/) const {
  throw Error(absent_error(kSeparationNeeds));
}

}  // namespace touche::cli
