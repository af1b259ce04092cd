// SPDX-License-Identifier: Apache-2.0
#include "dynamics/contact_batches.h"

#include <algorithm>

namespace touche::dynamics {
namespace {

constexpr std::size_t kBatchLanes = ContactBatch::kLanes;
// The mean number of contacts in a batch from which on batches are faster than single contacts.
constexpr std::size_t kWorthBatches = 5;

void set(ContactBatch::Lanes (&lanes)[3], std::size_t lane, const Vec3& v) {
  for (int k = 0; k < 3; ++k) lanes[k][lane] = v[k];
}

void set(ContactBatch::Lanes (&lanes)[9], std::size_t lane, const Mat3& m) {
  for (int k = 0; k < 9; ++k) lanes[k][lane] = m(k / 3, k % 3);
}

void set(BodyTwist& twist, const SolverBody& body) {
  twist = {};
  for (int k = 0; k < 3; ++k) {
    twist.linear[k] = body.linear[k];
    twist.angular[k] = body.angular[k];
  }
}

}  // namespace

// Returns the first batch, beginning with `from`, that has a free lane.
Index ContactBatches::open_batch(Index from) {
  Index open = from;
  while (open_[open] != open) open = open_[open];
  while (from != open) {
    const Index next = open_[from];
    open_[from] = open;
    from = next;
  }
  return open;
}

// Gives each contact the first free lane after all earlier contacts that share a movable body with
// it. Returns whether batches pay.
bool ContactBatches::find_slots(std::span<const SolverContact> contacts) {
  ready_.assign(bodies_.size(), 0);
  slots_.clear();
  filled_.clear();
  open_.assign(1, 0);  // the last is one that does not exist yet
  const std::size_t most = contacts.size() / kWorthBatches;
  for (const SolverContact& contact : contacts) {
    const bool moves_a = can_move(bodies_[contact.a]), moves_b = can_move(bodies_[contact.b]);
    const Index batch =
        open_batch(std::max(moves_a ? ready_[contact.a] : 0, moves_b ? ready_[contact.b] : 0));
    if (batch == filled_.size()) {
      if (filled_.size() == most) return false;
      filled_.push_back(0);
      open_.push_back(batch + 1);
    }
    slots_.push_back(static_cast<Index>(kBatchLanes) * batch + filled_[batch]);
    if (++filled_[batch] == kBatchLanes) open_[batch] = batch + 1;
    if (moves_a) ready_[contact.a] = batch + 1;
    if (moves_b) ready_[contact.b] = batch + 1;
  }
  return true;
}

void ContactBatches::fill(std::span<const SolverContact> contacts) {
  const auto none = static_cast<Index>(bodies_.size()), unread = none + 1;
  ContactBatch empty{};
  for (Index* const rows : {empty.a, empty.b}) std::fill_n(rows, kBatchLanes, none);
  for (Index* const rows : {empty.to_a, empty.to_b}) std::fill_n(rows, kBatchLanes, unread);
  batches_.assign(filled_.size(), empty);
  impulses_.assign(filled_.size(), {});
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const SolverContact& from = contacts[i];
    const SolverRow &n = from.normal, &x = from.tangents[0], &y = from.tangents[1];
    const SolverBody &a = bodies_[from.a], &b = bodies_[from.b];
    const auto along_normal = [&](const SolverRow& row) {
      return n.lever_a.dot(row.turn_a) + n.lever_b.dot(row.turn_b);
    };
    ContactBatch& to = batches_[slots_[i] / kBatchLanes];
    const std::size_t l = slots_[i] % kBatchLanes;
    to.a[l] = from.a;
    to.b[l] = from.b;
    to.to_a[l] = can_move(a) ? from.a : unread;
    to.to_b[l] = can_move(b) ? from.b : unread;
    set(to.normal, l, n.direction);
    set(to.first, l, x.direction);
    set(to.second, l, y.direction);
    set(to.arm_a, l, from.arm_a);
    set(to.arm_b, l, from.arm_b);
    to.mass[l] = n.mass;
    to.least_speed[l] = from.least_speed;
    to.friction[l] = from.friction;
    to.xx[l] = from.tangent_xx;
    to.xy[l] = from.tangent_xy;
    to.yy[l] = from.tangent_yy;
    to.least[l] = from.tangent_least;
    to.normal_first[l] = along_normal(x);
    to.normal_second[l] = along_normal(y);
    to.inverse_mass_a[l] = a.inverse_mass;
    to.inverse_mass_b[l] = b.inverse_mass;
    set(to.inertia_a, l, a.inverse_inertia);
    set(to.inertia_b, l, b.inverse_inertia);
    set(impulses_[slots_[i] / kBatchLanes].along, l, {n.impulse, x.impulse, y.impulse});
  }
}

bool ContactBatches::begin(std::span<SolverBody> bodies, std::span<const SolverContact> contacts,
                           const ContactBatchKernels& kernels) {
  kernels_ = &kernels;
  bodies_ = bodies;
  if (!find_slots(contacts)) return false;
  fill(contacts);
  changes_.resize(batches_.size());
  sizes_.resize(batches_.size());
  squares_.reserve(bodies.size());
  twists_.assign(bodies.size() + 2, {});
  for (std::size_t i = 0; i < bodies.size(); ++i) set(twists_[i], bodies[i]);
  forget_direction();
  return true;
}

double ContactBatches::pass(bool forwards) {
  return kernels_->pass(batches_, forwards, twists_.data(), impulses_.data(), changes_.data(),
                        sizes_.data());
}

void ContactBatches::remember() { before_ = twists_; }

// Sums in the order of the contacts.
SweepChange ContactBatches::change() const {
  SweepChange sum;
  for (const Index slot : slots_) {
    const BatchChange& size = sizes_[slot / kBatchLanes];
    sum.energy += size.energy[slot % kBatchLanes];
    sum.square += size.square[slot % kBatchLanes];
  }
  sum.square /= static_cast<double>(std::max<std::size_t>(slots_.size(), 1));
  return sum;
}

// Velocities are extrapolated together with the impulses, so impulses need not be applied contact
// by contact.
void ContactBatches::go_on(double share) {
  const auto numbers = [](auto& of) { return reinterpret_cast<double*>(of.data()); };
  const auto count = [](const auto& of) { return of.size() * sizeof(of[0]) / sizeof(double); };
  kernels_->go_on(share, numbers(changes_), numbers(impulses_direction_), numbers(impulses_),
                  count(impulses_));
  for (std::size_t i = 0; i < twists_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      before_[i].linear[k] = twists_[i].linear[k] - before_[i].linear[k];
      before_[i].angular[k] = twists_[i].angular[k] - before_[i].angular[k];
    }
  kernels_->go_on(share, numbers(before_), numbers(direction_), numbers(twists_), count(twists_));
}

void ContactBatches::forget_direction() {
  impulses_direction_.assign(batches_.size(), {});
  direction_.assign(twists_.size(), {});
}

SweepSpeeds ContactBatches::speeds() {
  end();
  return speeds_of(bodies_, squares_);
}

void ContactBatches::give_impulses(std::span<SolverContact> contacts) const {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const BatchImpulses& impulses = impulses_[slots_[i] / kBatchLanes];
    const std::size_t l = slots_[i] % kBatchLanes;
    contacts[i].normal.impulse = impulses.along[0][l];
    contacts[i].tangents[0].impulse = impulses.along[1][l];
    contacts[i].tangents[1].impulse = impulses.along[2][l];
  }
}

void ContactBatches::end() {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      bodies_[i].linear[k] = twists_[i].linear[k];
      bodies_[i].angular[k] = twists_[i].angular[k];
    }
}

}  // namespace touche::dynamics
