// SPDX-License-Identifier: Apache-2.0
// Study files: what the parser makes of them, and what it refuses and where.
#include <gtest/gtest.h>

#include "study/motion_input.h"
#include "study_files.h"
#include "test_scale.h"
#include "touche/study.h"

namespace touche {
namespace {

using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

// ---- the parser --------------------------------------------------------------------------------

/// The message of the LoadError that parsing gives; empty when it gives none.
std::string refusal(const std::string& text) {
  try {
    (void)parse_study(text, "folder/study.json");
  } catch (const LoadError& e) {
    EXPECT_EQ(e.file(), "folder/study.json");
    return e.what();
  }
  return "";
}

struct Mistake {
  const char* pointer;  // what to change in a good study
  const char* value;    // the new value; empty: remove it
  const char* message;
};

void PrintTo(const Mistake& m, std::ostream* out) { *out << m.pointer << " = " << m.value; }

class ParserTest : public testing::TestWithParam<Mistake> {};

TEST_P(ParserTest, NamesThePath) {
  Json study = box_study();
  ASSERT_EQ(refusal(study.dump()), "");
  const Json::json_pointer where(GetParam().pointer);
  if (*GetParam().value != '\0')
    study[where] = Json::parse(GetParam().value);
  else
    study[where.parent_pointer()].erase(where.back());
  EXPECT_EQ(refusal(study.dump()), std::string("folder/study.json:") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ParserTest,
    testing::Values(
        Mistake{"/touche_study", "", "/: the key \"touche_study\" is missing"},
        Mistake{"/touche_study", "2", "/touche_study: format version 2, expected 1"},
        Mistake{"/unit", "\"mile\"",
                "/unit: unknown unit \"mile\"; expected one of: m, cm, mm, um, in, ft"},
        Mistake{"/unit", "7", "/unit: expected a string, found number"},
        Mistake{"/tolerance", "0", "/tolerance: 0, expected more than 0"},
        Mistake{"/tolerance", "-1e-3", "/tolerance: -0.001, expected more than 0"},
        Mistake{"/tolerance", "\"small\"", "/tolerance: expected a number, found string"},
        Mistake{"/tolerance", "1e300", "/tolerance: 1e+300 is too large"},
        Mistake{"/clearance_threshold", "-1", "/clearance_threshold: -1, expected 0 or more"},
        Mistake{"/touching", "-1", "/touching: -1, expected 0 or more"},
        Mistake{"/touching", "\"chord\"",
                "/touching: \"chord\", expected a length or \"chord_error\""},
        Mistake{"/touching", "null", "/touching: expected a number, found null"},
        Mistake{"/may_separate", "1", "/may_separate: expected true or false, found number"},
        Mistake{"/allowed_contacts", "[{\"parts\": [\"mover\", \"wall\"]}]",
                "/allowed_contacts/0: the key \"reason\" is missing"},
        Mistake{"/allowed_contacts", "[{\"parts\": [\"mover\"], \"reason\": \"x\"}]",
                "/allowed_contacts/0/parts: 1 entry, expected at least 2"},
        Mistake{"/allowed_contacts", "[{\"parts\": [\"mover\", \"mover\"], \"reason\": \"x\"}]",
                "/allowed_contacts/0/parts: a part does not touch itself"},
        Mistake{"/allowed_contacts", "[{\"parts\": [\"mover\", \"nobody\"], \"reason\": \"x\"}]",
                "/allowed_contacts/0/parts/1: there is no part named \"nobody\""},
        Mistake{"/allowed_contacts",
                "[{\"parts\": [\"mover\", \"wall\"], \"reason\": \"x\"},"
                " {\"parts\": [\"wall\", \"mover\"], \"reason\": \"y\"}]",
                "/allowed_contacts/1/parts: this pair is there twice"},
        Mistake{"/parts", "[]", "/parts: 0 entries, expected at least 2"},
        Mistake{"/parts", "{}", "/parts: expected an array, found object"},
        Mistake{"/parts/0", "null", "/parts/0: expected an object, found null"},
        Mistake{"/parts/1/file", "", "/parts/1: expected either \"file\" or \"shape\""},
        Mistake{"/parts/1/shape", "{\"type\": \"sphere\", \"radius\": 1}",
                "/parts/1: expected either \"file\" or \"shape\""},
        Mistake{"/parts/1/chord_error", "0.1",
                "/parts/1/chord_error: only the mesh of a shape is made with an error"},
        Mistake{"/parts/1/drawing", "{}", "/parts/1/drawing: only a drawing is read so"},
        Mistake{"/parts/1/file", "\"\"", "/parts/1/file: the string is empty"},
        Mistake{"/parts/1/name", "\"mover\"", "/parts/1/name: the name \"mover\" is there twice"},
        Mistake{"/parts/1/scale", "0", "/parts/1/scale: 0, expected more than 0"},
        Mistake{"/parts/0/colour", "\"red\"",
                "/parts/0/colour: unknown key; expected one of: name, file, shape, chord_error, "
                "drawing, scale, unit, up, weld, stretch, pose"},
        Mistake{"/parts/0/pose", "{\"quaternion\": [1, 0, 0]}",
                "/parts/0/pose/quaternion: 3 numbers, expected 4"},
        Mistake{"/parts/0/pose", "{\"quaternion\": [1.3, 0, 0, 0]}",
                "/parts/0/pose/quaternion: length 1.3, expected 1"},
        Mistake{"/parts/0/pose", "{\"translation\": [1, true, 0]}",
                "/parts/0/pose/translation/1: expected a number, found boolean"},
        Mistake{"/parts/0/pose", "{\"matrix\": [[1,0,0,0],[0,1,0,0]]}",
                "/parts/0/pose/matrix: 2 entries, expected at least 3"},
        Mistake{"/groups", "[]", "/groups: 0 entries, expected at least 1"},
        Mistake{"/groups/0/parts/0", "\"nobody\"",
                "/groups/0/parts/0: there is no part named \"nobody\""},
        Mistake{"/groups/0/parts", "[\"mover\", \"mover\"]",
                "/groups/0/parts/1: the part is already at /groups/0/parts/0"},
        Mistake{"/groups/0/parts", "[\"mover\", \"wall\"]",
                "/groups: all parts move together, so no two can touch"},
        Mistake{"/groups/0/motion", "{}",
                "/groups/0/motion: expected one of: poses, csv, screw, translation"},
        Mistake{"/groups/0/motion/speed", "1",
                "/groups/0/motion/speed: unknown key; expected one of: interpolation, poses"},
        Mistake{"/groups/0/motion/interpolation", "\"cubic\"",
                "/groups/0/motion/interpolation: expected \"slerp\" or \"nlerp\""},
        Mistake{"/groups/0/motion/poses", "[{}]",
                "/groups/0/motion/poses: 1 entry, expected at least 2"},
        Mistake{"/groups/0/motion/poses/1/quaternion", "[0, 0, 0, 0]",
                "/groups/0/motion/poses/1/quaternion: length 0, expected 1"},
        Mistake{"/groups/0/motion/poses/1/t", "",
                "/groups/0/motion/poses/1: \"t\" must be in all poses or in none"},
        Mistake{"/groups/0/motion/poses/1/t", "0",
                "/groups/0/motion/poses: the time of pose 1 (0) does not come after the one before "
                "(0)"},
        Mistake{"/groups/0/motion", "{\"screw\": {\"axis\": [0, 0, 0], \"turns\": 1}}",
                "/groups/0/motion/screw/axis: the axis has no direction"},
        Mistake{"/groups/0/motion", "{\"screw\": {\"axis\": [0, 0, 1]}}",
                "/groups/0/motion/screw: expected either \"angle_deg\" or \"turns\""},
        Mistake{"/groups/0/motion", "{\"translation\": [1, 0, 0], \"steps\": 2.5}",
                "/groups/0/motion/steps: 2.5, expected an integer from 1 to 1000000"},
        Mistake{"/groups/0/motion", "{\"csv\": \"none.csv\"}",
                "/groups/0/motion/csv: folder/none.csv: the file does not exist"}));

TEST(Parser, NamesLineAndColumnOfBadSyntax) {
  const std::string message = refusal("{\"touche_study\": 1,\n \"unit\" \"mm\"}");
  EXPECT_EQ(message.rfind("folder/study.json:line 2, column ", 0), 0u) << message;
  EXPECT_NE(refusal(""), "");
  EXPECT_NE(refusal("{\"touche_study\": 1e999}"), "");
  EXPECT_NE(refusal(std::string(100000, '[')), "");
  EXPECT_NE(refusal("\xff\xfe\x00garbage"), "");
  EXPECT_NE(refusal("[1, 2]"), "");
}

TEST(Parser, RefusesAKeyGivenTwice) {
  EXPECT_EQ(refusal("{\"unit\": \"mm\", \"unit\": \"m\"}"),
            "folder/study.json: the key \"unit\" is there twice");
}

TEST(Parser, RefusesClocksThatDiffer) {
  Json study = box_study();
  study["parts"].push_back({{"name", "third"}, {"file", "third.off"}});
  Json second = study["groups"][0];
  second["name"] = "other";
  second["parts"] = {"third"};
  second["motion"]["poses"][2]["t"] = 5;
  study["groups"].push_back(second);
  EXPECT_EQ(refusal(study.dump()),
            "folder/study.json:/groups/1/motion: recorded from 0 to 5, but an earlier group from 0 "
            "to 2");
}

TEST(Parser, ReadsWhatIsThere) {
  const Study study = parse_study(box_study().dump(), "folder/study.json");
  EXPECT_EQ(study.unit, "mm");
  EXPECT_EQ(study.parts[1].file, std::filesystem::path("folder/wall.off"));
  EXPECT_EQ(study.times, (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(study.groups[0].motion.pose(1).translation(), Vec3(4, 0, 0));
}

TEST(Parser, MergesTheRecordedTimesOfAllGroups) {
  Json study = box_study();
  study["parts"].push_back({{"name", "third"}, {"file", "third.off"}});
  study["groups"].push_back({{"name", "other"},
                             {"parts", {"third"}},
                             {"motion", {{"translation", {0, 0, 1}}, {"steps", 4}}}});
  EXPECT_EQ(parse_study(study.dump(), "s.json").times,
            (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

TEST(Parser, ScrewAdvancesByItsPitch) {
  Json study = box_study();
  study["groups"][0]["motion"] = {
      {"screw", {{"point", {1, 0, 0}}, {"axis", {0, 0, 2}}, {"turns", 1.5}, {"pitch", 2}}},
      {"steps", 3}};
  const Study read = parse_study(study.dump(), "s.json");
  EXPECT_EQ(read.times.size(), 4u);
  EXPECT_LT((read.groups[0].motion.pose(1) * Vec3(0, 0, 0) - Vec3(2, 0, 3)).norm(), 1e-12);
}

TEST(Parser, RefusesAPoseThatIsNotRigid) {
  Json study = box_study();
  study["parts"][0]["pose"] = {{"matrix", {{1, 0, 0, 0}, {0, 1.1, 0, 0}, {0, 0, 1, 0}}}};
  EXPECT_EQ(refusal(study.dump()).rfind("folder/study.json:/parts/0/pose/matrix: ", 0), 0u);
  study["parts"][0]["pose"] = {{"matrix", {{0, -1, 0, 5}, {1, 0, 0, 0}, {0, 0, 1, 0}}}};
  const Study read = parse_study(study.dump(), "s.json");
  EXPECT_LT((read.parts[0].pose * Vec3(1, 0, 0) - Vec3(5, 1, 0)).norm(), 1e-12);
}

// ---- recorded poses in CSV ---------------------------------------------------------------------

std::string csv_refusal(const std::string& csv) {
  StudyFolder folder("csv");
  folder.write("path.csv", csv);
  Json study = box_study();
  study["groups"][0]["motion"] = {{"csv", "path.csv"}};
  folder.write("study.json", study.dump());
  try {
    (void)load_study(folder.path() / "study.json");
  } catch (const LoadError& e) {
    EXPECT_EQ(e.place(), "/groups/0/motion/csv");
    const std::string message = e.what();
    return message.substr(message.find("path.csv"));
  }
  return "";
}

// The same two poses, the second at x = 1.5, with other marks, separators and decimal signs.
TEST(PoseCsv, ReadsWhatSpreadsheetsWrite) {
  const StudyFolder folder("csv");
  const auto second_x = [&](const std::string& csv) {
    folder.write("path.csv", csv);
    const study::RecordedPoses read = study::read_pose_csv(folder.path() / "path.csv");
    EXPECT_EQ(read.poses.size(), 2u);
    EXPECT_EQ(read.poses[0].translation(), Vec3(0, 0, 0));
    return read.poses[1].translation().x();
  };
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(second_x(mark + "x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n1.5,0,0,1,0,0,0\n"), 1.5);
  EXPECT_EQ(second_x(mark + "x;y;z;qw;qx;qy;qz\r\n0;0;0;1,0;0;0;0\r\n1,5;0;0;1;0;0;0\r\n"), 1.5);
  EXPECT_EQ(second_x("x;y;z;qw;qx;qy;qz\n0;0;0;1.0;0;0;0\n1.5;0;0;1;0;0;0\n"), 1.5);
  EXPECT_EQ(second_x("x\ty\tz\tqw\tqx\tqy\tqz\n0\t0\t0\t1\t0\t0\t0\n1,5e0\t0\t0\t1\t0\t0\t0\n"),
            1.5);
  const std::string head = "x;y;z;qw;qx;qy;qz\n";
  EXPECT_EQ(csv_refusal(head + "0;0,5;0;1;0;0;0\n0;0.5;0;1;0;0;0\n"),
            "path.csv:3: y: '0.5': decimal points and decimal commas in one file");
  EXPECT_EQ(csv_refusal(head + "0;1.000,5;0;1;0;0;0\n"),
            "path.csv:2: y: '1.000,5' is not a number in range");
  EXPECT_EQ(csv_refusal("\xFF\xFEx,y\n"),
            "path.csv:1: unknown column '\\xff\\xfex', expected x,y,z,qw,qx,qy,qz or t");
}

TEST(ParseStudy, SkipsAByteOrderMark) {
  const std::string json = box_study().dump();
  EXPECT_EQ(parse_study("\xEF\xBB\xBF" + json, "a.json").parts.size(), 2u);
  try {
    (void)parse_study("\xFF\xFE{", "a.json");
    FAIL();
  } catch (const LoadError& e) {
    EXPECT_EQ(std::string(e.what()), "a.json: this is text in UTF-16; expected UTF-8");
  }
}

TEST(PoseCsv, NamesTheLine) {
  const std::string head = "t,x,y,z,qw,qx,qy,qz\n";
  EXPECT_EQ(csv_refusal(head + "0,0,0,0,1,0,0,0\n1,4,0,0,1,0,0,0\n"), "");
  EXPECT_EQ(csv_refusal("qw,qx,qy,qz,x,y,z\r\n1,0,0,0,0,0,0\r\n\r\n1,0,0,0,4,0,0\r\n"), "");
  EXPECT_EQ(csv_refusal(""), "path.csv:1: the file is empty, expected a header line");
  EXPECT_EQ(csv_refusal("t,x,y,z\n"), "path.csv:1: no column \"qw\"");
  EXPECT_EQ(csv_refusal("x,x\n"), "path.csv:1: the column \"x\" is there twice");
  EXPECT_EQ(csv_refusal(head + "0,0,0,0,1,0,0,0\n1,4,0\n"), "path.csv:3: 3 columns, expected 8");
  EXPECT_EQ(csv_refusal(head + "0,0,nan,0,1,0,0,0\n"),
            "path.csv:2: y: 'nan' is not a number in range");
  EXPECT_EQ(csv_refusal(head + "0,0,1e999,0,1,0,0,0\n"),
            "path.csv:2: y: '1e999' is not a number in range");
  EXPECT_NE(csv_refusal(head + "0,0,0,0,2,0,0,0\n").find("path.csv:2: "), std::string::npos);
}

// ---- mutations: never a crash, nothing but a LoadError ------------------------------------------

TEST(Parser, SurvivesMutations) {
  const std::string good = box_study().dump();
  std::uint64_t state = 42;
  const auto random = [&](std::size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>((state >> 33) % n);
  };
  const std::string pieces[] = {"{",  "}",     "[", "]",       ",",    ":",    "\"",    "null",
                                "-1", "1e400", "0", "\\u0000", "true", "\xc3", "poses", "t"};
  const int count = test::scaled(20000, 2000);
  int accepted = 0, refused = 0;
  for (int i = 0; i < count; ++i) {
    std::string text = good;
    for (std::size_t n = 1 + random(3); n > 0; --n) {
      const std::size_t at = random(text.size());
      switch (random(4)) {
        case 0:
          text[at] = static_cast<char>(random(256));
          break;
        case 1:
          text.erase(at, 1 + random(8));
          break;
        case 2:
          text.insert(at, pieces[random(std::size(pieces))]);
          break;
        default:
          text.insert(at, text.substr(random(text.size()), random(30)));
          break;
      }
    }
    try {
      const Study study = parse_study(text, "study.json");
      EXPECT_GT(study.tolerance, 0);
      ++accepted;
    } catch (const LoadError&) {
      ++refused;
    }
  }
  EXPECT_GT(accepted, count / 100);
  EXPECT_GT(refused, count / 2);
}

}  // namespace
}  // namespace touche
