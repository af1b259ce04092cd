// SPDX-License-Identifier: Apache-2.0
#include "touche/types.h"

namespace touche {

double Aabb::diagonal() const { return empty() ? 0.0 : (hi - lo).norm(); }

}  // namespace touche
