// SPDX-License-Identifier: Apache-2.0
// Sizes of what the headers define, and answers to the last bit. Programs that are compiled with
// other flags than the library must print the same.
#include <touche/clash.h>
#include <touche/dynamics.h>
#include <touche/handling.h>
#include <touche/linear.h>
#include <touche/methods/kdop.h>
#include <touche/plane.h>
#include <touche/plane_shape.h>
#include <touche/plane_volumes.h>
#include <touche/self_contact.h>
#include <touche/shape.h>
#include <touche/step.h>
#include <touche/study.h>
#include <touche/touche.h>
#include <touche/world.h>

#include <array>
#include <cstdio>
#include <vector>

namespace {

using namespace touche;

template <class T>
void print_size(const char* type) {
  std::printf("%s: %zu bytes, aligned to %zu\n", type, sizeof(T), alignof(T));
}
#define PRINT_SIZE(type) print_size<type>(#type)

void print(const char* what, double value) { std::printf("%s: %a\n", what, value); }
void print(const char* what, const Vec3& v) {
  std::printf("%s: %a %a %a\n", what, v[0], v[1], v[2]);
}

Object octahedron() {
  const std::array<double, 18> coordinates = {1.1, 0,  0, -1.3, 0, 0,   0, 0.9, 0,
                                              0,   -1, 0, 0,    0, 1.7, 0, 0,   -1.2};
  const std::array<Index, 24> corners = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                         2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
  return Object(PolygonSoup(coordinates, corners), "octahedron");
}

}  // namespace

int main() {
  PRINT_SIZE(Vec3);
  PRINT_SIZE(Mat3);
  PRINT_SIZE(Aabb);
  PRINT_SIZE(Ball);
  PRINT_SIZE(Pose);
  PRINT_SIZE(Motion);
  PRINT_SIZE(Object);
  PRINT_SIZE(Contact);
  PRINT_SIZE(QueryStats);
  PRINT_SIZE(IntersectsResult);
  PRINT_SIZE(ContactsResult);
  PRINT_SIZE(DistanceOptions);
  PRINT_SIZE(DistanceResult);
  PRINT_SIZE(ToiOptions);
  PRINT_SIZE(ToiResult);
  PRINT_SIZE(PathOptions);
  PRINT_SIZE(PathResult);
  PRINT_SIZE(ContactInterval);
  PRINT_SIZE(ClearanceSample);
  PRINT_SIZE(Thickness);
  PRINT_SIZE(OpeningResult);
  PRINT_SIZE(Bracket);
  PRINT_SIZE(Cancel);
  PRINT_SIZE(Budget);
  PRINT_SIZE(Workspace);
  PRINT_SIZE(MovingVertex);
  PRINT_SIZE(LinearOptions);
  PRINT_SIZE(LinearImpact);
  PRINT_SIZE(SelfImpact);
  PRINT_SIZE(Shape);
  PRINT_SIZE(ShapeContact);
  PRINT_SIZE(DepthOptions);
  PRINT_SIZE(World);
  PRINT_SIZE(BodyOptions);
  PRINT_SIZE(NearPair);
  PRINT_SIZE(StepOptions);
  PRINT_SIZE(StepGroup);
  PRINT_SIZE(StepResult);
  PRINT_SIZE(Stepper);
  PRINT_SIZE(MassProperties);
  PRINT_SIZE(DynamicsOptions);
  PRINT_SIZE(DynamicsResult);
  PRINT_SIZE(Dynamics);
  PRINT_SIZE(Joint);
  PRINT_SIZE(HandlingOptions);
  PRINT_SIZE(HandlingStep);
  PRINT_SIZE(Handling);
  PRINT_SIZE(StudyPart);
  PRINT_SIZE(Study);
  PRINT_SIZE(StudyStep);
  PRINT_SIZE(StudyResult);
  PRINT_SIZE(ClashPart);
  PRINT_SIZE(ClashOptions);
  PRINT_SIZE(ClashPair);
  PRINT_SIZE(plane::Chain);
  PRINT_SIZE(plane::Outline);
  PRINT_SIZE(plane::Rounded);
  PRINT_SIZE(plane::OrientedBox);
  PRINT_SIZE(plane::Dop8);
  PRINT_SIZE(plane::Zonogon);
  PRINT_SIZE(plane::Hull);
  PRINT_SIZE(plane::Shape);
  PRINT_SIZE(Kdop);
  PRINT_SIZE(Kdop::Slab);

  const Object body = octahedron();
  print("diagonal", body.bounds().diagonal());
  // Written so that no compiler can contract the questions themselves: there is no sum of products.
  for (int i = 0; i < 20; ++i) {
    const Pose start = Pose::from_fixed_xyz(0.1 * i, 0.37, -0.3 * i, {3.1, 0.11 * i, -0.7});
    const Pose end = Pose::from_axis_angle({1, 0.3 * i, -2}, 2.9, {-2.9, 0.3, 0.07 * i});
    const Pose seen = relative(start, end) * start.inverse();
    print("point", seen * Vec3(0.1, 0.7, 0.3 * i));
    print("direction", seen.rotate({0.3, 0.1 * i, 1}));
    print("angle", seen.axis_angle().angle);
    const Motion motion = Motion::interpolated(start, end);
    print("displacement", motion.displacement_bound(body.bounds(), 0.3, 0, 1));
    std::printf("pairs: %zu\n", intersecting_faces(body, motion.pose(0.5), body, {}).pairs.size());
    print("distance", distance(body, start, body, {}).distance.upper);
    const ToiResult impact =
        time_of_impact(body, motion, body, Motion::at({}), {.tolerance = 1e-6});
    print("free until", impact.time.lower);
    print("touched at", impact.time.upper);
    if (impact.contact) print("normal", impact.contact->normal);
  }
  return 0;
}
