// SPDX-License-Identifier: Apache-2.0
// Arguments of calls that take less time than pybind11's conversions.
#pragma once

#include <pybind11/pybind11.h>

#include "bodies.h"
#include "touche/pose.h"

namespace touche::python {

namespace py = pybind11;

/// The value of an object of this very class of Python, or null: also for other classes derived
/// from it, which the usual conversions take.
template <class Value>
const Value* exact(py::handle value, PyTypeObject* type) {
  if (Py_TYPE(value.ptr()) != type) return nullptr;
  const auto* const instance = reinterpret_cast<const py::detail::instance*>(value.ptr());
  return instance->simple_layout ? static_cast<const Value*>(instance->simple_value_holder[0])
                                 : nullptr;
}

/// Set when the classes are made.
struct ExactTypes {
  PyTypeObject *pose = nullptr, *mesh = nullptr, *convex = nullptr;
};
inline ExactTypes exact_types;

inline const Pose* exact_pose(py::handle value) { return exact<Pose>(value, exact_types.pose); }

inline const Body* exact_body(py::handle value) {
  if (const Body* mesh = exact<MeshBody>(value, exact_types.mesh)) return mesh;
  return exact<ConvexBody>(value, exact_types.convex);
}

}  // namespace touche::python
