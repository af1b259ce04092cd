// SPDX-License-Identifier: Apache-2.0
#include "case.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace touche::bench {
namespace {

constexpr const char* kMagic = "touche-ccd 1";

std::string text(const Vec3& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

std::string text(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  return fmt::format("{} {:.17g} {:.17g} {:.17g} {:.17g}", text(pose.translation()), q.w(), q.x(),
                     q.y(), q.z());
}

std::string text(const CcdMotion& m) {
  switch (m.kind) {
    case CcdMotion::Kind::still:
      return "still " + text(m.start);
    case CcdMotion::Kind::linear:
      return "linear " + text(m.start) + " " + text(m.end);
    case CcdMotion::Kind::screw:
      return fmt::format("screw {} {} {} {:.17g} {:.17g}", text(m.start), text(m.point),
                         text(m.axis), m.angle, m.travel);
  }
  return "";
}

void write(std::ofstream& out, const char* name, const PolygonSoup& soup) {
  out << name << ' ' << soup.vertex_count() << ' ' << soup.triangle_count() << '\n';
  for (const Vec3& v : soup.vertices()) out << text(v) << '\n';
  for (const auto& t : soup.triangles()) out << t[0] << ' ' << t[1] << ' ' << t[2] << '\n';
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file), in_(file) {
    if (!in_) throw Error(file.string() + ": cannot be read");
    next_line();
    if (line_ != kMagic) fail("this is not a benchmark of version 1");
  }

  std::vector<CcdCase> read() {
    std::vector<CcdCase> cases;
    while (next_line()) cases.push_back(read_case());
    return cases;
  }

 private:
  CcdCase read_case() {
    CcdCase scene;
    scene.family = expect("case");
    words_ >> scene.name;
    next_line();
    scene.a = read_soup("a");
    next_line();
    scene.b = read_soup("b");
    next_line();
    scene.motion_a = read_motion("motion-a");
    next_line();
    scene.motion_b = read_motion("motion-b");
    next_line();
    scene.tolerance = number(expect("tolerance"));
    next_line();
    const std::string truth = expect("truth");
    scene.contact = truth == "contact";
    if (scene.contact) {
      scene.time.lower = number();
      scene.time.upper = number();
    } else if (truth == "free") {
      scene.distance = number();
    } else {
      fail("expected contact or free");
    }
    return scene;
  }

  PolygonSoup read_soup(const char* name) {
    const auto vertices = static_cast<std::size_t>(number(expect(name)));
    const auto triangles = static_cast<std::size_t>(number());
    std::vector<double> coordinates;
    std::vector<Index> corners;
    for (std::size_t i = 0; i < vertices; ++i) {
      next_line();
      for (int k = 0; k < 3; ++k) coordinates.push_back(number());
    }
    for (std::size_t i = 0; i < triangles; ++i) {
      next_line();
      for (int k = 0; k < 3; ++k) corners.push_back(static_cast<Index>(number()));
    }
    return {coordinates, corners};
  }

  CcdMotion read_motion(const char* name) {
    const std::string kind = expect(name);
    CcdMotion motion;
    motion.start = pose();
    if (kind == "linear") {
      motion.kind = CcdMotion::Kind::linear;
      motion.end = pose();
    } else if (kind == "screw") {
      motion.kind = CcdMotion::Kind::screw;
      motion.point = vector();
      motion.axis = vector();
      motion.angle = number();
      motion.travel = number();
    } else if (kind != "still") {
      fail("expected still, linear or screw");
    }
    return motion;
  }

  Pose pose() {
    const Vec3 translation = vector();
    const double w = number(), x = number(), y = number();
    return Pose::from_quaternion(w, x, y, number(), translation);
  }
  Vec3 vector() {
    const double x = number(), y = number();
    return {x, y, number()};
  }
  double number() {
    std::string word;
    words_ >> word;
    return number(word);
  }
  double number(const std::string& word) const {
    try {
      std::size_t used = 0;
      const double x = std::stod(word, &used);
      if (used == word.size()) return x;
    } catch (const std::exception&) {
    }
    fail("\"" + word + "\" is not a number");
  }
  /// The word after the one expected.
  std::string expect(const char* what) {
    std::string word, value;
    words_ >> word >> value;
    if (word != what) fail(std::string("expected ") + what);
    return value;
  }
  bool next_line() {
    while (std::getline(in_, line_)) {
      ++number_;
      if (line_.empty() || line_[0] == '#') continue;
      words_ = std::istringstream(line_);
      return true;
    }
    line_.clear();
    words_ = std::istringstream();
    return false;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(fmt::format("{}:{}: {}", file_.string(), number_, why));
  }

  std::filesystem::path file_;
  std::ifstream in_;
  std::string line_;
  std::istringstream words_;
  int number_ = 0;
};

}  // namespace

Motion CcdMotion::motion() const {
  switch (kind) {
    case Kind::still:
      return Motion::at(start);
    case Kind::linear:
      return Motion::interpolated(start, end);
    case Kind::screw:
      return Motion::screw(start, point, axis, angle, travel);
  }
  return Motion::at(start);
}

std::vector<CcdCase> read_ccd(const std::filesystem::path& file) { return Reader(file).read(); }

void write_ccd(const std::vector<CcdCase>& cases, const std::filesystem::path& file) {
  std::ofstream out(file);
  out << kMagic << '\n';
  for (const CcdCase& scene : cases) {
    out << "case " << scene.family << ' ' << scene.name << '\n';
    write(out, "a", scene.a);
    write(out, "b", scene.b);
    out << "motion-a " << text(scene.motion_a) << '\n';
    out << "motion-b " << text(scene.motion_b) << '\n';
    out << fmt::format("tolerance {:.17g}\n", scene.tolerance);
    out << (scene.contact
                ? fmt::format("truth contact {:.17g} {:.17g}\n", scene.time.lower, scene.time.upper)
                : fmt::format("truth free {:.17g}\n", scene.distance));
  }
  if (!out.flush()) throw Error(file.string() + ": cannot be written");
}

}  // namespace touche::bench
