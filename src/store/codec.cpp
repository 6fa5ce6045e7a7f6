#include "store/codec.hpp"

#include <bit>
#include <cstdint>

#include "store/fault.hpp"

namespace wattune::store {
namespace {

void put_varint(std::string& out, std::uint64_t number) {
  while (number >= 0x80) {
    out += static_cast<char>(number | 0x80U);
    number >>= 7U;
  }
  out += static_cast<char>(number);
}

void put_real(std::string& out, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  char bytes[8];
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<char>(bits >> (8 * i));
  out.append(bytes, sizeof bytes);
}

/// Zigzag: small magnitudes of either sign become small numbers.
std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U);
}
std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1U) ^ (0 - (value & 1U)));
}

/// Takes items from the front of the bytes; every read is checked.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& path) : rest_(bytes), path_(path) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }

  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw damaged(path_, "a record is cut short");
    const std::string_view head = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return head;
  }
  char tag() { return take(1).front(); }
  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(tag());
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return number;
    }
    throw damaged(path_, "a number in a record is too long");
  }
  double real() {
    const std::string_view bytes = take(8);
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < 8; ++i) bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return std::bit_cast<double>(bits);
  }
  std::string text() { return std::string(take(varint())); }

  Value value() {
    switch (tag()) {
      case 'i':
        return unzigzag(varint());
      case 'r':
        return real();
      case 't':
        return true;
      case 'f':
        return false;
      case 's':
        return text();
      default:
        throw damaged(path_, "unknown kind of value in a configuration");
    }
  }

 private:
  std::string_view rest_;
  const std::string& path_;
};

struct ValueWriter {
  std::string& out;
  void operator()(std::int64_t value) const {
    out += 'i';
    put_varint(out, zigzag(value));
  }
  void operator()(double value) const {
    out += 'r';
    put_real(out, value);
  }
  void operator()(bool value) const { out += value ? 't' : 'f'; }
  void operator()(const std::string& value) const {
    out += 's';
    put_varint(out, value.size());
    out += value;
  }
};

template <class Quantity>
std::string encode_quantities(const std::vector<Quantity>& values) {
  std::string out;
  out.reserve(8 * values.size());
  for (const Quantity value : values) put_real(out, value.value());
  return out;
}

template <class Quantity>
std::vector<Quantity> decode_quantities(std::string_view bytes, const std::string& path) {
  std::vector<Quantity> values;
  values.reserve(bytes.size() / 8);
  for (Reader reader(bytes, path); !reader.empty();) values.emplace_back(reader.real());
  return values;
}

}  // namespace

void encode_value(std::string& out, const Value& value) {
  std::visit(ValueWriter{out}, value.storage());
}

std::string encode_seconds(const std::vector<Seconds>& values) {
  return encode_quantities(values);
}

std::string encode_joules(const std::vector<Joules>& values) {
  return encode_quantities(values);
}

std::string encode_map(const std::map<std::string, double>& map) {
  std::string out;
  for (const auto& [name, value] : map) {
    put_varint(out, name.size());
    out += name;
    put_real(out, value);
  }
  return out;
}

std::vector<Value> decode_values(std::string_view bytes, const std::string& path) {
  std::vector<Value> values;
  for (Reader reader(bytes, path); !reader.empty();) values.push_back(reader.value());
  return values;
}

std::vector<Seconds> decode_seconds(std::string_view bytes, const std::string& path) {
  return decode_quantities<Seconds>(bytes, path);
}

std::vector<Joules> decode_joules(std::string_view bytes, const std::string& path) {
  return decode_quantities<Joules>(bytes, path);
}

std::map<std::string, double> decode_map(std::string_view bytes, const std::string& path) {
  std::map<std::string, double> map;
  for (Reader reader(bytes, path); !reader.empty();) {
    std::string name = reader.text();
    const double value = reader.real();
    map.emplace_hint(map.end(), std::move(name), value);
  }
  return map;
}

}  // namespace wattune::store
