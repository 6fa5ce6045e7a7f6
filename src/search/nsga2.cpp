#include "search/nsga2.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "search/moves.hpp"
#include "search/option.hpp"
#include "search/scripted.hpp"

namespace wattune::search {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One configuration of a population with its standing.
struct Member {
  ConfigurationId id = 0;
  std::size_t front = 0;  // 0: dominated by nobody
  double crowding = 0.0;  // larger: more alone on its front
};

bool dominates(std::span<const double> a, std::span<const double> b) {
  bool better = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] > b[k]) return false;
    if (a[k] < b[k]) better = true;
  }
  return better;
}

class Nsga2 : public Scripted {
 public:
  Nsga2(const StrategyTask& task, const StrategyOptions& options)
      : Scripted(task),
        moves_(*task.space),
        population_(read_count(options, "population")),
        mutation_(read_real(options, "mutation")) {
    set_patience(8 * population_);
  }

 protected:
  Process run() override {
    std::vector<ConfigurationId> ids;
    first_population(population_, ids);
    if (runs() > 1) keep_front(ids);
    co_await evaluate_all(ids);
    std::vector<Member> members;
    while (true) {
      rank(ids, members);
      if (members.size() > population_) members.resize(population_);
      ids.clear();
      for (std::size_t k = 0; k < population_; ++k) ids.push_back(child_of(members));
      co_await evaluate_all(ids);
      for (const Member& member : members) ids.push_back(member.id);
    }
  }

 private:
  [[nodiscard]] std::span<const double> scores(ConfigurationId id) const {
    return memory().scores_at(memory().position_of(id));
  }

  /// A restart must not lose what is known: half of the new population are the best members found so far.
  void keep_front(std::vector<ConfigurationId>& ids) {
    std::vector<Member> members;
    std::vector<ConfigurationId> pool(last_.begin(), last_.end());
    rank(pool, members);
    for (std::size_t k = 0; k < members.size() && 2 * k < population_; ++k) ids.push_back(members[k].id);
  }

  /// Sorts the different ids by front, then by crowding distance (Deb et al. 2002, section III).
  void rank(std::vector<ConfigurationId>& ids, std::vector<Member>& members) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    members.clear();
    for (const ConfigurationId id : ids) members.push_back({id});
    assign_fronts(members);
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& a, const Member& b) { return a.front < b.front; });
    for (std::size_t from = 0; from < members.size();) {
      std::size_t to = from;
      while (to < members.size() && members[to].front == members[from].front) ++to;
      assign_crowding(std::span(members).subspan(from, to - from));
      from = to;
    }
    std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
      return a.front != b.front ? a.front < b.front : a.crowding > b.crowding;
    });
    last_.clear();
    for (const Member& member : members) last_.push_back(member.id);
  }

  void assign_fronts(std::vector<Member>& members) const {
    const std::size_t count = members.size();
    std::vector<std::size_t> dominators(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        if (i != j && dominates(scores(members[j].id), scores(members[i].id))) ++dominators[i];
      }
    }
    std::vector<bool> placed(count, false);
    std::size_t left = count;
    for (std::size_t front = 0; left > 0; ++front) {
      std::vector<std::size_t> current;
      for (std::size_t i = 0; i < count; ++i) {
        if (!placed[i] && dominators[i] == 0) current.push_back(i);
      }
      for (const std::size_t i : current) {
        placed[i] = true;
        members[i].front = front;
        --left;
        for (std::size_t j = 0; j < count; ++j) {
          if (!placed[j] && dominates(scores(members[i].id), scores(members[j].id))) --dominators[j];
        }
      }
    }
  }

  void assign_crowding(std::span<Member> front) const {
    std::vector<std::size_t> order(front.size());
    for (std::size_t k = 0; k < memory().objectives(); ++k) {
      std::iota(order.begin(), order.end(), std::size_t{0});
      const auto value = [&](std::size_t i) { return scores(front[i].id)[k]; };
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
      const double range = value(order.back()) - value(order.front());
      front[order.front()].crowding = infinity;
      front[order.back()].crowding = infinity;
      if (!(range > 0.0) || std::isinf(range)) continue;
      for (std::size_t i = 1; i + 1 < order.size(); ++i) {
        front[order[i]].crowding += (value(order[i + 1]) - value(order[i - 1])) / range;
      }
    }
  }

  /// Binary tournament: members are sorted, the lower position wins.
  ConfigurationId select(const std::vector<Member>& members) {
    return members[std::min(random().below(members.size()), random().below(members.size()))].id;
  }

  ConfigurationId child_of(const std::vector<Member>& members) {
    const ConfigurationId first = select(members);
    const ConfigurationId second = select(members);
    const auto a = moves_.digits(first);
    target_.assign(a.begin(), a.end());
    const auto b = moves_.digits(second);
    for (std::size_t p = 0; p < target_.size(); ++p) {
      if (random().below(2) == 1) target_[p] = b[p];
    }
    ConfigurationId child = moves_.toward(first, target_, random());
    if (memory().proposed(child) || random().uniform() < mutation_) {
      child = moves_.random_neighbour(child, Neighbours::hamming, random()).value_or(child);
    }
    return child;
  }

  Moves moves_;
  std::size_t population_;
  double mutation_;
  Digits target_;
  std::vector<ConfigurationId> last_;  // of the last ranking, best first; survives restarts
};

}  // namespace

StrategyInfo nsga2() {
  StrategyInfo info;
  info.name = "nsga2";
  info.summary = "a genetic algorithm for several objectives: non-dominated sorting and crowding distance";
  info.source = "Deb, Pratap, Agarwal and Meyarivan 2002, IEEE Trans. Evolutionary Computation 6";
  info.multi_objective = true;
  info.options = {integer_option("population", 20, 2, 100000, "configurations in a generation", "study"),
                  real_option("mutation", 0.5, 0, 1, "chance that one value of a child changes at random", "study")};
  info.make = maker<Nsga2>();
  return info;
}

}  // namespace wattune::search
