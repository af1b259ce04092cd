// SPDX-License-Identifier: Apache-2.0
#include "io/zip_writer.h"

#include <zip.h>

#include <utility>

#include "touche/types.h"

namespace touche::io {
namespace {

// The first date that an archive can hold, 1980-01-01.
constexpr zip_uint16_t kFirstDate = 1 << 5 | 1;

[[noreturn]] void fail_to_zip(const std::string& reason) {
  throw Error("a ZIP archive cannot be made: " + reason);
}

}  // namespace

ZipWriter::ZipWriter()
    : target_(zip_source_buffer_create(nullptr, 0, 0, nullptr)), archive_(nullptr) {
  if (target_ == nullptr) fail_to_zip("no memory");
  zip_source_keep(target_);
  zip_error_t error;
  zip_error_init(&error);
  archive_ = zip_open_from_source(target_, ZIP_TRUNCATE, &error);
  const std::string reason = archive_ == nullptr ? zip_error_strerror(&error) : "";
  zip_error_fini(&error);
  if (archive_ != nullptr) return;
  zip_source_free(target_);
  zip_source_free(target_);
  fail_to_zip(reason);
}

ZipWriter::~ZipWriter() {
  if (archive_ != nullptr) zip_discard(archive_);
  zip_source_free(target_);
}

void ZipWriter::add(const std::string& name, std::string bytes) {
  const std::string& kept = entries_.emplace_back(std::move(bytes));
  zip_source_t* source = zip_source_buffer(archive_, kept.data(), kept.size(), 0);
  if (source == nullptr) fail_to_zip(zip_strerror(archive_));
  const zip_int64_t index = zip_file_add(archive_, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail_to_zip(zip_strerror(archive_));
  }
  if (zip_file_set_dostime(archive_, static_cast<zip_uint64_t>(index), 0, kFirstDate, 0) != 0)
    fail_to_zip(zip_strerror(archive_));
}

std::string ZipWriter::finish() {
  if (zip_close(archive_) != 0) fail_to_zip(zip_strerror(archive_));
  archive_ = nullptr;
  if (zip_source_open(target_) != 0) fail_to_zip("it cannot be read");
  std::string bytes;
  zip_stat_t stat;
  if (zip_source_stat(target_, &stat) == 0 && (stat.valid & ZIP_STAT_SIZE) != 0)
    bytes.resize(stat.size);
  const zip_int64_t read = zip_source_read(target_, bytes.data(), bytes.size());
  zip_source_close(target_);
  if (read < 0 || static_cast<std::size_t>(read) != bytes.size() || bytes.empty())
    fail_to_zip("it cannot be read");
  return bytes;
}

}  // namespace touche::io
