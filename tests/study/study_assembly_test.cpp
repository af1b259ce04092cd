// SPDX-License-Identifier: Apache-2.0
// Studies whose parts are nodes of one assembly.
#include <gtest/gtest.h>

#include <algorithm>

#include "study/describe.h"
#include "study_files.h"
#include "touche/io.h"
#include "touche/mass.h"
#include "touche/study.h"

namespace touche {
namespace {

using test::box_study;
using test::StudyFolder;

// Two triangles of one geometry, the second 3 further along x, in mm.
constexpr const char* kAssembly = R"(<COLLADA><asset><unit meter="0.001"/></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="9">
0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#a" count="3" stride="3">
<param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node name="frame">
<node name="bar 1"><instance_geometry url="#g"/></node>
<node name="bar 2"><translate>3 0 0</translate><instance_geometry url="#g"/></node>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>)";

Study study_of(const StudyFolder& folder, const std::string& first, const std::string& second) {
  folder.write("frame.dae", kAssembly);
  test::Json json = box_study();
  json["parts"][0]["file"] = first;
  json["parts"][1]["file"] = second;
  for (auto& part : json["parts"]) part["scale"] = 1000;
  return parse_study(json.dump(), folder.path() / "study.json");
}

TEST(StudyAssembly, PartsAreNodesOfOneFile) {
  const StudyFolder folder("assembly");
  const Study study = study_of(folder, "frame.dae#frame/bar 1", "frame.dae#frame/bar 2");
  EXPECT_EQ(study.parts[1].file, folder.path() / "frame.dae");
  EXPECT_EQ(study.parts[1].node, "frame/bar 2");
  const std::vector<Object> parts = load_parts(study);
  EXPECT_EQ(parts[0].soup().face_count(), 1u);
  EXPECT_NEAR(parts[0].soup().vertex(0).x(), 0, 1e-12);
  EXPECT_NEAR(parts[1].soup().vertex(0).x(), 3, 1e-12);
}

TEST(StudyAssembly, PartsAreObjectsAndShellsOfOneFile) {
  const StudyFolder folder("objects");
  folder.write("multi.obj",
               "o crank\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
               "o rod\nv 3 0 0\nv 4 0 0\nv 3 1 0\nf 4 5 6\nl 1 2\n");
  const Study study = study_of(folder, "multi.obj#crank", "multi.obj#shell 2");
  EXPECT_EQ(study.parts[0].node, "crank");
  const StudyResult result = run_study(study, load_parts(study));
  EXPECT_EQ(result.parts[0].soup().bounds().hi, Vec3(1000, 1000, 0));
  EXPECT_EQ(result.parts[1].soup().bounds().lo, Vec3(3000, 0, 0));
  EXPECT_EQ(result.parts[1].soup().face_count(), 1u);
  const std::vector<std::string> remarks = study_remarks(result);
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks[0].find("mover: 1 line statement"), 0u) << remarks[0];
  // It is on the file, so the other part has none.
  EXPECT_EQ(std::count_if(remarks.begin(), remarks.end(),
                          [](const std::string& remark) {
                            return remark.find("line statement") != std::string::npos;
                          }),
            1);
}

TEST(StudyAssembly, ResultsNameTheNode) {
  const StudyFolder folder("assembly");
  const Study study = study_of(folder, "frame.dae#frame/bar 1", "frame.dae#frame/bar 2");
  const StudyResult result = run_study(study, load_parts(study));
  const std::string page = result_html(result);
  EXPECT_NE(page.find("<td>frame.dae#frame/bar 1, in which y is up: turned<"), std::string::npos);
  EXPECT_NE(page.find("<td>frame.dae#frame/bar 2, in which y is up: turned<"), std::string::npos);
  const std::string file = test::Json::parse(result_json(result))["parts"][1]["file"];
  EXPECT_EQ(file, (folder.path() / "frame.dae").generic_string() + "#frame/bar 2");
}

// The file's lengths are in mm and y is up in it: in the study z is.
TEST(StudyAssembly, PointsInFilesAreWhereTheFileHasThem) {
  const StudyFolder folder("assembly");
  const Study study = study_of(folder, "frame.dae#frame/bar 1", "frame.dae#frame/bar 2");
  EXPECT_EQ(study.parts[1].frame.up, UpAxis::y);
  EXPECT_EQ(study.parts[1].frame.unit, 0.001);
  const std::vector<Object> parts = load_parts(study);
  const Vec3 corner = parts[1].soup().vertex(2);
  EXPECT_LT((corner - Vec3(3, 0, 1)).norm(), 1e-12);
  EXPECT_LT((study::in_file(study, 1, 0, corner) - Vec3(3, 1, 0)).norm(), 1e-12);
  const test::Json result = test::Json::parse(result_json(run_study(study, parts)));
  EXPECT_EQ(result["parts"][0]["up"], "y");
}

TEST(StudyAssembly, APartSaysWhichAxisIsUpAndItsUnit) {
  const StudyFolder folder("assembly");
  folder.write("frame.dae", kAssembly);
  test::Json json = box_study();  // in mm
  json["parts"][0]["file"] = "frame.dae#frame/bar 1";
  json["parts"][0]["unit"] = "m";
  json["parts"][0]["up"] = "z";
  json["parts"][1]["unit"] = "in";
  json["parts"][1]["up"] = "x";
  const auto parsed = [&] { return parse_study(json.dump(), folder.path() / "study.json"); };
  const Study study = parsed();
  EXPECT_EQ(study.parts[0].scale, 1000);
  EXPECT_EQ(study.parts[0].up, UpAxis::z);
  const std::vector<Object> parts = load_parts(study);
  EXPECT_LT((parts[0].soup().vertex(2) - Vec3(0, 0.001, 0) * 1000).norm(), 1e-12);
  const Vec3 in_file = study::in_file(study, 1, 0, parts[1].soup().vertex(0));
  const PolygonSoup as_is = load_soup(study.parts[1].file);
  EXPECT_LT((in_file - as_is.vertex(0)).norm(), 1e-12);
  EXPECT_LT(
      (parts[1].soup().vertex(0) - 0.0254 * 1000 * (upright(UpAxis::x) * as_is.vertex(0))).norm(),
      1e-9);
  const auto refused = [&](const char* key, const char* value) {
    test::Json other = json;
    other["parts"][0][key] = value;
    try {
      (void)parse_study(other.dump(), "study.json");
    } catch (const LoadError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_EQ(refused("up", "w"), "study.json:/parts/0/up: \"w\", expected one of: x, y, z");
  EXPECT_EQ(refused("unit", "ell"),
            "study.json:/parts/0/unit: unknown unit \"ell\"; expected one of: m, cm, mm, um, in, "
            "ft");
  json["parts"][0]["scale"] = 2;
  EXPECT_EQ(refused("up", "z"), "study.json:/parts/0/unit: given together with \"scale\"");
}

TEST(StudyAssembly, AnUnknownPathIsAnError) {
  const StudyFolder folder("assembly");
  try {
    static_cast<void>(load_parts(study_of(folder, "frame.dae#frame/bar 1", "frame.dae#bar 2")));
    ADD_FAILURE() << "was found";
  } catch (const LoadError& error) {
    EXPECT_EQ(std::string(error.what()),
              (folder.path() / "frame.dae").string() +
                  ": there is no node 'bar 2'; similar are: frame/bar 1, frame/bar 2");
  }
}

// The left part is the right one's mirror image: it is as solid, and its points are the file's.
TEST(StudyAssembly, APartIsMirrored) {
  const StudyFolder folder("mirrored");
  folder.write("wedge.obj",
               "v 1 0 0\nv 3 0 0\nv 1 1 0\nv 1 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  test::Json json = box_study();
  json["parts"][0]["file"] = "wedge.obj";
  json["parts"][0]["unit"] = "cm";
  json["parts"][0]["stretch"] = {-1, 1, 2};
  const auto parsed = [&] { return parse_study(json.dump(), folder.path() / "study.json"); };
  const Study study = parsed();
  EXPECT_EQ(study.parts[0].stretch, Vec3(-1, 1, 2));
  const std::vector<Object> parts = load_parts(study);
  const PolygonSoup& soup = parts[0].soup();
  EXPECT_EQ(soup.bounds().lo, Vec3(-30, 0, 0));
  EXPECT_EQ(soup.bounds().hi, Vec3(-10, 10, 20));
  EXPECT_NEAR(mass_properties(soup, 1).mass, 20. * 10 * 20 / 6, 1e-9);
  const PolygonSoup as_is = load_soup(study.parts[0].file);
  for (Index v = 0; v < 4; ++v)
    EXPECT_LT((study::in_file(study, 0, 0, study.parts[0].pose * soup.vertex(v)) - as_is.vertex(v))
                  .norm(),
              1e-12);
  const StudyResult result = run_study(study, parts);
  EXPECT_EQ(test::Json::parse(result_json(result))["parts"][0]["stretch"], test::Json({-1, 1, 2}));
  EXPECT_NE(result_html(result).find("mirrored: stretched by (-1, 1, 2)"), std::string::npos);

  const auto refused = [&](const test::Json& stretch) {
    json["parts"][0]["stretch"] = stretch;
    try {
      (void)parsed();
    } catch (const LoadError& error) {
      return error.place() + ": " + error.what();
    }
    return std::string("read");
  };
  EXPECT_NE(refused({1, 0, 1}).find("/parts/0/stretch"), std::string::npos);
  EXPECT_NE(refused({1, 1}).find("/parts/0/stretch"), std::string::npos);
  EXPECT_NE(refused(-1).find("/parts/0/stretch"), std::string::npos);
}

}  // namespace
}  // namespace touche
