// SPDX-License-Identifier: Apache-2.0
// What the object of space that stands on an outline knows of it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "bvh/object_data.h"
#include "touche/plane.h"

namespace touche::plane {

std::shared_ptr<const Flat> flat_outline(std::shared_ptr<const Outline> outline);

/// The outline that an object stands on; null of other objects.
const Outline* outline_of(const touche::Object& object);

/// What whoever made that outline had to say; nothing of other objects.
std::span<const std::string> remarks_of(const touche::Object& object);

}  // namespace touche::plane
