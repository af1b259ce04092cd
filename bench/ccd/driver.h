// SPDX-License-Identifier: Apache-2.0
// A library takes part by implementing one class, in one file, and a line in drivers.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case.h"

namespace touche::bench {

struct CcdAnswer {
  bool contact = false;
  double t = 1;  ///< when, in [0, 1]
};

class CcdDriver {
 public:
  virtual ~CcdDriver() = default;
  virtual std::string name() const = 0;
  /// Whether the library has such motions at all.
  virtual bool can(const CcdCase& scene) const = 0;
  /// Takes the meshes; not timed.
  virtual void load(const CcdCase& scene) = 0;
  /// The first contact of the case that was loaded last.
  virtual CcdAnswer first_contact(const CcdCase& scene) = 0;
};

std::vector<std::unique_ptr<CcdDriver>> ccd_drivers();

/// Runs all queries with all drivers and prints which of them missed contacts. Returns false if
/// Touché did.
bool run_ccd(const std::vector<CcdCase>& cases, const std::filesystem::path& csv);

}  // namespace touche::bench
