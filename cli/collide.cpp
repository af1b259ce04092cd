// SPDX-License-Identifier: Apache-2.0
// touche collide: do two objects touch, and where?
#include <fmt/format.h>

#include "commands.h"
#include "two_objects.h"

namespace touche::cli {
namespace {

constexpr std::size_t kListed = 20;

struct Options {
  TwoObjects objects;
  std::size_t max_contacts = 0;  // 0: all
};

void print_text(const ContactsResult& found, const Object& a, const Object& b) {
  if (found.contacts.empty()) {
    fmt::print("free: the surfaces do not touch\n");
    return;
  }
  fmt::print("contact: {}{} pair{} of faces\n", found.complete ? "" : "at least ",
             found.contacts.size(), found.contacts.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(kListed, found.contacts.size()); ++i)
    fmt::print("{}\n{}\n", i, contact_text(found.contacts[i], a, b));
  if (found.contacts.size() > kListed)
    fmt::print("({} more; --json lists all)\n", found.contacts.size() - kListed);
}

int run(const Options& options) {
  const Object a = options.objects.load_a(), b = options.objects.load_b();
  ContactsOptions how;
  if (options.max_contacts > 0) how.max_contacts = options.max_contacts;
  const ContactsResult found = contacts(a, parse_pose(options.objects.pose_a, "--pose-a"), b,
                                        parse_pose(options.objects.pose_b, "--pose-b"), how);
  if (options.objects.json) {
    Json list = Json::array();
    for (const Contact& c : found.contacts) list.push_back(to_json(c, a, b));
    print({{"intersects", !found.contacts.empty()},
           {"complete", found.complete},
           {"contacts", list},
           {"work", to_json(found.stats)}});
  } else {
    print_text(found, a, b);
  }
  return found.contacts.empty() ? kFree : kContact;
}

}  // namespace

Command add_collide(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("collide", "Do two objects touch, and where? Lists the pairs of faces");
  auto options = std::make_shared<Options>();
  options->objects.add_to(*command);
  command->add_option("--max-contacts", options->max_contacts, "Stop after this many (0: never)");
  command->footer(
      "Touching counts. Surfaces are tested: an object wholly inside another does not touch it.\n"
      "Faces, vertices and edges are numbered from 0 in the order of the file.\n\n"
      "Examples:\n"
      "  touche collide nut.obj bolt.obj\n"
      "  touche collide nut.obj bolt.obj --pose-a \"0,0,0.004\" --json\n"
      "  touche collide mm.stl m.obj --scale-b 1000 --max-contacts 1");
  return [options] { return run(*options); };
}

}  // namespace touche::cli
