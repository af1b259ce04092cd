// SPDX-License-Identifier: Apache-2.0
// Reports which body is under the mouse: a ray from the eye through a pixel hits the first of many;
// bodies of another category are ignored.
// usage: ray_pick [folder with bar.obj and frame.obj]
#include <touche/io.h>
#include <touche/world.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "examples";
  constexpr std::uint32_t kSolid = 1, kGlass = 2;
  touche::World world;
  world.add(touche::load(folder / "bar.obj"), {}, {.category = kSolid}, {}, "bar");
  world.add(touche::load(folder / "frame.obj"), touche::Pose::from_translation({0, 0, 50}),
            {.category = kGlass}, {}, "frame");

  // A camera at (0, 0, 200) that looks down: x to the right, y up, 60 degrees wide.
  const auto pick = [&](double right, double up, std::uint32_t mask) {
    const touche::Ray ray{{0, 0, 200}, {right * 0.577, up * 0.577, -1}};
    const std::optional<touche::BodyHit> hit = world.cast_ray(ray, mask);
    if (hit)
      std::printf("(%+.2f, %+.2f): face %u of the %s, at z = %.1f\n", right, up, hit->hit.face,
                  world.name(hit->body).c_str(), hit->hit.point[2]);
    else
      std::printf("(%+.2f, %+.2f): nothing\n", right, up);
    return hit ? world.name(hit->body) : std::string();
  };
  const bool right = pick(0, 0, touche::World::kAll) == "bar" &&
                     pick(0.14, 0, touche::World::kAll) == "frame" &&
                     pick(0.14, 0, kSolid).empty() && pick(1, 1, touche::World::kAll).empty();
  return right ? 0 : 1;
}
