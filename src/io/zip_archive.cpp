// SPDX-License-Identifier: Apache-2.0
#include "io/zip_archive.h"

#include <zip.h>

#include <memory>

#include "touche/types.h"

namespace touche::io {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 30;

}  // namespace

ZipArchive::ZipArchive(std::string_view bytes, std::string file) : file_(std::move(file)) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  archive_ = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (archive_ == nullptr) {
    const std::string reason = zip_error_strerror(&error);
    zip_source_free(source);
    zip_error_fini(&error);
    throw LoadError(file_, "", "not a ZIP archive: " + reason);
  }
  zip_error_fini(&error);
}

ZipArchive::~ZipArchive() { zip_discard(archive_); }

std::string ZipArchive::read(const std::string& name) const {
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(
      zip_fopen(archive_, name.c_str(), ZIP_FL_NOCASE), zip_fclose);
  if (entry == nullptr) throw LoadError(file_, name, zip_strerror(archive_));
  std::string bytes;
  char chunk[1 << 16];
  for (;;) {
    const zip_int64_t count = zip_fread(entry.get(), chunk, sizeof chunk);
    if (count < 0) throw LoadError(file_, name, zip_file_strerror(entry.get()));
    if (count == 0) return bytes;
    bytes.append(chunk, static_cast<std::size_t>(count));
    if (bytes.size() > kMostBytes) throw LoadError(file_, name, "larger than 4 GiB");
  }
}

}  // namespace touche::io
