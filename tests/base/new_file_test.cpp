// SPDX-License-Identifier: Apache-2.0
#include "base/new_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "temporary_folder.h"
#include "touche/types.h"

namespace touche {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

class NewFiles : public ::testing::Test {
 protected:
  fs::path path(const char* name) const { return folder_.path() / name; }
  long entries() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }
  static void write(const fs::path& name,
                    base::NewFile::Devices devices = base::NewFile::Devices::refused) {
    base::NewFile file(name, devices);
    file.write("new", 3);
    file.finish();
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(NewFiles, AppearWhenTheyAreWhole) {
  put(path("a"), "what was there");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  {
    base::NewFile first(path("a")), second(path("a")), dropped(path("b"));
    first.write("12345", 5);
    second.write("six", 3);
    dropped.write("x", 1);
    EXPECT_EQ(content(path("a")), "what was there");
    second.finish();
    EXPECT_EQ(content(path("a")), "six");
    first.finish();
  }
  EXPECT_EQ(content(path("a")), "12345");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(entries(), 1);
}

TEST_F(NewFiles, ReplaceWhatALinkLeadsTo) {
  fs::create_directory(path("folder"));
  put(path("folder/a"), "what was there");
  fs::create_hard_link(path("folder/a"), path("hard"));
  fs::create_symlink("folder/a", path("one"));
  fs::create_symlink("one", path("two"));
  fs::create_symlink(path("folder/fresh"), path("three"));
  write(path("two"));
  write(path("three"));
  EXPECT_EQ(content(path("folder/a")), "new");
  EXPECT_EQ(content(path("folder/fresh")), "new");
  EXPECT_EQ(content(path("hard")), "what was there");  // not written in place
  for (const char* link : {"one", "two", "three"}) EXPECT_TRUE(fs::is_symlink(path(link))) << link;
  EXPECT_EQ(entries(), 5);
  fs::create_symlink("round", path("round"));
  EXPECT_THROW(write(path("round")), LoadError);
}

TEST_F(NewFiles, LeaveDevicesAndFoldersWhereTheyAre) {
  fs::create_symlink("/dev/null", path("null"));
  fs::create_directory(path("folder"));
  EXPECT_THROW(write(path("null")), LoadError);
  EXPECT_THROW(write(path("folder")), LoadError);
  EXPECT_THROW(write(path("none/a")), LoadError);
  write(path("null"), base::NewFile::Devices::written);
  if (fs::exists("/dev/full")) {
    EXPECT_THROW(write("/dev/full", base::NewFile::Devices::written), LoadError);
  }
  EXPECT_TRUE(fs::is_character_file(path("null")));
  EXPECT_EQ(entries(), 2);
}

}  // namespace
}  // namespace touche
