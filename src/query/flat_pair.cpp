// SPDX-License-Identifier: Apache-2.0
#include "query/flat_pair.h"

#include <string>

#include "bvh/object_data.h"
#include "math/keeps_plane.h"

namespace touche::query {
namespace {

template <class Placing>
void check(const char* who, const Object& a, const Placing& of_a, const Object& b,
           const Placing& of_b) {
  const bool flat_a = bvh::flat_of(a) != nullptr, flat_b = bvh::flat_of(b) != nullptr;
  if (!flat_a && !flat_b) return;
  if (flat_a != flat_b)
    throw InvalidInput(std::string(who) +
                       ": one object is a drawing of the plane, the other a mesh; the question "
                       "needs two of one kind");
  for (const Placing* placing : {&of_a, &of_b})
    if (!math::keeps_plane(*placing))
      throw InvalidInput(std::string(who) +
                         ": drawings stay within the plane z = 0 and turn about z only");
}

}  // namespace

void check_flat_pair(const char* who, const Object& a, const Pose& pose_a, const Object& b,
                     const Pose& pose_b) {
  check(who, a, pose_a, b, pose_b);
}

void check_flat_pair(const char* who, const Object& a, const Motion& motion_a, const Object& b,
                     const Motion& motion_b) {
  check(who, a, motion_a, b, motion_b);
}

}  // namespace touche::query
