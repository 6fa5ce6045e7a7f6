// The parts of a TOML spec, each read by its own function. Each takes the file's top table, so that the top level knows
// which keys exist, and reports faults into the context. docs/spec.md is the reference of the layout.
#pragma once

#include "io/toml_table.hpp"
#include "wattune/spec.hpp"

namespace wattune::io {

/// [problem], then [tune.parameters]; fills the names that every later expression may use.
void read_problem(TomlTable& top, Spec& spec);
void read_parameters(TomlTable& tune, Spec& spec);

/// [kernel], [launch], [[argument]], [verify].
void read_kernel(TomlTable& top, Spec& spec);
void read_launch(TomlTable& top, Spec& spec);
void read_arguments(TomlTable& top, Spec& spec);
void read_verification(TomlTable& top, Spec& spec);

/// Constraints, objectives and strategy of [tune]; [metrics] must be read before.
void read_goals(TomlTable& tune, Spec& spec);
void read_metrics(TomlTable& top, Spec& spec);

/// [budget], [measure] and [energy].
void read_budget(TomlTable& top, Spec& spec);
void read_measure(TomlTable& top, Spec& spec);
void read_energy(TomlTable& top, Spec& spec);
/// [[observer]].
void read_observers(TomlTable& top, Spec& spec);

/// [profile]. [problem], [tune.parameters] and the names in [profile.let] may be used in it.
void read_profile(TomlTable& top, Spec& spec);

/// Parts shared by a kernel and its reference.
void read_sources(TomlTable& table, KernelSpec& kernel);
LaunchSpec read_geometry(TomlTable& table);
/// Checks the expressions in braces of a name expression such as "gemm<{MWG}, float>".
void check_kernel_name(TomlContext& context, const LocatedText& name);

/// True for a name that C and the expression language accept: letters, digits, underscore, no digit in front.
bool is_identifier(std::string_view name);

}  // namespace wattune::io
