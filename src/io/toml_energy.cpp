// [energy] and [[observer]] of a spec: whether and how energy is measured, and what else is observed.
#include <cmath>

#include "io/toml_spec.hpp"

namespace wattune::io {

void read_energy(TomlTable& top, Spec& spec) {
  auto table = top.table("energy");
  if (!table) return;
  constexpr std::string_view methods[] = {"automatic", "median_power", "trapezoid", "counter"};
  EnergySpec& energy = spec.energy;
  energy.at = table->at();
  if (const toml::node* node = table->find("measure")) {
    if (const auto* flag = node->as_boolean()) {
      energy.measure = flag->get() ? EnergySpec::When::always : EnergySpec::When::never;
    } else if (const auto* text = node->as_string(); text == nullptr || text->get() != "auto") {
      table->wrong_kind("measure", *node, "true, false or \"auto\"");
    }
  }
  if (auto value = table->choice("method", methods)) energy.method = methods[*value];
  energy.interval_percent = table->number("interval_percent", 0.0, 100.0, true);
  energy.min_window = table->number("min_window", 0.0, HUGE_VAL, true);
  energy.max_window = table->number("max_window", 0.0, HUGE_VAL, true);
  if (energy.min_window && energy.max_window && *energy.min_window > *energy.max_window) {
    top.context().report(table->at(), "'min_window' is more than 'max_window'");
  }
  energy.subtract_idle = table->flag("subtract_idle").value_or(energy.subtract_idle);
  energy.steady_temperature = table->flag("steady_temperature").value_or(energy.steady_temperature);
  energy.skip_hopeless = table->flag("skip_hopeless").value_or(energy.skip_hopeless);
  table->finish();
}

void read_observers(TomlTable& top, Spec& spec) {
  const toml::node* node = top.find("observer");
  if (node == nullptr) return;
  const auto* list = node->as_array();
  if (list == nullptr || !list->is_homogeneous(toml::node_type::table)) {
    return top.wrong_kind("observer", *node, "tables: [[observer]]");
  }
  constexpr std::string_view times[] = {"before", "during", "after"};
  for (const toml::node& item : *list) {
    TomlTable table(top.context(), *item.as_table(), "observer", top.context().position(item.source()));
    ObserverSpec observer;
    if (auto command = table.text("command")) {
      observer.command = *command;
    } else {
      top.context().report(table.at(), "an observer has no 'command'", "command = \"my-sensor --once\"");
    }
    if (auto when = table.choice("when", times)) observer.when = static_cast<ObserverSpec::When>(*when);
    table.finish();
    spec.observers.push_back(std::move(observer));
  }
}

}  // namespace wattune::io
