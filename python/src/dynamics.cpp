// SPDX-License-Identifier: Apache-2.0
// Rigid bodies under forces.
#include "touche/dynamics.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "convert.h"
#include "module.h"
#include "poses.h"
#include "worlds.h"

namespace touche::python {
namespace {

struct SharedDynamics {
  SharedDynamics(WorldPointer w, const DynamicsOptions& options)
      : world(std::move(w)), dynamics(world->world, options) {}
  WorldPointer world;
  Dynamics dynamics;
};
using This = SharedDynamics&;
using python::number_of;  // of nodes

std::int64_t number_of(JointId id) {
  return static_cast<std::int64_t>(id.generation) << 32 | id.index;
}
JointId joint_of(const py::object& number) {
  const NodeId id = node_of(number, "joint");
  return {id.index, id.generation};
}

MassProperties mass_of(const py::object& mass, const py::object& centre,
                       const py::object& inertia) {
  MassProperties made{.mass = mass.cast<double>(), .centre = vector_of(centre, "centre")};
  const py::array_t<double> rows = rows_of_three(inertia, "inertia");
  if (rows.shape(0) != 3) throw InvalidInput("inertia: expected shape (3, 3)");
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) made.inertia(r, c) = rows.at(r, c);
  return made;
}

void add_node(This self, const py::object& node, const py::object& density, const py::object& mass,
              const py::object& linear, const py::object& angular) {
  const Velocity velocity{vector_of(linear, "velocity", Vec3::Zero()),
                          vector_of(angular, "angular_velocity", Vec3::Zero())};
  const NodeId id = node_of(node);
  if (mass.is_none()) {
    const double given = PyFloat_AsDouble(density.ptr());
    if (given == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw py::type_error("density: expected a number");
    }
    const InUse use(self.world);
    return self.dynamics.add(id, given, velocity);
  }
  const auto numbers = mass.cast<py::tuple>();
  const MassProperties given = mass_of(numbers[0].cast<py::object>(), numbers[1].cast<py::object>(),
                                       numbers[2].cast<py::object>());
  const InUse use(self.world);
  self.dynamics.add(id, given, velocity);
}

std::int64_t join(This self, const std::string& type, const py::object& a, const py::object& b,
                  const py::object& point, const py::object& axis, double least, double most,
                  double speed, double strength, bool contacts) {
  Joint joint{.type = named<JointType>(type, "type"),
              .point = vector_of(point, "point", Vec3::Zero()),
              .axis = vector_of(axis, "axis", Vec3::UnitZ()),
              .least = least,
              .most = most,
              .motor = {speed, strength},
              .contacts = contacts};
  if (!a.is_none()) joint.a = node_of(a, "a");
  if (!b.is_none()) joint.b = node_of(b, "b");
  const InUse use(self.world);
  return number_of(self.dynamics.join(joint));
}

py::tuple tuple_of(const Impact& i) {
  return py::make_tuple(number_of(i.a), number_of(i.b), i.time, array_of(i.point),
                        array_of(i.normal), array_of(i.impulse), i.speed);
}
py::tuple tuple_of(const RestingContact& c) {
  return py::make_tuple(number_of(c.a), number_of(c.b), array_of(c.point), array_of(c.normal),
                        c.distance, array_of(c.force), c.time);
}
py::tuple tuple_of(const LostTime& l) {
  return py::make_tuple(number_of(l.node), l.time, l.turning);
}
py::tuple tuple_of(const std::pair<NodeId, NodeId>& pair) {
  return py::make_tuple(number_of(pair.first), number_of(pair.second));
}

template <class Item>
py::list list_of(const std::vector<Item>& items) {
  py::list list;
  for (const Item& item : items) list.append(tuple_of(item));
  return list;
}

py::tuple step(This self, double dt) {
  const InUse use(self.world);
  const DynamicsResult result =
      in_thread({}, [&](const Budget&) -> DynamicsResult { return self.dynamics.step(dt); });
  return py::make_tuple(list_of(result.impacts), list_of(result.contacts), list_of(result.lost),
                        list_of(result.stuck), list_of(result.unresolved));
}

py::tuple velocity(This self, const py::object& node) {
  const InUse use(self.world);
  const Velocity now = self.dynamics.velocity(node_of(node));
  return py::make_tuple(array_of(now.linear), array_of(now.angular));
}

py::tuple joint_state(This self, const py::object& joint) {
  const InUse use(self.world);
  const JointState now = self.dynamics.joint_state(joint_of(joint));
  return py::make_tuple(now.position, now.speed, array_of(now.force), array_of(now.torque),
                        now.drift, now.tilt);
}

}  // namespace

void add_dynamics(py::module_& m) {
  py::class_<SharedDynamics>(m, "_Dynamics")
      .def(py::init([](const WorldPointer& world, double tolerance, const py::object& gravity,
                       double friction, double restitution, int iterations, double sleep_time,
                       int threads) {
        const DynamicsOptions options{.tolerance = tolerance,
                                      .gravity = vector_of(gravity, "gravity", Vec3::Zero()),
                                      .surface = {restitution, friction},
                                      .iterations = iterations,
                                      .threads = checked_threads(threads),
                                      .sleep_time = sleep_time};
        const InUse use(world);
        return std::make_unique<SharedDynamics>(world, options);
      }))
      .def("add", &add_node)
      .def("remove",
           [](This self, const py::object& node) {
             const InUse use(self.world);
             self.dynamics.remove(node_of(node));
           })
      .def("is_dynamic",
           [](This self, const py::object& node) {
             const InUse use(self.world);
             return self.dynamics.is_dynamic(node_of(node));
           })
      .def("nodes",
           [](This self) {
             const InUse use(self.world);
             py::list list;
             for (const NodeId id : self.dynamics.nodes()) list.append(number_of(id));
             return list;
           })
      .def("mass",
           [](This self, const py::object& node) {
             const InUse use(self.world);
             return self.dynamics.mass(node_of(node)).mass;
           })
      .def("set_surface",
           [](This self, const py::object& body, const std::optional<double>& friction,
              const std::optional<double>& restitution) {
             const NodeId id = node_of(body);
             const InUse use(self.world);
             Surface surface = self.dynamics.surface(id);
             if (friction) surface.friction = *friction;
             if (restitution) surface.restitution = *restitution;
             self.dynamics.set_surface(id, surface);
           })
      .def("set_gravity",
           [](This self, const py::object& gravity) {
             const Vec3 given = vector_of(gravity, "gravity");
             const InUse use(self.world);
             self.dynamics.set_gravity(given);
           })
      .def("set_velocity",
           [](This self, const py::object& node, const py::object& linear,
              const py::object& angular) {
             const NodeId id = node_of(node);
             const InUse use(self.world);
             const Velocity now = self.dynamics.velocity(id);
             self.dynamics.set_velocity(id, {vector_of(linear, "linear", now.linear),
                                             vector_of(angular, "angular", now.angular)});
           })
      .def("velocity", &velocity)
      .def("is_asleep",
           [](This self, const py::object& node) {
             const InUse use(self.world);
             return self.dynamics.is_asleep(node_of(node));
           })
      .def("wake",
           [](This self, const py::object& node) {
             const InUse use(self.world);
             self.dynamics.wake(node_of(node));
           })
      .def("apply_force",
           [](This self, const py::object& node, const py::object& force, const py::object& point) {
             const Vec3 given = vector_of(force, "force");
             const InUse use(self.world);
             if (point.is_none())
               self.dynamics.apply_force(node_of(node), given);
             else
               self.dynamics.apply_force(node_of(node), given, vector_of(point, "point"));
           })
      .def("apply_torque",
           [](This self, const py::object& node, const py::object& torque) {
             const Vec3 given = vector_of(torque, "torque");
             const InUse use(self.world);
             self.dynamics.apply_torque(node_of(node), given);
           })
      .def("apply_impulse",
           [](This self, const py::object& node, const py::object& impulse,
              const py::object& point) {
             const Vec3 given = vector_of(impulse, "impulse"), at = vector_of(point, "point");
             const InUse use(self.world);
             self.dynamics.apply_impulse(node_of(node), given, at);
           })
      .def("move",
           [](This self, const py::object& node, const py::object& motion) {
             const Motion given = motion_of(motion, "motion");
             const InUse use(self.world);
             self.dynamics.move(node_of(node), given);
           })
      .def("join", &join)
      .def("remove_joint",
           [](This self, const py::object& joint) {
             const InUse use(self.world);
             self.dynamics.remove(joint_of(joint));
           })
      .def("joints",
           [](This self) {
             const InUse use(self.world);
             py::list list;
             for (const JointId id : self.dynamics.joints()) list.append(number_of(id));
             return list;
           })
      .def("set_motor",
           [](This self, const py::object& joint, double speed, double strength) {
             const InUse use(self.world);
             self.dynamics.set_motor(joint_of(joint), {speed, strength});
           })
      .def("joint_state", &joint_state)
      .def("step", &step)
      .def("last_motion",
           [](This self, const py::object& node) {
             const InUse use(self.world);
             return object_of(self.dynamics.last_motion(node_of(node)));
           })
      .def("energies",
           [](This self) {
             const InUse use(self.world);
             return py::make_tuple(self.dynamics.kinetic_energy(),
                                   self.dynamics.potential_energy());
           })
      .def("momenta", [](This self) {
        const InUse use(self.world);
        return py::make_tuple(array_of(self.dynamics.momentum()),
                              array_of(self.dynamics.angular_momentum()));
      });
}

}  // namespace touche::python
