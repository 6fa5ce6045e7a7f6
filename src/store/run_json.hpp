// The lists and maps in the head of a run as JSON text, readable with SQLite's JSON functions.
// Reading accepts what writing makes, ignores members it does not know (a later version may add some), and gives absent
// ones their default. JSON has no infinity: a real that is not finite is written as {"real": "inf"}.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wattune/run.hpp"

namespace wattune::store {

std::string to_json(const std::vector<RunParameter>& parameters);
std::string to_json(const std::vector<std::string>& texts);
std::string to_json(const std::vector<std::pair<std::string, double>>& numbers);
std::string to_json(const std::vector<ObjectiveRecord>& objectives);
std::string to_json(const std::map<std::string, std::string>& texts);

/// Each throws Error(storage), naming the store `path`, for text that is not of its kind.
void from_json(std::string_view text, const std::string& path, std::vector<RunParameter>& out);
void from_json(std::string_view text, const std::string& path, std::vector<std::string>& out);
void from_json(std::string_view text, const std::string& path, std::vector<std::pair<std::string, double>>& out);
void from_json(std::string_view text, const std::string& path, std::vector<ObjectiveRecord>& out);
void from_json(std::string_view text, const std::string& path, std::map<std::string, std::string>& out);

}  // namespace wattune::store
