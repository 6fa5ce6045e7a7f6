#include "store/run_json.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "store/fault.hpp"

namespace wattune::store {
namespace {

using Json = nlohmann::json;

Json real_to_json(double value) {
  if (std::isfinite(value)) return value;
  return {{"real", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"}};
}

double real_from_json(const Json& json) {
  if (!json.is_object()) return json.get<double>();
  const auto name = json.at("real").get<std::string>();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  return name == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

struct ValueToJson {
  Json operator()(double value) const { return real_to_json(value); }
  template <class Other>
  Json operator()(const Other& value) const {
    return value;
  }
};

Json value_to_json(const Value& value) {
  return std::visit(ValueToJson{}, value.storage());
}

/// 1 is an integer, 1.0 a real: the writer keeps the point.
Value value_from_json(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  return real_from_json(json);
}

/// Invalid UTF-8 (a device that names itself so) must not cost the run: it is replaced.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class Read>
void parse(std::string_view text, const std::string& path, Read read) {
  try {
    read(Json::parse(text));
  } catch (const Json::exception& fault) {
    throw damaged(path, std::string("the head of a run is unreadable: ") + fault.what());
  }
}

}  // namespace

std::string to_json(const std::vector<RunParameter>& parameters) {
  Json array = Json::array();
  for (const RunParameter& parameter : parameters) {
    Json values = Json::array();
    for (const Value& value : parameter.values) values.push_back(value_to_json(value));
    array.push_back({{"name", parameter.name},
                     {"values", std::move(values)},
                     {"default", value_to_json(parameter.default_value)},
                     {"device", parameter.device}});
  }
  return dump(array);
}

std::string to_json(const std::vector<std::string>& texts) {
  return dump(Json(texts));
}

std::string to_json(const std::vector<std::pair<std::string, double>>& numbers) {
  Json array = Json::array();
  for (const auto& [name, value] : numbers) array.push_back({{"name", name}, {"value", real_to_json(value)}});
  return dump(array);
}

std::string to_json(const std::vector<ObjectiveRecord>& objectives) {
  Json array = Json::array();
  for (const ObjectiveRecord& objective : objectives) {
    array.push_back({{"name", objective.name}, {"maximize", objective.maximize}, {"unit", objective.unit}});
  }
  return dump(array);
}

std::string to_json(const std::map<std::string, std::string>& texts) {
  return dump(Json(texts));
}

void from_json(std::string_view text, const std::string& path, std::vector<RunParameter>& out) {
  parse(text, path, [&](const Json& array) {
    for (const Json& item : array) {
      RunParameter& parameter = out.emplace_back();
      parameter.name = item.at("name").get<std::string>();
      for (const Json& value : item.at("values")) parameter.values.push_back(value_from_json(value));
      if (item.contains("default")) parameter.default_value = value_from_json(item.at("default"));
      parameter.device = item.value("device", false);
    }
  });
}

void from_json(std::string_view text, const std::string& path, std::vector<std::string>& out) {
  parse(text, path, [&](const Json& array) { out = array.get<std::vector<std::string>>(); });
}

void from_json(std::string_view text, const std::string& path, std::vector<std::pair<std::string, double>>& out) {
  parse(text, path, [&](const Json& array) {
    for (const Json& item : array)
      out.emplace_back(item.at("name").get<std::string>(), real_from_json(item.at("value")));
  });
}

void from_json(std::string_view text, const std::string& path, std::vector<ObjectiveRecord>& out) {
  parse(text, path, [&](const Json& array) {
    for (const Json& item : array) {
      out.push_back(
          {item.at("name").get<std::string>(), item.value("maximize", false), item.value("unit", std::string())});
    }
  });
}

void from_json(std::string_view text, const std::string& path, std::map<std::string, std::string>& out) {
  parse(text, path, [&](const Json& object) { out = object.get<std::map<std::string, std::string>>(); });
}

}  // namespace wattune::store
