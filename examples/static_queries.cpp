// SPDX-License-Identifier: Apache-2.0
// Three questions about one pose: do a bar and a frame touch, where, and how far apart are they?
// usage: static_queries [folder with bar.obj and frame.obj]
#include <touche/io.h>
#include <touche/touche.h>

#include <cstdio>
#include <filesystem>

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "examples";
  const touche::Object bar = touche::load(folder / "bar.obj");
  const touche::Object frame = touche::load(folder / "frame.obj");

  // In the middle of the opening there are 0.05 mm all round.
  const touche::Pose centred;
  const touche::DistanceResult gap = touche::distance(bar, centred, frame, {});
  std::printf("centred: %s, %.3f mm apart\n",
              touche::intersects(bar, centred, frame, {}) ? "touching" : "free",
              gap.distance.upper);

  // Pushed aside by 0.08 mm the bar cuts into the frame; each pair of faces is named.
  const touche::Pose aside = touche::Pose::from_translation({0.08, 0, 0});
  const touche::ContactsResult found = touche::contacts(bar, aside, frame, {});
  std::printf("aside: %zu pairs of faces touch\n", found.contacts.size());
  for (const touche::Contact& contact : found.contacts) {
    const auto group_a = bar.soup().face_group(contact.face_a);
    const auto group_b = frame.soup().face_group(contact.face_b);
    std::printf("  face %u of the bar (%.*s), face %u of the frame (%.*s)\n", contact.face_a,
                static_cast<int>(group_a.size()), group_a.data(), contact.face_b,
                static_cast<int>(group_b.size()), group_b.data());
  }
  const bool right =
      gap.distance.upper > 0.0499 && gap.distance.upper < 0.0501 && !found.contacts.empty();
  return right ? 0 : 1;
}
