#include "io/byte_source.hpp"

#include <bzlib.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <libdeflate.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "wattune/error.hpp"

namespace wattune::io {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw Error(ExitCode::bad_input, message, path);
}

class PlainFile final : public ByteSource {
 public:
  explicit PlainFile(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail(path_, fmt::format("cannot read the file: {}", std::strerror(errno)));
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
      ::close(descriptor_);
      fail(path_, "is a folder, not a file");
    }
    size_ = status.st_size > 0 ? static_cast<std::size_t>(status.st_size) : 0;
  }
  ~PlainFile() override { ::close(descriptor_); }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  std::size_t read(char* buffer, std::size_t count) override {
    while (true) {
      const ::ssize_t got = ::read(descriptor_, buffer, count);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail(path_, fmt::format("cannot read the file: {}", std::strerror(errno)));
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  void rewind() { ::lseek(descriptor_, 0, SEEK_SET); }

 private:
  std::string path_;
  int descriptor_;
  std::size_t size_ = 0;
};

class GzipFile final : public ByteSource {
 public:
  explicit GzipFile(const std::string& path) : path_(path), file_(::gzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) fail(path_, "cannot read the file");
    ::gzbuffer(file_, 1U << 20U);
  }
  ~GzipFile() override { ::gzclose(file_); }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  std::size_t read(char* buffer, std::size_t count) override {
    const int got = ::gzread(file_, buffer, static_cast<unsigned>(std::min<std::size_t>(count, 1U << 30U)));
    int code = Z_OK;
    const char* message = ::gzerror(file_, &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
      fail(path_, fmt::format("the gzip data is damaged or cut off ({})", message));
    }
    return static_cast<std::size_t>(got);
  }

 private:
  std::string path_;
  gzFile file_;
};

class Bzip2File final : public ByteSource {
 public:
  explicit Bzip2File(const std::string& path) : path_(path), file_(::BZ2_bzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) fail(path_, "cannot read the file");
  }
  ~Bzip2File() override { ::BZ2_bzclose(file_); }
  Bzip2File(const Bzip2File&) = delete;
  Bzip2File& operator=(const Bzip2File&) = delete;

  std::size_t read(char* buffer, std::size_t count) override {
    if (ended_) return 0;
    const int got = ::BZ2_bzread(file_, buffer, static_cast<int>(std::min<std::size_t>(count, 1U << 30U)));
    int code = BZ_OK;
    const char* message = ::BZ2_bzerror(file_, &code);
    if (got < 0 || (code != BZ_OK && code != BZ_STREAM_END)) {
      fail(path_, fmt::format("the bzip2 data is damaged or cut off ({})", message));
    }
    ended_ = code == BZ_STREAM_END;
    return static_cast<std::size_t>(got);
  }

 private:
  std::string path_;
  BZFILE* file_;
  bool ended_ = false;
};

enum class Packing { none, gzip, bzip2 };

Packing packing_of(PlainFile& file) {
  unsigned char magic[3] = {};
  const std::size_t got = file.read(reinterpret_cast<char*>(magic), sizeof magic);
  file.rewind();
  if (got >= 2 && magic[0] == 0x1F && magic[1] == 0x8B) return Packing::gzip;
  if (got >= 3 && magic[0] == 'B' && magic[1] == 'Z' && magic[2] == 'h') return Packing::bzip2;
  return Packing::none;
}

/// All that `source` still has, unless it is more than `limit`.
std::optional<Text> drain(ByteSource& source, std::size_t expected, std::size_t limit) {
  Text text(std::min(std::max<std::size_t>(expected, 4096) + 1, limit + 1));
  std::size_t filled = 0;
  while (true) {
    const std::size_t got = source.read(text.data() + filled, text.capacity() - filled);
    filled += got;
    if (filled > limit) return std::nullopt;
    text.set_size(filled);
    if (got == 0) return text;
    if (filled == text.capacity()) text.grow(std::min(2 * filled, limit + 1));
  }
}

/// One gzip member in one call, several times as fast as piece by piece; nothing when it is not that simple (several
/// members, a false size in the trailer), which the careful way then handles.
std::optional<Text> inflate_at_once(const Text& packed, std::size_t limit) {
  if (packed.size() < 18) return std::nullopt;
  std::uint32_t size = 0;  // the trailer's last four bytes: length modulo 2^32, little-endian
  for (std::size_t i = 4; i > 0; --i)
    size = (size << 8U) | static_cast<unsigned char>(packed.data()[packed.size() - 5 + i]);
  // Deflate packs at most 1032 : 1, so that a false trailer cannot make us reserve more than that.
  if (size > limit || size > packed.size() * 1032) return std::nullopt;
  Text text(size);
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      ::libdeflate_alloc_decompressor(), ::libdeflate_free_decompressor);
  std::size_t consumed = 0;
  std::size_t produced = 0;
  const auto result = ::libdeflate_gzip_decompress_ex(decompressor.get(), packed.data(), packed.size(), text.data(),
                                                      size, &consumed, &produced);
  if (result != LIBDEFLATE_SUCCESS || consumed != packed.size() || produced != size) return std::nullopt;
  text.set_size(produced);
  return text;
}

/// Large texts ask for huge pages: without them a third of the time to read 12 MB goes into page faults.
char* allocate(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20U;
  void* memory = nullptr;
  if (bytes < 2 * huge_page) {
    memory = std::malloc(bytes);
  } else {
    memory = std::aligned_alloc(huge_page, (bytes + huge_page - 1) / huge_page * huge_page);
    if (memory != nullptr) ::madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: refusal changes nothing
  }
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<char*>(memory);
}

}  // namespace

void Text::Free::operator()(char* bytes) const {
  std::free(bytes);
}

Text::Text(std::size_t capacity) : data_(allocate(capacity + text_padding)), capacity_(capacity) {
  set_size(0);
}

void Text::set_size(std::size_t size) {
  size_ = size;
  std::memset(data_.get() + size_, 0, text_padding);
}

void Text::grow(std::size_t capacity) {
  if (capacity <= capacity_) return;
  std::unique_ptr<char[], Free> larger(allocate(capacity + text_padding));
  if (size_ > 0) std::memcpy(larger.get(), data_.get(), size_);
  data_ = std::move(larger);
  capacity_ = capacity;
  set_size(size_);
}

void Text::append(std::string_view more) {
  if (size_ + more.size() > capacity_) grow(std::max(size_ + more.size(), 2 * capacity_));
  std::memcpy(data_.get() + size_, more.data(), more.size());
  set_size(size_ + more.size());
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  auto file = std::make_unique<PlainFile>(path);
  switch (packing_of(*file)) {
    case Packing::gzip:
      return std::make_unique<GzipFile>(path);
    case Packing::bzip2:
      return std::make_unique<Bzip2File>(path);
    case Packing::none:
      break;
  }
  return file;
}

std::optional<Text> read_text(const std::string& path, std::size_t limit) {
  PlainFile file(path);
  const Packing packing = packing_of(file);
  if (packing == Packing::none) return file.size() > limit ? std::nullopt : drain(file, file.size(), limit);
  if (packing == Packing::gzip && file.size() <= limit) {
    if (const auto packed = drain(file, file.size(), limit)) {
      if (auto text = inflate_at_once(*packed, limit)) return text;
    }
  }
  return drain(*open_bytes(path), 8 * file.size(), limit);
}

}  // namespace wattune::io
