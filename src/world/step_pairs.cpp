// SPDX-License-Identifier: Apache-2.0
// Which pairs of bodies may meet, and when they do.
#include <algorithm>
#include <tuple>

#include "world/step_data.h"

namespace touche {
namespace {

Aabb to_aabb(const RoundedBox& box) {
  return {{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
}

}  // namespace

const Stepper::Data::Group* Stepper::Data::group_at(Index node) const {
  const Index mover = mover_of[node];
  return mover == kNone ? nullptr : &groups[movers[mover].group];
}

void Stepper::Data::add_question(Index a, Index b, double from) {
  if (a > b) std::swap(a, b);
  const Group *group_a = group_at(a), *group_b = group_at(b);
  if (group_a == group_b) return;  // both of the same, or both of none
  const auto moves = [](const Group* group) { return group != nullptr && !group->still; };
  if (!moves(group_a) && !moves(group_b)) return;
  if (!world.may_pair(a, b)) return;
  const auto version = [](const Group* group) { return group == nullptr ? 0 : group->version; };
  questions.push_back({a, b, from, version(group_a), version(group_b), {}});
}

void Stepper::Data::ask_all() {
  questions.clear();
  for (const BoxPair& pair : world.boxes->pairs()) {
    const Index a = world.node_of_box[pair.a], b = world.node_of_box[pair.b];
    if (mover_of[a] != kNone || mover_of[b] != kNone) add_question(a, b, 0);
  }
  result.stats.pairs = questions.size();
  ask();
}

void Stepper::Data::ask_again(std::span<const Index> changed, double from) {
  questions.clear();
  for (const Index g : changed)
    for (Index m = groups[g].first; m < groups[g].last; ++m) {
      const Index node = movers[m].node;
      found_.clear();
      const RoundedBox box = world.boxes->box(world.bodies[node].box);
      world.boxes->in_box(to_aabb(box), [this](Index number) {
        found_.push_back(number);
        return true;
      });
      for (const Index number : found_) add_question(node, world.node_of_box[number], from);
    }
  ask();
}

// Twice the same pair is asked once.
void Stepper::Data::ask() {
  const auto key = [](const Question& q) { return std::pair(q.a, q.b); };
  std::sort(questions.begin(), questions.end(),
            [&](const Question& x, const Question& y) { return key(x) < key(y); });
  questions.erase(
      std::unique(questions.begin(), questions.end(),
                  [&](const Question& x, const Question& y) { return key(x) == key(y); }),
      questions.end());
  const auto motion_of = [&](Index node, double from) {
    const Index m = mover_of[node];
    if (m == kNone) return Motion::at(world.bodies[node].pose);
    return rest_of(movers[m].motion, groups[movers[m].group].begin, from);
  };
  questioner.ask_all(questions.size(), options->threads, [&](std::size_t i, Workspace& workspace) {
    Question& q = questions[i];
    const Motion motion_a = motion_of(q.a, q.from), motion_b = motion_of(q.b, q.from);
    q.answer = ask_pair({.a = world.object(q.a),
                         .motion_a = motion_a,
                         .b = world.object(q.b),
                         .motion_b = motion_b,
                         .from = q.from,
                         .tolerance = options->tolerance,
                         .clearance = options->clearance,
                         .budget = options->budget},
                        workspace);
  });
  result.stats.questions += questions.size();
  for (const Question& q : questions) result.stats.queries += q.answer.stats;
}

bool Stepper::Data::is_stale(const Question& question) const {
  const auto version = [&](Index node) {
    const Group* group = group_at(node);
    return group == nullptr ? 0 : group->version;
  };
  return version(question.a) != question.version_a || version(question.b) != question.version_b;
}

}  // namespace touche
