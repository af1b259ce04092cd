// SPDX-License-Identifier: Apache-2.0
// Self-contact of a deforming soup: the first contact within a step in which each vertex moves on a
// straight line at constant speed.
#pragma once

#include <memory>
#include <span>

#include "touche/linear.h"
#include "touche/soup.h"

namespace touche {

/// The first self-contact of a step. Primitives are the vertices, edges and faces of the soup's
/// triangles; two that have a vertex in common are never tested against each other.
struct [[nodiscard]] SelfImpact {
  bool contact = false;
  double t = 0;  ///< as LinearImpact::t, over all pairs; 0 when the budget left pairs out
  bool complete = false;
  bool edges = false;  ///< whether two edges touch; else a vertex and a triangle
  /// Vertex numbers v, f0, f1, f2, or a0, a1, b0, b1. When the budget left pairs out, they describe
  /// the earliest contact of the others, if there is one.
  std::array<Index, 4> vertices = {kNone, kNone, kNone, kNone};
  std::size_t pairs = 0;  ///< number of tested pairs
};

/// Finds self-contacts of a soup in successive steps. It is certified like touche/linear.h: a
/// contact is never missed. Its memory is used again, so one object serves one thread at a time.
class SelfContact {
 public:
  /// Builds a hierarchy of the soup in its rest shape; steps of strongly deformed shapes take
  /// longer. Throws InvalidInput when there are no faces.
  explicit SelfContact(PolygonSoup rest);
  ~SelfContact();
  SelfContact(SelfContact&&) noexcept;
  SelfContact& operator=(SelfContact&&) noexcept;

  [[nodiscard]] const PolygonSoup& soup() const;

  /// The earliest contact; of several at the same time one is reported, always the same. `start`
  /// and `end` hold x y z of each vertex at t = 0 and t = 1. Throws InvalidInput for coordinates
  /// that are not finite, or not three for each vertex. threads = 0: all; the result does not
  /// depend on it.
  ///
  ///     SelfContact cloth(soup);
  ///     const SelfImpact hit = cloth.first_contact(before, after, {.tolerance = 1e-6});
  SelfImpact first_contact(std::span<const double> start, std::span<const double> end,
                           const LinearOptions& options = {}, int threads = 0);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touche
