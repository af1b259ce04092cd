// SPDX-License-Identifier: Apache-2.0
// Reads a scene file (docs/scene.schema.json).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "io/readers.h"
#include "study/fingerprint.h"
#include "study/input_file.h"
#include "study/mesh_input.h"
#include "study/motion_input.h"
#include "study/shape_input.h"
#include "touche/io.h"
#include "touche/shape_file.h"
#include "touche/simulation.h"

namespace touche {
namespace {

using study::JsonCursor;

// A recorded pose takes 64 bytes; this many take 2.4 GB.
constexpr double kMostPoses = 4e7;

struct Unit {
  std::string_view name;
  double metres;
};
constexpr std::array<Unit, 6> kUnits = {
    {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}}};

double non_negative(const JsonCursor& where) {
  const double value = where.number();
  if (value < 0) where.fail(fmt::format("{}, expected 0 or more", value));
  return value;
}

double share(const JsonCursor& where) {
  const double value = where.number();
  if (value < 0 || value > 1) where.fail(fmt::format("{}, expected 0 to 1", value));
  return value;
}

// Values for bodies that do not give their own.
struct Defaults {
  std::optional<double> density;
  double friction = 0, restitution = 0;
};

Mat3 read_inertia(const JsonCursor& where) {
  const std::vector<JsonCursor> rows = where.items(3);
  if (rows.size() != 3) where.fail(fmt::format("{} rows, expected 3", rows.size()));
  Mat3 inertia;
  for (int i = 0; i < 3; ++i) inertia.row(i) = rows[static_cast<std::size_t>(i)].vector();
  return inertia;
}

MassProperties read_mass_properties(const JsonCursor& where) {
  where.expect_keys({"mass", "centre", "inertia"});
  MassProperties made;
  made.mass = where.at("mass").positive_number();
  if (const auto centre = where.find("centre")) made.centre = centre->vector();
  made.inertia = read_inertia(where.at("inertia"));
  try {
    validate(made);
  } catch (const InvalidInput& e) {
    where.fail(e.what());
  }
  return made;
}

class SceneReader {
 public:
  SceneReader(std::string_view json, const std::filesystem::path& file)
      : root_(JsonCursor::parse(json, file.string())), folder_(file.parent_path()) {
    scene_.file = file;
    scene_.fingerprint = study::fingerprint(json.data(), json.size());
  }

  Simulation read() {
    if (root_.has("touche_study"))
      root_.fail("this is a study, for touche study; expected the scene of a simulation");
    root_.expect_keys({"$schema", "touche_scene", "title", "comment", "unit", "gravity", "duration",
                       "time_step", "tolerance", "density", "friction", "restitution", "bodies",
                       "forces", "joints"});
    if (const auto version = root_.at("touche_scene"); version.number() != 1)
      version.fail(fmt::format("format version {}, expected 1", version.number()));
    if (const auto title = root_.find("title")) scene_.title = title->text();
    if (const auto comment = root_.find("comment")) comment->text();
    read_unit(root_.at("unit"));
    if (const auto gravity = root_.find("gravity")) scene_.gravity = gravity->vector();
    scene_.duration = root_.at("duration").positive_number();
    if (const auto step = root_.find("time_step")) scene_.time_step = step->positive_number();
    scene_.tolerance = root_.at("tolerance").positive_number();
    if (const auto density = root_.find("density")) defaults_.density = density->positive_number();
    if (const auto friction = root_.find("friction")) defaults_.friction = non_negative(*friction);
    if (const auto bounce = root_.find("restitution")) defaults_.restitution = share(*bounce);
    for (const JsonCursor& entry : root_.at("bodies").items(1)) read_body(entry);
    if (const auto forces = root_.find("forces"))
      for (const JsonCursor& entry : forces->items(0)) read_force(entry);
    if (const auto joints = root_.find("joints"))
      for (const JsonCursor& entry : joints->items(0)) read_joint(entry);
    const double poses =
        scene_.duration / scene_.time_step * static_cast<double>(scene_.bodies.size());
    if (!(poses <= kMostPoses))
      root_.at("duration")
          .fail(
              fmt::format("{:.3g} poses of all bodies, more than {:.3g}: expected fewer time steps",
                          poses, kMostPoses));
    return std::move(scene_);
  }

 private:
  void read_unit(const JsonCursor& where) {
    scene_.unit = where.text();
    try {
      (void)metres_per_unit(scene_.unit);
    } catch (const InvalidInput& e) {
      where.fail(e.what());
    }
  }

  void read_body(const JsonCursor& where) {
    where.expect_keys({"name", "file", "box", "shape", "scale", "unit", "up", "weld", "stretch",
                       "pose", "fixed", "density", "mass", "mass_properties", "friction",
                       "restitution", "velocity", "angular_velocity"});
    SimulationBody body;
    body.name = where.at("name").text();
    if (!numbers_.emplace(body.name, scene_.bodies.size()).second)
      where.at("name").fail(fmt::format("the name \"{}\" is there twice", body.name));
    body.mesh = mesh_of(where);
    if (const auto pose = where.find("pose")) body.pose = study::read_pose(*pose, &scene_.remarks);
    if (const auto fixed = where.find("fixed")) body.fixed = fixed->boolean();
    if (!body.fixed && scene_.meshes[body.mesh].is_half_space())
      where.at(where.has("shape") ? "shape" : "file")
          .fail("a half space does not move: expected \"fixed\": true beside it");
    read_mass(where, body);
    const auto friction = where.find("friction"), bounce = where.find("restitution");
    body.friction = friction ? non_negative(*friction) : defaults_.friction;
    body.restitution = bounce ? share(*bounce) : defaults_.restitution;
    for (const auto& [key, value] : {std::pair{"velocity", &body.velocity},
                                     std::pair{"angular_velocity", &body.angular_velocity}})
      if (const auto found = where.find(key)) {
        if (body.fixed) found->fail("the body is fixed");
        *value = found->vector();
      }
    scene_.bodies.push_back(std::move(body));
  }

  // The number of the mesh, which bodies of the same shape share.
  std::size_t mesh_of(const JsonCursor& where) {
    SimulationMesh mesh;
    std::string content;  // of a convex shape
    const auto file = where.find("file"), box = where.find("box"), shape = where.find("shape");
    if (int{file.has_value()} + int{box.has_value()} + int{shape.has_value()} != 1)
      where.fail("expected either \"file\", \"box\" or \"shape\"");
    mesh.place = where.path() + (file ? "/file" : box ? "/box" : "/shape");
    PartName name = file ? parse_part_name(file->text()) : PartName{};
    const bool in_file = is_named_json(name.file);  // a shape
    if (in_file) {
      scene_.inputs.push_back(folder_ / name.file);
      content = take(study::read_shape_file(scene_.inputs.back()), mesh);
      if (mesh.shape) mesh.file = folder_ / name.file;
    } else if (file) {
      mesh.file = folder_ / name.file;
      mesh.node = std::move(name.node);
    } else if (box) {
      mesh.box = box->vector();
      if (!(mesh.box.array() > 0).all()) box->fail("expected lengths greater than 0");
    } else {
      study::ShapeInput input = study::read_shape(*shape, folder_);
      if (!input.shape) mesh.place += "/file";
      content = take(std::move(input), mesh);
    }
    for (const char* key : {"scale", "unit", "up", "weld", "stretch"})
      if (const auto of_file = where.find(key)) {
        if (!file) of_file->fail(fmt::format("given together with \"{}\"", box ? "box" : "shape"));
        if (in_file)
          of_file->fail("a shape is neither scaled nor mirrored, and turned by its pose only");
      }
    if (file && !in_file) {
      mesh.scale = study::read_scale(where, scene_.unit);
      mesh.has_unit = where.has("scale") || where.has("unit");
      mesh.up = study::read_up(where);
      mesh.weld = study::read_weld(where);
      mesh.stretch = study::read_stretch(where);
    }
    // The mesh that shows a half space depends on its body.
    if (mesh.is_half_space()) content += where.path();
    const auto [entry, is_new] = shapes_.try_emplace(
        Key{mesh.file, mesh.node, mesh.scale, mesh.up, mesh.weld, mesh.stretch.x(),
            mesh.stretch.y(), mesh.stretch.z(), mesh.box.x(), mesh.box.y(), mesh.box.z(), content},
        scene_.meshes.size());
    if (is_new) scene_.meshes.push_back(std::move(mesh));
    return entry->second;
  }

  static std::string take(study::ShapeInput input, SimulationMesh& mesh) {
    mesh.shape = std::move(input.shape);
    if (!mesh.shape) {
      mesh.file = std::move(input.file);
      mesh.node = std::move(input.node);
      mesh.scale = input.scale;
      mesh.up = input.up;
      mesh.stretch = input.stretch;
      mesh.hull_rounded_by = input.rounded;
    }
    return std::move(input.content);
  }

  void read_mass(const JsonCursor& where, SimulationBody& body) {
    const auto density = where.find("density"), mass = where.find("mass"),
               properties = where.find("mass_properties");
    const JsonCursor* first = nullptr;
    for (const auto* given : {&density, &mass, &properties}) {
      if (!*given) continue;
      if (body.fixed) (*given)->fail("the body is fixed");
      if (first != nullptr) (*given)->fail(fmt::format("given together with {}", first->path()));
      first = &**given;
    }
    if (body.fixed) return;
    if (mass) {
      body.mass = SimulationBody::Mass{mass->positive_number()};
    } else if (properties) {
      body.mass = read_mass_properties(*properties);
    } else if (density) {
      body.mass = SimulationBody::Density{density->positive_number()};
    } else if (defaults_.density) {
      body.mass = SimulationBody::Density{*defaults_.density};
    } else {
      where.fail("expected one of: density, mass, mass_properties, fixed; or a density of all");
    }
  }

  std::size_t body_named(const JsonCursor& name) const {
    const auto found = numbers_.find(name.text());
    if (found == numbers_.end())
      name.fail(fmt::format("there is no body named \"{}\"", name.text()));
    return found->second;
  }

  void read_joint(const JsonCursor& where) {
    where.expect_keys({"type", "body", "to", "point", "axis", "limits", "motor", "contacts"});
    SimulationJoint joint;
    const JsonCursor type = where.at("type");
    const auto known = std::find(kNames<JointType>.begin(), kNames<JointType>.end(), type.text());
    if (known == kNames<JointType>.end())
      type.fail(fmt::format("\"{}\", expected one of: fixed, ball, hinge, slider", type.text()));
    joint.type = static_cast<JointType>(known - kNames<JointType>.begin());
    joint.body = body_named(where.at("body"));
    if (const auto to = where.find("to")) {
      joint.to = body_named(*to);
      if (*joint.to == joint.body) to->fail("the joint of a body to itself");
    }
    if (scene_.bodies[joint.body].fixed && (!joint.to || scene_.bodies[*joint.to].fixed))
      where.fail("a joint without a body that moves");
    joint.point = where.at("point").vector();
    if (joint.type == JointType::hinge || joint.type == JointType::slider)
      read_free_joint(where, joint);
    else
      for (const char* key : {"axis", "limits", "motor"})
        if (const auto found = where.find(key)) found->fail("only hinges and sliders have one");
    if (const auto contacts = where.find("contacts")) joint.contacts = contacts->boolean();
    scene_.joints.push_back(joint);
  }

  static void read_free_joint(const JsonCursor& where, SimulationJoint& joint) {
    const JsonCursor axis = where.at("axis");
    joint.axis = axis.vector();
    if (!(joint.axis.stableNorm() > 0)) axis.fail("expected a vector longer than 0");
    if (const auto limits = where.find("limits")) {
      const std::vector<JsonCursor> ends = limits->items(2);
      if (ends.size() != 2) limits->fail("expected the least and the most");
      joint.least = ends[0].number();
      joint.most = ends[1].number();
      if (joint.least > 0 || joint.most < 0) limits->fail("expected limits with 0 in between");
    }
    if (const auto motor = where.find("motor")) {
      motor->expect_keys({"speed", "strength"});
      joint.motor_speed = motor->at("speed").number();
      joint.motor_strength = non_negative(motor->at("strength"));
    }
  }

  void read_force(const JsonCursor& where) {
    where.expect_keys({"body", "force", "torque", "start", "end"});
    SimulationForce force;
    const JsonCursor name = where.at("body");
    force.body = body_named(name);
    if (scene_.bodies[force.body].fixed) name.fail("the body is fixed");
    const auto push = where.find("force"), turn = where.find("torque");
    if (!push && !turn) where.fail("expected \"force\", \"torque\" or both");
    if (push) force.force = push->vector();
    if (turn) force.torque = turn->vector();
    force.end = scene_.duration;
    if (const auto start = where.find("start")) force.start = non_negative(*start);
    if (const auto end = where.find("end")) {
      force.end = end->number();
      if (!(force.end > force.start)) end->fail("expected later than its start");
    }
    scene_.forces.push_back(force);
  }

  using Key = std::tuple<std::filesystem::path, std::string, double, std::optional<UpAxis>,
                         std::optional<double>, double, double, double, double, double, double,
                         std::string>;

  const JsonCursor root_;
  const std::filesystem::path folder_;
  Simulation scene_;
  Defaults defaults_;
  std::map<std::string, std::size_t> numbers_;  // of bodies, by their names
  std::map<Key, std::size_t> shapes_;
};

}  // namespace

double metres_per_unit(std::string_view unit) {
  for (const Unit& known : kUnits)
    if (known.name == unit) return known.metres;
  throw InvalidInput(
      fmt::format("unknown unit \"{}\"; expected one of: m, cm, mm, um, in, ft", unit));
}

std::size_t step_count(const Simulation& simulation) {
  // A last step that consists of rounding errors only is not counted.
  return static_cast<std::size_t>(
      std::max(1.0, std::ceil(simulation.duration / simulation.time_step * (1 - 1e-12))));
}

Simulation parse_simulation(std::string_view json, const std::filesystem::path& file) {
  return SceneReader(json, file).read();
}

Simulation load_simulation(const std::filesystem::path& file) {
  study::refuse_meshes(file, "scene");
  return parse_simulation(io::read_file(file), file);
}

}  // namespace touche
