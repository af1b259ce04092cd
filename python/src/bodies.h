// SPDX-License-Identifier: Apache-2.0
// What queries are about: meshes and convex shapes, which Python sees as two classes with a common
// base.
#pragma once

#include <string>

#include "touche/shape.h"

namespace touche::python {

struct Body {
  Shape shape;

  bool is_mesh() const { return !shape.is_convex() && shape.radius() == 0; }
  const Object& object() const { return shape.object(); }
};

/// `touche.Object`: faces with a hierarchy.
struct MeshBody : Body {
  explicit MeshBody(Object made) : Body{Shape(std::move(made))} {}
};

/// `touche.Shape`: a convex shape.
struct ConvexBody : Body {
  explicit ConvexBody(Shape made) : Body{std::move(made)} {}
};

}  // namespace touche::python
