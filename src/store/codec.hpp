// The bytes in the BLOB columns: exact, the same on every machine, and canonical, so that equal content has equal
// bytes.
//   values    each: 'i' + zigzag varint | 'r' + 8 bytes IEEE 754 little-endian | 't' | 'f' | 's' + varint length +
//   UTF-8 doubles   8 bytes IEEE 754 little-endian each map       each entry, sorted by name: varint length + name + 8
//   bytes IEEE 754 little-endian
// 1, 1.0 and True have different bytes (they make different programs) and come back as the kind of value they were.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/units.hpp"
#include "wattune/value.hpp"

namespace wattune::store {

void encode_value(std::string& out, const Value& value);
std::string encode_seconds(const std::vector<Seconds>& values);
std::string encode_joules(const std::vector<Joules>& values);
std::string encode_map(const std::map<std::string, double>& map);

/// The decoders throw Error(storage) for bytes that no encoder made; `path` names the store in the message.
std::vector<Value> decode_values(std::string_view bytes, const std::string& path);
std::vector<Seconds> decode_seconds(std::string_view bytes, const std::string& path);
std::vector<Joules> decode_joules(std::string_view bytes, const std::string& path);
std::map<std::string, double> decode_map(std::string_view bytes, const std::string& path);

}  // namespace wattune::store
