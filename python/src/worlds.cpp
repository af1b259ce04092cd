// SPDX-License-Identifier: Apache-2.0
// Worlds, steppers and hands.
#include "worlds.h"

#include <pybind11/stl.h>

#include <algorithm>

#include "bodies.h"
#include "convert.h"
#include "module.h"
#include "poses.h"
#include "results.h"
#include "touche/handling.h"
#include "touche/step.h"

namespace touche::python {
namespace {

std::optional<NodeId> parent_of(const py::object& number) {
  if (number.is_none()) return {};
  return node_of(number, "parent");
}

std::vector<NodeId> nodes_of(const py::object& numbers) {
  const py::array_t<std::int64_t> given = integers_of(numbers, "nodes");
  if (given.ndim() != 1) throw InvalidInput("nodes: expected a list of nodes");
  std::vector<NodeId> nodes;
  nodes.reserve(static_cast<std::size_t>(given.size()));
  for (py::ssize_t i = 0; i < given.size(); ++i) {
    const auto number = static_cast<std::uint64_t>(given.data()[i]);
    nodes.push_back({static_cast<Index>(number), static_cast<Index>(number >> 32)});
  }
  return nodes;
}

py::array_t<std::int64_t> numbers_of_nodes(const std::vector<NodeId>& nodes) {
  py::array_t<std::int64_t> made(static_cast<py::ssize_t>(nodes.size()));
  std::int64_t* out = made.mutable_data();
  for (const NodeId id : nodes) *out++ = number_of(id);
  return made;
}

template <class Pairs, class First, class Second>
py::array_t<std::int64_t> pairs_of(const Pairs& pairs, First first, Second second) {
  py::array_t<std::int64_t> made({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
  std::int64_t* out = made.mutable_data();
  for (const auto& pair : pairs) *out++ = first(pair), *out++ = second(pair);
  return made;
}

// ---- worlds -----------------------------------------------------------------------------------

using This = const WorldPointer&;

// The answer of a short query, without the lock of the interpreter.
template <class Query>
auto released(const Query& query) {
  const Unlocked unlocked;
  return query();
}

std::int64_t add(This self, const py::object& body, const py::object& pose, std::uint32_t category,
                 std::uint32_t mask, bool fixed, const py::object& parent, std::string name) {
  const Body& of = body_of(body, "body");
  const Pose at = pose_of(pose, "pose");
  const InUse use(self);
  return number_of(
      self->world.add(of.shape, at, {category, mask, fixed}, parent_of(parent), std::move(name)));
}

py::array_t<double> poses_of_nodes(This self, const py::object& nodes) {
  const std::vector<NodeId> ids = nodes_of(nodes);
  std::vector<Pose> poses;
  poses.reserve(ids.size());
  const InUse use(self);
  for (const NodeId id : ids) poses.push_back(self->world.pose(id));
  return matrices_of(poses);
}

// The indices of nodes, so that each comes after the nodes that it is attached to.
std::vector<std::size_t> parents_first(const World& world, const std::vector<NodeId>& nodes) {
  std::vector<std::size_t> order(nodes.size()), depth(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    order[i] = i;
    for (auto parent = world.parent(nodes[i]); parent; parent = world.parent(*parent)) ++depth[i];
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return depth[i]; });
  return order;
}

// All nodes exist and all poses are valid, or nothing changes.
void set_poses(This self, const py::object& nodes, const py::object& poses, const py::object& order,
               bool are_local) {
  const std::vector<NodeId> ids = nodes_of(nodes);
  const std::vector<Pose> given = poses_of(poses, order_of(order), "poses");
  if (ids.size() != given.size())
    throw InvalidInput("poses: " + std::to_string(given.size()) + ", and there are " +
                       std::to_string(ids.size()) + " nodes");
  const InUse use(self);
  for (const std::size_t i : parents_first(self->world, ids)) {
    if (are_local)
      self->world.set_local_pose(ids[i], given[i]);
    else
      self->world.set_pose(ids[i], given[i]);
  }
}

// What a filter returns.
bool truth_of(const py::object& answer) {
  if (PyBool_Check(answer.ptr()) == 0 && !py::hasattr(answer, "dtype"))
    throw py::type_error("is_pair: expected it to return True or False");
  const int truth = PyObject_IsTrue(answer.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}

void set_pair_filter(This self, const py::object& filter) {
  const InUse use(self);
  if (filter.is_none()) return self->world.set_pair_filter({});
  if (PyCallable_Check(filter.ptr()) == 0)
    throw py::type_error("is_pair: expected a function of two nodes, or None");
  const Callback callback(py::reinterpret_borrow<py::function>(filter));
  const SharedWorld* const world = self.get();  // which has the filter
  self->world.set_pair_filter([callback, world](NodeId a, NodeId b) {
    if (world->cancel && world->cancel->requested()) throw Error("the query was cancelled");
    return callback(
        [&](const py::function& call) { return truth_of(call(number_of(a), number_of(b))); });
  });
}

py::tuple touching_pairs(This self, int threads, const py::object& timeout,
                         const py::object& progress) {
  InUse use(self);
  const TouchingPairs found =
      in_thread(budget_of(py::none(), timeout, progress), [&](const Budget& budget) {
        return self->world.touching_pairs(
            {.threads = checked_threads(threads), .budget = use.with(budget)});
      });
  return py::make_tuple(pairs_of(
                            found.pairs, [](const TouchingPair& p) { return number_of(p.a); },
                            [](const TouchingPair& p) { return number_of(p.b); }),
                        pairs_of(
                            found.pairs, [](const TouchingPair& p) { return number_of(p.face_a); },
                            [](const TouchingPair& p) { return number_of(p.face_b); }),
                        pairs_of(
                            found.undecided, [](const auto& p) { return number_of(p.first); },
                            [](const auto& p) { return number_of(p.second); }),
                        dict_of(found.stats));
}

py::tuple near_pairs(This self, double max_distance, int threads, const py::object& timeout,
                     const py::object& progress) {
  InUse use(self);
  const NearPairs found =
      in_thread(budget_of(py::none(), timeout, progress), [&](const Budget& budget) {
        return self->world.near_pairs(
            max_distance, {.threads = checked_threads(threads), .budget = use.with(budget)});
      });
  const auto count = static_cast<py::ssize_t>(found.pairs.size());
  py::array_t<double> bounds({count, py::ssize_t{2}});
  py::list closest;
  double* bound = bounds.mutable_data();
  for (const NearPair& pair : found.pairs) {
    *bound++ = pair.distance.lower, *bound++ = pair.distance.upper;
    closest.append(contact_or_none(pair.closest));
  }
  return py::make_tuple(pairs_of(
                            found.pairs, [](const NearPair& p) { return number_of(p.a); },
                            [](const NearPair& p) { return number_of(p.b); }),
                        bounds, closest, found.complete, dict_of(found.stats));
}

py::tuple tuple_of(const BodyHit& hit) {
  return py::make_tuple(number_of(hit.body), hit.hit.t, face_or_none(hit.hit.face), hit.hit.side,
                        array_of(hit.hit.point), array_of(hit.normal));
}

py::object cast(This self, const py::object& from, const py::object& to, bool is_segment,
                std::uint32_t mask) {
  const Vec3 start = vector_of(from, is_segment ? "start" : "origin"),
             end = vector_of(to, is_segment ? "end" : "direction");
  const InUse use(self);
  const std::optional<BodyHit> hit = released([&] {
    return is_segment ? self->world.cast_segment({start, end}, mask)
                      : self->world.cast_ray({start, end}, mask);
  });
  return hit ? py::object(tuple_of(*hit)) : py::object(py::none());
}

py::list cast_all(This self, const py::object& from, const py::object& to, bool is_segment,
                  std::uint32_t mask) {
  const Vec3 start = vector_of(from, is_segment ? "start" : "origin"),
             end = vector_of(to, is_segment ? "end" : "direction");
  const InUse use(self);
  const std::vector<BodyHit> hits = released([&] {
    return is_segment ? self->world.all_segment_hits({start, end}, mask)
                      : self->world.all_ray_hits({start, end}, mask);
  });
  py::list list;
  for (const BodyHit& hit : hits) list.append(tuple_of(hit));
  return list;
}

py::tuple tuple_of(const ClosestPoint& closest) {
  return py::make_tuple(face_or_none(closest.face), array_of(closest.point), closest.distance);
}

py::list nearest(This self, const py::object& point, std::size_t count, double max_distance) {
  const Vec3 x = vector_of(point, "point");
  const InUse use(self);
  const std::vector<NearestBody> nearest =
      released([&] { return self->world.nearest(x, count, max_distance); });
  py::list list;
  for (const NearestBody& found : nearest)
    list.append(py::make_tuple(number_of(found.body), tuple_of(found.closest)));
  return list;
}

void add_world(py::module_& m) {
  py::class_<SharedWorld, WorldPointer>(m, "_World")
      .def(py::init([] { return std::make_shared<SharedWorld>(); }))
      .def("add", &add)
      .def("add_group",
           [](This self, const py::object& pose, const py::object& parent, std::string name) {
             const Pose at = pose_of(pose, "pose");
             const InUse use(self);
             return number_of(self->world.add_group(at, parent_of(parent), std::move(name)));
           })
      .def("remove",
           [](This self, const py::object& node) {
             const InUse use(self);
             self->world.remove(node_of(node));
           })
      .def("replace",
           [](This self, const py::object& node, const py::object& body) {
             const InUse use(self);
             self->world.replace(node_of(node), body_of(body, "body").shape);
           })
      .def("has",
           [](This self, const py::object& node) {
             const InUse use(self);
             return self->world.has(node_of(node));
           })
      .def("is_body",
           [](This self, const py::object& node) {
             const InUse use(self);
             return self->world.is_body(node_of(node));
           })
      .def("shape",
           [](This self, const py::object& node) {
             const InUse use(self);
             return object_of(self->world.shape(node_of(node)));
           })
      .def("name",
           [](This self, const py::object& node) {
             const InUse use(self);
             return self->world.name(node_of(node));
           })
      .def("options",
           [](This self, const py::object& node) {
             const InUse use(self);
             const BodyOptions& options = self->world.options(node_of(node));
             return py::make_tuple(options.category, options.mask, options.fixed);
           })
      .def("set_options",
           [](This self, const py::object& node, std::uint32_t category, std::uint32_t mask,
              bool fixed) {
             const InUse use(self);
             self->world.set_options(node_of(node), {category, mask, fixed});
           })
      .def("bodies",
           [](This self) {
             const InUse use(self);
             return numbers_of_nodes(self->world.bodies());
           })
      .def("parent",
           [](This self, const py::object& node) {
             const InUse use(self);
             const std::optional<NodeId> parent = self->world.parent(node_of(node));
             return parent ? py::object(py::int_(number_of(*parent))) : py::object(py::none());
           })
      .def("children",
           [](This self, const py::object& node) {
             const InUse use(self);
             return numbers_of_nodes(self->world.children(node_of(node)));
           })
      .def("attach",
           [](This self, const py::object& node, const py::object& parent, bool keep_local) {
             const InUse use(self);
             const Keep keep = keep_local ? Keep::local_pose : Keep::world_pose;
             if (parent.is_none())
               self->world.detach(node_of(node), keep);
             else
               self->world.attach(node_of(node), node_of(parent, "parent"), keep);
           })
      .def("pose",
           [](This self, const py::object& node) {
             const InUse use(self);
             return self->world.pose(node_of(node));
           })
      .def("local_pose",
           [](This self, const py::object& node) {
             const InUse use(self);
             return self->world.local_pose(node_of(node));
           })
      .def("set_pose",
           [](This self, const py::object& node, const py::object& pose, bool is_local) {
             const Pose at = pose_of(pose, "pose");
             const InUse use(self);
             if (is_local)
               self->world.set_local_pose(node_of(node), at);
             else
               self->world.set_pose(node_of(node), at);
           })
      .def("poses", &poses_of_nodes)
      .def("set_poses", &set_poses)
      .def("set_pair_filter", &set_pair_filter)
      .def("touching_pairs", &touching_pairs)
      .def("near_pairs", &near_pairs)
      .def("touching_body",
           [](This self, const py::object& node) {
             const NodeId id = node_of(node);
             const InUse use(self);
             return numbers_of_nodes(released([&] { return self->world.touching_body(id); }));
           })
      .def("touching_box",
           [](This self, const py::object& lower, const py::object& upper) {
             const Aabb box{vector_of(lower, "lower"), vector_of(upper, "upper")};
             const InUse use(self);
             return numbers_of_nodes(released([&] { return self->world.touching_box(box); }));
           })
      .def("touching_ball",
           [](This self, const py::object& centre, double radius) {
             const Ball ball{vector_of(centre, "centre"), radius};
             const InUse use(self);
             return numbers_of_nodes(released([&] { return self->world.touching_ball(ball); }));
           })
      .def("closest_point",
           [](This self, const py::object& node, const py::object& point, double max_distance) {
             const Vec3 x = vector_of(point, "point");
             const NodeId id = node_of(node);
             const InUse use(self);
             return tuple_of(
                 released([&] { return self->world.closest_point(id, x, max_distance); }));
           })
      .def("nearest", &nearest)
      .def("cast", &cast)
      .def("cast_all", &cast_all);
}

// ---- steppers ---------------------------------------------------------------------------------

struct SharedStepper {
  explicit SharedStepper(WorldPointer w) : world(std::move(w)), stepper(world->world) {}
  WorldPointer world;
  Stepper stepper;
};

py::tuple tuple_of(const StepPair& pair) {
  return py::make_tuple(number_of(pair.a), number_of(pair.b), std::string(name(pair.status)),
                        bracket_of(pair.time), contact_or_none(pair.contact),
                        pair.guess ? py::object(py::float_(*pair.guess)) : py::object(py::none()));
}

py::list list_of(const std::vector<StepPair>& pairs) {
  py::list list;
  for (const StepPair& pair : pairs) list.append(tuple_of(pair));
  return list;
}

py::list list_of(const std::vector<PairEvent>& events) {
  py::list list;
  for (const PairEvent& event : events)
    list.append(py::make_tuple(number_of(event.a), number_of(event.b), event.id));
  return list;
}

py::tuple tuple_of(const PairEvents& events) {
  return py::make_tuple(list_of(events.began), list_of(events.going_on), list_of(events.ended));
}

py::object node_or_none(NodeId id) {
  return id.index == kNone ? py::object(py::none()) : py::object(py::int_(number_of(id)));
}

// Takes (node, motion) pairs, or None.
StepResponse response_of(const py::object& respond) {
  if (PyCallable_Check(respond.ptr()) == 0)
    throw py::type_error("respond: expected a function of a contact");
  const Callback callback(py::reinterpret_borrow<py::function>(respond));
  return [callback](const StepContact& contact) {
    return callback([&](const py::function& call) {
      std::vector<GroupMotion> motions;
      const py::object given = call(py::make_tuple(
          tuple_of(contact.pair), node_or_none(contact.group_a), node_or_none(contact.group_b),
          contact.pose_a, contact.pose_b, object_of(contact.rest_a), object_of(contact.rest_b)));
      if (given.is_none()) return motions;
      for (const py::handle item : given) {
        const py::tuple pair(py::reinterpret_borrow<py::object>(item));
        if (pair.size() != 2)
          throw py::type_error("respond: expected it to return pairs of a node and a motion");
        motions.push_back({node_of(pair[0].cast<py::object>()),
                           motion_of(pair[1].cast<py::object>(), "the motion of a response")});
      }
      return motions;
    });
  };
}

py::tuple run(SharedStepper& self, const std::vector<std::pair<py::object, py::object>>& targets,
              double tolerance, double clearance, const std::string& policy,
              const py::object& respond, const py::object& max_work, const py::object& timeout,
              const std::string& share, const py::object& viewer, const std::string& guess,
              bool events, double near_distance, int threads, bool goes_on) {
  StepOptions options{.tolerance = tolerance,
                      .clearance = clearance,
                      .policy = named<StepPolicy>(policy, "policy"),
                      .share = named<BudgetShare>(share, "share"),
                      .viewer = vector_of(viewer, "viewer", Vec3::Zero()),
                      .guess = named<Guess>(guess, "guess"),
                      .threads = checked_threads(threads),
                      .events = events,
                      .near_distance = near_distance};
  if (!respond.is_none()) options.respond = response_of(respond);
  std::vector<std::pair<NodeId, Pose>> moves;
  moves.reserve(targets.size());
  for (const auto& [node, pose] : targets)
    moves.emplace_back(node_of(node), pose_of(pose, "targets"));
  const InUse use(self.world);
  World& world = self.world->world;
  for (const auto& [node, pose] : moves) (void)world.pose(node);  // all exist, or none moves
  for (const auto& [node, pose] : moves)
    self.stepper.move(node, Motion::interpolated(world.pose(node), pose));
  const StepResult result =
      in_thread(budget_of(max_work, timeout), [&](const Budget& budget) -> StepResult {
        options.budget = budget;
        return goes_on ? self.stepper.go_on(options) : self.stepper.run(options);
      });
  py::list groups;
  for (const StepGroup& group : result.groups)
    groups.append(py::make_tuple(number_of(group.node), group.reached, number_of(group.contact)));
  return py::make_tuple(groups, list_of(result.contacts), list_of(result.undecided),
                        bracket_of(result.time), tuple_of(result.contact_events),
                        tuple_of(result.near_events), dict_of(result.stats.queries));
}

void add_stepper(py::module_& m) {
  py::class_<SharedStepper>(m, "_Stepper")
      .def(py::init([](This world) {
        const InUse use(world);
        return std::make_unique<SharedStepper>(world);
      }))
      .def("move",
           [](SharedStepper& self, const py::object& node, const py::object& motion) {
             const Motion given = motion_of(motion, "motion");
             const InUse use(self.world);
             self.stepper.move(node_of(node), given);
           })
      .def("run", &run)
      .def("forget",
           [](SharedStepper& self) {
             const InUse use(self.world);
             self.stepper.forget();
           })
      .def("record", [](SharedStepper& self, const std::string& file) {
        const InUse use(self.world);
        self.stepper.record(file);
      });
}

// ---- hands ------------------------------------------------------------------------------------

struct SharedHandling {
  SharedHandling(WorldPointer w, NodeId held, const HandlingOptions& options)
      : world(std::move(w)), handling(world->world, held, options) {}
  WorldPointer world;
  Handling handling;
};

py::tuple step(SharedHandling& self, const py::object& target, const py::object& timeout) {
  const Pose wanted = pose_of(target, "target");
  const InUse use(self.world);
  // The step has no flag to cancel it: a deadline, or what its options allow, ends it.
  const HandlingStep found =
      in_thread(budget_of(py::none(), timeout), [&](const Budget& budget) -> HandlingStep {
        return self.handling.step(wanted, budget.deadline);
      });
  py::list motions, contacts;
  for (const Motion& motion : found.motions) motions.append(object_of(motion));
  for (const HandlingContact& c : found.contacts)
    contacts.append(
        py::make_tuple(number_of(c.held), number_of(c.other), c.contact, array_of(c.force)));
  return py::make_tuple(std::string(name(found.status)), found.complete, found.pose,
                        array_of(found.force), array_of(found.torque), array_of(found.centre),
                        found.distance_left, found.angle_left, motions, contacts);
}

void add_handling(py::module_& m) {
  py::class_<SharedHandling>(m, "_Handling")
      .def(py::init([](This world, const py::object& held, double tolerance, double clearance,
                       double max_distance, double stiffness, double friction, int max_rounds,
                       double least_gain, const py::object& max_work, int threads) {
        const HandlingOptions options{.tolerance = tolerance,
                                      .clearance = clearance,
                                      .max_distance = max_distance,
                                      .stiffness = stiffness,
                                      .friction = friction,
                                      .max_rounds = max_rounds,
                                      .least_gain = least_gain,
                                      .budget = budget_of(max_work, py::none()),
                                      .threads = checked_threads(threads)};
        const InUse use(world);
        return std::make_unique<SharedHandling>(world, node_of(held, "held"), options);
      }))
      .def("step", &step);
}

}  // namespace

NodeId node_of(py::handle number, const char* what) {
  const bool is_truth = PyBool_Check(number.ptr()) != 0;
  const py::object whole =
      py::reinterpret_steal<py::object>(is_truth ? nullptr : PyNumber_Index(number.ptr()));
  if (!whole) {
    PyErr_Clear();
    throw py::type_error(std::string(what) + ": expected a node, as World.add returns it");
  }
  const long long value = PyLong_AsLongLong(whole.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) PyErr_Clear();
  const auto bits = static_cast<std::uint64_t>(value);
  return {static_cast<Index>(bits), static_cast<Index>(bits >> 32)};
}

InUse::InUse(const WorldPointer& shared) : shared_(shared), lock_(shared->mutex, std::defer_lock) {
  constexpr const char* kCalled = "a world cannot be used by a function that a query of it calls";
  if (shared->user.load() == std::this_thread::get_id()) throw Error(kCalled);
  if (!lock_.try_lock()) {
    if (Callback::is_running()) throw Error(kCalled);
    for (;;) {
      bool is_mine = false;
      {
        const Unlocked unlocked;
        is_mine = lock_.try_lock_for(std::chrono::milliseconds(10));
      }
      if (is_mine) break;
      if (!Unlocked::are_allowed()) throw Error("a world is in use, and the interpreter ends");
      check_signals();
    }
  }
  shared->user = std::this_thread::get_id();
}

InUse::~InUse() {
  shared_->cancel.reset();
  shared_->user = std::thread::id();
}

void add_worlds(py::module_& m) {
  add_world(m);
  add_stepper(m);
  add_handling(m);
}

}  // namespace touche::python
