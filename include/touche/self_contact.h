// SPDX-License-Identifier: Apache-2.0
// A deforming soup that may touch itself: when, within a step in which every vertex moves on a
// straight line, and with what.
#pragma once

#include <memory>
#include <span>

#include "touche/linear.h"
#include "touche/soup.h"

namespace touche {

/// Primitives are those of the soup's triangles; the ones that have a vertex in common are never
/// compared, whatever they do.
struct [[nodiscard]] SelfImpact {
  bool contact = false;
  double t = 0;  ///< as LinearImpact's, over all pairs; 0 when the budget left some out
  bool decided = false;
  bool edges = false;  ///< two edges; else a vertex and a triangle
  /// Numbers of vertices: v, f0, f1, f2, or a0, a1, b0, b1. When the budget left some out, of the
  /// earliest contact among the others, if there is one.
  std::array<Index, 4> vertices = {kNone, kNone, kNone, kNone};
  std::size_t pairs = 0;  ///< that were compared
};

class SelfContact {
 public:
  /// Builds a hierarchy of the soup as it is; steps far from it take longer. Throws InvalidInput
  /// when there are no faces.
  explicit SelfContact(PolygonSoup rest);
  ~SelfContact();
  SelfContact(SelfContact&&) noexcept;
  SelfContact& operator=(SelfContact&&) noexcept;

  [[nodiscard]] const PolygonSoup& soup() const;

  /// Coordinates x y z of every vertex at t = 0 and t = 1. The earliest contact; of several at one
  /// time any, but always the same. Throws InvalidInput for coordinates that are not finite or not
  /// three for each vertex. threads = 0: all; the result is the same.
  SelfImpact first_contact(std::span<const double> start, std::span<const double> end,
                           const LinearOptions& options = {}, int threads = 0);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touche
