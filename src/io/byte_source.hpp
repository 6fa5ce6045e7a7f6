// The bytes of a file, plain or compressed (gzip, bzip2, told by their first bytes), whole or piece by piece.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace wattune::io {

/// Readable bytes behind the end of a Text, which simdjson asks for. They are zero.
inline constexpr std::size_t text_padding = 64;

/// A whole file in memory.
class Text {
 public:
  Text() = default;
  /// Room for `capacity` bytes, not initialised.
  explicit Text(std::size_t capacity);
  [[nodiscard]] char* data() { return data_.get(); }
  [[nodiscard]] const char* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::string_view view() const { return {data_.get(), size_}; }
  /// `size` <= capacity(); clears the padding.
  void set_size(std::size_t size);
  /// Makes room for more, keeping the contents.
  void grow(std::size_t capacity);
  void append(std::string_view more);

 private:
  struct Free {
    void operator()(char* bytes) const;
  };
  std::unique_ptr<char[], Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// A file read from front to back.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `buffer` with up to `count` bytes; 0 at the end. Throws Error(bad_input) when the file is damaged or
  /// unreadable.
  virtual std::size_t read(char* buffer, std::size_t count) = 0;
};

/// Opens `path` for reading piece by piece. Throws Error(bad_input).
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// The whole of `path`, decompressed; nothing when that is more than `limit` bytes. Throws Error(bad_input).
std::optional<Text> read_text(const std::string& path, std::size_t limit);

}  // namespace wattune::io
