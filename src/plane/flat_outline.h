// SPDX-License-Identifier: Apache-2.0
// The outline on which an object in space stands, and what the object stores about it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "bvh/object_data.h"
#include "touche/plane.h"

namespace touche::plane {

std::shared_ptr<const bvh::Flat> flat_outline(std::shared_ptr<const Outline> outline);

/// The outline on which an object stands; null for other objects.
const Outline* outline_of(const touche::Object& object);

/// The remarks on the file of that outline, of other objects on that of their soup.
std::span<const std::string> remarks_of(const touche::Object& object);

/// The largest chord error of all outlines; other objects count as 0.
double chord_error_of(std::span<const touche::Object> objects);
/// The text that informs the user of chord errors; `error` is a length with its unit.
std::string chord_remark(const std::string& error);

}  // namespace touche::plane
