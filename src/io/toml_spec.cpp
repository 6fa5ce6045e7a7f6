// Reads a tuning spec written in TOML. Refuses nothing half-way: every fault of the file is found and reported at once,
// with line and column, unless the TOML itself cannot be parsed (then the line is shown with a caret).
#include "io/toml_spec.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "wattune/formats.hpp"

namespace wattune {

namespace {

void read_tune(io::TomlTable& top, Spec& spec) {
  auto tune = top.table("tune");
  if (!tune) {
    if (top.raw().get("tune") == nullptr) {
      top.context().report({spec.at.file, 0, 0}, "no [tune.parameters]: a spec needs at least one tunable parameter");
    }
    io::read_metrics(top, spec);
    return;
  }
  io::read_parameters(*tune, spec);
  io::read_metrics(top, spec);
  io::read_goals(*tune, spec);
  tune->finish();
}

}  // namespace

bool io::is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || !is_letter(name.front())) return false;
  for (char c : name) {
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

Spec parse_toml_spec(std::string_view text, const std::string& file_name) {
  const toml::table document = io::parse_toml(text, file_name);
  const std::filesystem::path path(file_name);
  Spec spec;
  spec.at = {file_name, 0, 0};
  spec.name = path.stem().string();
  spec.directory = path.parent_path().string();

  io::TomlContext context{file_name, {}, {}};
  io::TomlTable top(context, document, "", spec.at);
  if (auto name = top.text("name")) spec.name = name->value;
  // Names come first: everything after may use them in expressions.
  io::read_problem(top, spec);
  read_tune(top, spec);
  io::read_kernel(top, spec);
  io::read_launch(top, spec);
  io::read_arguments(top, spec);
  io::read_verification(top, spec);
  io::read_budget(top, spec);
  io::read_measure(top, spec);
  io::read_energy(top, spec);
  io::read_observers(top, spec);
  io::read_profile(top, spec);
  top.finish();

  if (!context.problems.empty()) throw Error(ExitCode::bad_input, std::move(context.problems));
  return spec;
}

}  // namespace wattune
