// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/budget.h"

namespace touche::test {

/// Stops a query before it begins.
inline Cancel requested() {
  Cancel cancel;
  cancel.request();
  return cancel;
}

}  // namespace touche::test
