// SPDX-License-Identifier: Apache-2.0
// The verdict in words: an example for each.
#include <gtest/gtest.h>

#include "study_answer.h"

namespace touche {
namespace {

using test::answer;
using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

std::string sentence(const StudyResult& a) { return verdict_sentence(a); }

StudyResult with_clearance(const char* name, double left, const StudyOptions& options) {
  const StudyFolder folder(name);
  Json study = box_study();
  study["groups"][0]["motion"]["poses"][2]["translation"] = {2.5 - left, 0, 0};
  return answer(folder, study, options);
}

TEST(Sentence, OfAContact) {
  const StudyFolder folder("sentence-contact");
  StudyResult a = answer(folder, box_study(), {.paths = true});
  EXPECT_EQ(
      sentence(a),
      "The mover meets the wall after 62.5 % of the path, having travelled 2.5 mm; everything "
      "before that is proved free; at worst they overlap by 0.1 mm or more, after 67.7 % of the "
      "path.");
  EXPECT_EQ(verdict_details(a).rfind("mover face ", 0), 0u) << verdict_details(a);
  EXPECT_NE(verdict_details(a).find("; s = 0.62"), std::string::npos);
  EXPECT_NE(verdict_details(a).find(", step 1 (t = 0.2"), std::string::npos);

  // A pair that could not be answered before leaves room for an earlier one.
  a.paths.clear();
  a.path_count = 0;
  a.time.lower = 0.31299;
  EXPECT_EQ(sentence(a),
            "The mover meets the wall after 62.5 % of the path, having travelled 2.5 mm; there may "
            "be an earlier contact: only the first 31.2 % of the path is proved free.");
  a.verdict = StudyVerdict::interrupted;
  EXPECT_EQ(
      sentence(a),
      "Interrupted: the first 31.2 % of the path is proved free, the rest is not decided; a "
      "contact was found: the mover meets the wall after 62.5 % of the path, having travelled "
      "2.5 mm.");
}

TEST(Sentence, NamesTheGroupOfTheFaceThatIsMet) {
  const StudyFolder folder("sentence-group");
  folder.write("wall.obj",
               "v 3.5 -2 -2\nv 3.5 3 -2\nv 3.5 3 3\nv 3.5 -2 3\ng left rib\nf 1 2 3 4\n");
  Json study = box_study();
  study["parts"][1] = {{"name", "Housing"}, {"file", "wall.obj"}};
  EXPECT_EQ(
      sentence(answer(folder, study)).rfind("The mover meets the left rib of Housing after", 0),
      0u);
}

TEST(Sentence, OfAContactAtTheStart) {
  const StudyFolder folder("sentence-start");
  Json study = box_study();
  study["parts"][1]["pose"]["translation"] = {-2.8, 0, 0};
  const std::string text = sentence(answer(folder, study));
  EXPECT_EQ(
      text,
      "The mover touches the wall at the very start. If that is meant: \"may_separate\": true "
      "in the study allows parts that touch at the start to come apart, and "
      "\"allowed_contacts\" in the study allows two parts to touch.");
}

// An allowed contact is stated with its extent, and is not the smallest clearance.
TEST(Sentence, OfContactsThatAreAllowed) {
  const StudyFolder folder("sentence-allowed");
  Json study = box_study();
  study["allowed_contacts"] = {{{"parts", {"mover", "wall"}}, {"reason", "it is pressed in"}}};
  const StudyResult a = answer(folder, study, {.paths = true});
  const std::string text = sentence(a);
  EXPECT_EQ(text.rfind("Free, proved: no part touches another on the whole path, except where that "
                       "is allowed. The mover travelled 4 mm. Allowed: ",
                       0),
            0u)
      << text;
  EXPECT_EQ(text.find("is 0 mm"), std::string::npos) << text;
  EXPECT_NE(text.find(" Allowed: mover and wall touch from 62.5 % of the path to 90 % of the path, "
                      "overlap 0.1 "
                      "mm or more (it is pressed in)."),
            std::string::npos)
      << text;
  const std::string page = result_html(a);
  EXPECT_NE(page.find("overlap at worst, allowed, "), std::string::npos);
  EXPECT_EQ(page.find("smallest clearance</figcaption>"), std::string::npos);
}

TEST(Sentence, OfPartsThatComeApartAtTheStart) {
  const StudyFolder folder("sentence-apart");
  Json study = box_study();
  study["parts"][1]["pose"] = {{"translation", {-2.5, 0, 0}}};
  study["groups"][0]["motion"] = {{"translation", {-2, 0, 0}}};
  study["may_separate"] = true;
  const std::string text = sentence(answer(folder, study, {.paths = true}));
  EXPECT_EQ(text.rfind("Free, proved: no part touches another on the whole path, except at the "
                       "start; the smallest clearance found is 0 mm",
                       0),
            0u)
      << text;
  EXPECT_NE(text.find(" touch at the start and are apart from "), std::string::npos) << text;
}

TEST(Sentence, OfAFreePathSaysTheSmallestClearanceThatIsKnown) {
  StudyResult a = with_clearance("sentence-free", 0.3, {.paths = true});
  EXPECT_EQ(
      sentence(a).rfind("Free, proved: no part touches another on the whole path; the smallest "
                        "clearance found is 0.3 mm, between the mover and the wall at the "
                        "end; at least 0.2",
                        0),
      0u)
      << sentence(a);

  // The path's own sample is smaller than the ones of the recorded poses, and nothing could be
  // proved.
  a.paths[0].path.min_clearance = {0, 0.0015};
  a.paths[0].path.min_clearance_at = 0.4;
  EXPECT_EQ(
      sentence(a),
      "Free, proved: no part touches another on the whole path; the smallest clearance found is "
      "0.0015 mm, between the mover and the wall after 40 % of the path; how little it may be in "
      "between is not proved. The mover travelled 2.2 mm.");
  // And the other way round.
  a.paths[0].path.min_clearance = {0.2, 0.7};
  EXPECT_NE(sentence(a).find("clearance found is 0.3 mm"), std::string::npos) << sentence(a);

  a.paths.clear();
  a.path_count = 0;
  EXPECT_EQ(
      sentence(a),
      "Free, proved: no part touches another on the whole path; the smallest clearance at the "
      "recorded poses is 0.3 mm, between the mover and the wall at the end. The mover travelled "
      "2.2 "
      "mm.");
  a.clearances.clear();
  EXPECT_EQ(sentence(a),
            "Free, proved: no part touches another on the whole path; at the recorded poses no two "
            "parts are closer than 1 mm. The mover travelled 2.2 mm.");
  EXPECT_EQ(verdict_details(a), "");
}

TEST(Sentence, OfStepsThatAreFreeAndPathsThatWereNotFollowed) {
  StudyResult a = with_clearance("sentence-interrupted", 0.3, {});
  a.verdict = StudyVerdict::interrupted;
  EXPECT_EQ(sentence(a),
            "Interrupted: no part touches another on the whole path, proved; how much clearance is "
            "left, and whether a part lies inside another, was not determined.");
}

TEST(Sentence, OfWhatIsNotDecided) {
  const StudyFolder folder("sentence-undecided");
  StudyResult a = answer(folder, box_study(), {.budget = {.max_work = 0}});
  a.time.lower = 0;
  EXPECT_EQ(sentence(a),
            "Not decided: no contact was found, but not every pair could be answered; no piece of "
            "the path is proved free.");
}

// Where positions are known no better than to kilometres, that is why an overlap may be a touch.
TEST(Sentence, OfOverlapsThatRoundingHides) {
  const StudyFolder folder("sentence-rounding");
  Json study = box_study();
  study["groups"][0]["motion"]["poses"][2]["translation"] = {1e20, 0, 0};
  const std::string far = sentence(answer(folder, study, {.paths = true}));
  EXPECT_NE(far.find("no two overlap by more than"), std::string::npos) << far;
  EXPECT_NE(far.find(" mm, the rounding error of positions on this path"), std::string::npos)
      << far;
}

}  // namespace
}  // namespace touche
