#include "search/particle_swarm.hpp"

#include <algorithm>
#include <cmath>

#include "search/moves.hpp"
#include "search/option.hpp"
#include "search/scripted.hpp"

namespace wattune::search {
namespace {

class ParticleSwarm : public Scripted {
 public:
  ParticleSwarm(const StrategyTask& task, const StrategyOptions& options)
      : Scripted(task),
        moves_(*task.space),
        particles_(read_count(options, "particles")),
        inertia_(read_real(options, "inertia")),
        own_(read_real(options, "own")),
        shared_(read_real(options, "shared")) {
    set_patience(8 * particles_);
  }

 protected:
  Process run() override {
    std::vector<ConfigurationId> places;
    first_population(particles_, places);
    co_await evaluate_all(places);
    std::vector<ConfigurationId> best = places;
    const std::size_t dimensions = space().parameters().size();
    std::vector<double> positions(places.size() * dimensions);
    std::vector<double> velocities(places.size() * dimensions);
    for (std::size_t k = 0; k < places.size(); ++k)
      place(places[k], &positions[k * dimensions], &velocities[k * dimensions]);
    while (true) {
      const ConfigurationId leader =
          *std::min_element(best.begin(), best.end(), [&](auto a, auto b) { return score(a) < score(b); });
      const auto attractor = moves_.digits(leader);
      leader_.assign(attractor.begin(), attractor.end());
      for (std::size_t k = 0; k < places.size(); ++k) {
        places[k] = fly(places[k], best[k], &positions[k * dimensions], &velocities[k * dimensions]);
      }
      co_await evaluate_all(places);
      for (std::size_t k = 0; k < places.size(); ++k) {
        if (score(places[k]) < score(best[k])) best[k] = places[k];
      }
    }
  }

 private:
  void place(ConfigurationId id, double* position, double* velocity) {
    const auto digits = moves_.digits(id);
    std::copy(digits.begin(), digits.end(), position);
    for (const std::uint32_t p : moves_.free_parameters()) {
      velocity[p] = (random().uniform() - 0.5) * 0.5 * (moves_.count(p) - 1.0);
    }
  }

  ConfigurationId fly(ConfigurationId from, ConfigurationId own_best, double* position, double* velocity) {
    const auto digits = moves_.digits(own_best);
    target_.assign(digits.begin(), digits.end());
    for (const std::uint32_t p : moves_.free_parameters()) {
      const double top = moves_.count(p) - 1.0;
      velocity[p] = inertia_ * velocity[p] + own_ * random().uniform() * (target_[p] - position[p]) +
                    shared_ * random().uniform() * (leader_[p] - position[p]);
      velocity[p] = std::clamp(velocity[p], -0.5 * top - 0.5, 0.5 * top + 0.5);
      position[p] = std::clamp(position[p] + velocity[p], 0.0, top);
      target_[p] = static_cast<std::uint32_t>(std::min(top, std::floor(position[p] + random().uniform())));
    }
    const ConfigurationId reached = moves_.toward(from, target_, random());
    if (!memory().proposed(reached)) return reached;
    // Craziness (Kennedy and Eberhart 1995): a particle on known ground is pushed aside.
    return moves_.random_neighbour(reached, Neighbours::hamming, random()).value_or(reached);
  }

  Moves moves_;
  std::size_t particles_;
  double inertia_;
  double own_;
  double shared_;
  Digits leader_, target_;
};

}  // namespace

StrategyInfo particle_swarm() {
  StrategyInfo info;
  info.name = "particle_swarm";
  info.summary = "particles drawn to their own best and to the best of all, on value positions";
  info.source = "Kennedy and Eberhart 1995, Particle swarm optimization; Clerc and Kennedy 2002 (constriction)";
  info.options = {integer_option("particles", 16, 2, 100000, "particles", "study"),
                  real_option("inertia", 0.7298, 0, 1, "share of the velocity kept", "Clerc and Kennedy 2002"),
                  real_option("own", 1.49618, 0, 4, "pull of a particle's own best", "Clerc and Kennedy 2002"),
                  real_option("shared", 1.49618, 0, 4, "pull of the best of all", "Clerc and Kennedy 2002")};
  info.make = maker<ParticleSwarm>();
  return info;
}

}  // namespace wattune::search
