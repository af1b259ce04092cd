// SPDX-License-Identifier: Apache-2.0
// What queries are about: meshes and convex shapes, which Python sees as two classes with a common
// base.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "touche/overlap.h"
#include "touche/shape.h"

namespace touche::python {

namespace py = pybind11;

/// The base class, `touche.Body`.
class Body {
 public:
  Body(Shape made, py::object made_by, std::string made_key)
      : shape(std::move(made)), recipe(std::move(made_by)), key(std::move(made_key)) {}

  [[nodiscard]] bool is_mesh() const { return !shape.is_convex(); }
  [[nodiscard]] const Object& object() const { return shape.object(); }
  /// Computed by the first call, without the lock of the interpreter. Ctrl-C ends the wait for it.
  [[nodiscard]] const Interior& interior() const;

  const Shape shape;
  /// Of a convex shape: the function that made it, and its arguments, for pickling.
  const py::object recipe;
  /// Of a convex shape: equal if the same functions made them of the same numbers.
  const std::string key;

 private:
  struct Inside {
    std::once_flag once;
    std::atomic<const Interior*> made = nullptr;
    std::unique_ptr<const Interior> owned;
  };
  const std::shared_ptr<Inside> inside_ = std::make_shared<Inside>();
};

/// `touche.Object`: faces with a hierarchy.
class MeshBody : public Body {
 public:
  explicit MeshBody(Object made) : Body(Shape(std::move(made)), py::none(), {}) {}
};

/// `touche.Shape`: a convex shape.
class ConvexBody : public Body {
 public:
  using Body::Body;
};

/// An Object or a Shape; raises TypeError for anything else.
const Body& body_of(py::handle value, const char* what);

/// What Python sees of an object or a convex shape of the library.
py::object object_of(const Object& object);
py::object object_of(const Shape& shape);

}  // namespace touche::python
