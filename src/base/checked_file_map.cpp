// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/checked_file.h"
#include "base/file_kind.h"
#include "touche/types.h"

namespace touche::base::checked_file {
namespace {

// An open file; the mapping outlives it.
class Descriptor {
 public:
  // Non-blocking: a pipe without a writer must not block the open.
  explicit Descriptor(const std::filesystem::path& file)
      : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

Mapping map(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& reason) { throw LoadError(file.string(), "", reason); };
  const auto fail_with = [&](int error) { fail(std::generic_category().message(error)); };

  const Descriptor descriptor(file);
  if (descriptor.number() < 0) {
    if (errno == ENOENT) fail("the file does not exist");
    fail_with(errno);
  }
  struct stat status = {};
  if (::fstat(descriptor.number(), &status) != 0) fail_with(errno);
  if (!S_ISREG(status.st_mode)) fail(why_no_file(file));
  if (status.st_size == 0) fail("the file is empty");

  const auto size = static_cast<std::size_t>(status.st_size);
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number(), 0);
  if (begin == MAP_FAILED) fail_with(errno);
  return {{static_cast<const std::byte*>(begin), size},
          {begin, [size](void* mapped) { ::munmap(mapped, size); }}};
}

}  // namespace touche::base::checked_file
