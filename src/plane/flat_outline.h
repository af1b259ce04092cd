// SPDX-License-Identifier: Apache-2.0
// This is what the object of space that stands on an outline knows of it.
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

/// Returns what whoever made that outline had to say; nothing of other objects.
std::span<const std::string> remarks_of(const touche::Object& object);

/// The greatest of all outlines'; 0 of other objects.
double chord_error_of(std::span<const touche::Object> objects);
/// Returns what a person is told then; the error is told as a length with its unit.
std::string chord_remark(const std::string& error);

}  // namespace touche::plane
