// SPDX-License-Identifier: Apache-2.0
#include "touche/response.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "response/half_spaces.h"

namespace touche {
namespace {

constexpr double kSlack = 1e-12;  // a motion may lead into a surface by this fraction of its size

void check_restitution(double restitution) {
  if (!(restitution >= 0 && restitution <= 1))
    throw InvalidInput("reflect: the restitution must be in [0, 1]");
}

void require_finite(const char* who, const Vec3& motion) {
  if (!motion.allFinite()) throw InvalidInput(std::string(who) + ": the motion is not finite");
}

void require_unit(const char* who, const Vec3& normal) {
  if (!(std::abs(normal.squaredNorm() - 1) < 1e-6))
    throw InvalidInput(std::string(who) + ": a normal is not of unit length");
}

/// A motion scaled to size 1 among surfaces, and the scale.
struct Scaled {
  Vec3 motion;
  double size;
  std::vector<response::HalfSpace3> surfaces;

  Scaled(const char* who, const Vec3& given, std::span<const Vec3> normals) {
    require_finite(who, given);
    size = given.cwiseAbs().maxCoeff();
    motion = size > 0 ? Vec3(given / size) : Vec3(Vec3::Zero());
    surfaces.reserve(normals.size());
    for (const Vec3& normal : normals) {
      require_unit(who, normal);
      surfaces.push_back({normal.normalized(), 0});
    }
  }

  // The cone of all directions that lead into no surface always contains 0.
  [[nodiscard]] Vec3 slid(const Vec3& x) const {
    return response::nearest_in(surfaces, x, kSlack).value_or(Vec3(Vec3::Zero()));
  }
  [[nodiscard]] bool leads_into_none(const Vec3& x) const {
    return std::all_of(surfaces.begin(), surfaces.end(),
                       [&](const response::HalfSpace3& s) { return s.normal.dot(x) >= -kSlack; });
  }
};

}  // namespace

Vec3 slide(const Vec3& motion, const Vec3& normal) {
  require_finite("slide", motion);
  require_unit("slide", normal);
  return motion - std::min(0.0, motion.dot(normal)) * normal;
}

Vec3 slide(const Vec3& motion, std::span<const Vec3> normals) {
  const Scaled scaled("slide", motion, normals);
  return scaled.leads_into_none(scaled.motion) ? motion : scaled.size * scaled.slid(scaled.motion);
}

Vec3 reflect(const Vec3& velocity, const Vec3& normal, double restitution) {
  check_restitution(restitution);
  require_finite("reflect", velocity);
  require_unit("reflect", normal);
  return velocity - (1 + restitution) * std::min(0.0, velocity.dot(normal)) * normal;
}

Vec3 reflect(const Vec3& velocity, std::span<const Vec3> normals, double restitution) {
  check_restitution(restitution);
  constexpr int kImpacts = 64;
  const Scaled scaled("reflect", velocity, normals);
  if (scaled.leads_into_none(scaled.motion)) return velocity;
  Vec3 now = scaled.motion;
  for (int impact = 0; impact < kImpacts; ++impact) {
    const Vec3 along = scaled.slid(now);
    now = along - restitution * (now - along);
    if (scaled.leads_into_none(now)) return scaled.size * now;
  }
  return scaled.size * scaled.slid(now);
}

}  // namespace touche
