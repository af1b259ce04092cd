// SPDX-License-Identifier: Apache-2.0
// What the object of space that stands on an outline knows of it.
#pragma once

#include <memory>

#include "bvh/object_data.h"
#include "touche/plane.h"

namespace touche::plane {

std::shared_ptr<const Flat> flat_outline(std::shared_ptr<const Outline> outline);

}  // namespace touche::plane
