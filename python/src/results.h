// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <array>

#include "touche/query.h"

namespace touche::python {

namespace py = pybind11;

/// A point or a direction in a row of an array.
using Three = std::array<double, 3>;
inline Three three_of(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

/// The counts of a query as a dict.
py::dict dict_of(const QueryStats& stats);

/// The number of a face; None for kNone.
py::object face_or_none(Index face);

/// A contact, or None.
py::object contact_or_none(const std::optional<Contact>& contact);

}  // namespace touche::python
