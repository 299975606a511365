#include "lab/train/language/language_learner.h"

#include <utility>

#include <c10/core/GradMode.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "lab/train/keyed_store.h"

namespace braid::train {

namespace {

constexpr std::uint64_t kValidationEpoch = ~std::uint64_t{0};

}  // namespace

LanguageLearner::LanguageLearner(const RunRecipe &run, TokenHeadsRecipe heads, std::shared_ptr<World> world)
    : m_optimizer(run.optimizer)
    , m_heads(std::move(heads))
    , m_world(std::move(world))
    , m_schedule(run.schedule, run.optimizer.learning_rate)
{
    if (!run.path.empty()) {
        m_recipe_key = keyOf(readTextFile(run.path));
    }
}

void LanguageLearner::begin(const std::map<std::string, at::Tensor> &parameters)
{
    m_weights = std::make_unique<TrainedWeights>(parameters, m_optimizer);
    m_validation = validationPlan();
    m_plan = plan(m_next.epoch);
}

LanguageLearner::Step LanguageLearner::step()
{
    const PlannedRows rows{m_plan[m_next.number], m_next.epoch, m_next.number, static_cast<std::size_t>(m_world->rank()),
                           static_cast<std::size_t>(m_world->size())};
    Step step;
    step.rate = m_schedule.rate(m_progress);
    BatchLoss batch;
    if (rows.first < rows.items.size()) {  // a small batch may have fewer rows than there are processes
        batch = lossOf(rows, m_progress.steps < m_heads.alone_steps ? Learning::HeadsAlone : Learning::Everything, Purpose::Training);
        if (batch.loss.total.requires_grad()) {  // not where no example of the batch is long enough for the heads that learn alone
            batch.loss.total.backward();
        }
        batch.loss.total.reset();
    }
    joinProcesses(batch);
    step.losses = {{"text", batch.loss.text}};
    for (std::size_t head = 0; head < batch.loss.later.size(); ++head) {
        step.losses.push_back({"head " + std::to_string(head + 2), batch.loss.later[head]});
    }
    step.tokens = batch.loss.tokens;
    step.correct_tokens = batch.loss.correct;
    step.amount = static_cast<double>(batch.tokens);
    step.norm = m_weights->step(step.rate, m_progress.steps);
    step.ends_epoch = m_next.number + 1 == m_plan.size();
    ++m_progress.steps;
    if (step.ends_epoch) {
        ++m_progress.epochs;
        m_next = {m_next.epoch + 1, 0};
        m_plan = plan(m_next.epoch);
    } else {
        ++m_next.number;
    }
    return step;
}

void LanguageLearner::joinProcesses(BatchLoss &own) const
{
    if (m_world->isAlone()) {
        return;
    }
    // Every loss is a mean by the weight of the labels.
    LanguageLoss &loss = own.loss;
    const double total = averageGradients(*m_world, m_weights->parameters(), loss.weight);
    loss.later.resize(m_heads.shares.empty() ? 0 : m_heads.shares.size() - 1);
    std::vector<double> sums = {loss.text * loss.weight, loss.weighted * loss.weight, loss.tokens, loss.correct, static_cast<double>(own.tokens)};
    for (const double later : loss.later) {
        sums.push_back(later * loss.weight);
    }
    m_world->sumNumbers(sums);
    loss.text = sums[0] / total;
    loss.weighted = sums[1] / total;
    loss.tokens = sums[2];
    loss.correct = sums[3];
    own.tokens = static_cast<std::int64_t>(sums[4]);
    for (std::size_t head = 0; head < loss.later.size(); ++head) {
        loss.later[head] = sums[5 + head] / total;
    }
    loss.weight = total;
}

ValidationReport LanguageLearner::validate()
{
    ValidationReport report;
    double loss = 0;
    double of_all_heads = 0;
    double weight = 0;
    double tokens = 0;
    double correct = 0;
    m_weights->withAverage([&] {
        const c10::NoGradGuard no_gradients;
        for (std::size_t number = 0; number < m_validation.size(); ++number) {
            const LanguageLoss of_batch = lossOf({m_validation[number], kValidationEpoch, number}, Learning::Everything, Purpose::Validation).loss;
            loss += of_batch.text * of_batch.weight;
            of_all_heads += of_batch.weighted * of_batch.weight;
            weight += of_batch.weight;
            tokens += of_batch.tokens;
            correct += of_batch.correct;
            report.examples += static_cast<std::int64_t>(m_validation[number].size());
        }
    });
    report.text_loss = weight > 0 ? loss / weight : 0;
    report.token_accuracy = tokens > 0 ? correct / tokens : 0;
    report.is_best = m_schedule.judge(m_progress, weight > 0 ? of_all_heads / weight : 0);
    return report;
}

Checkpoint LanguageLearner::checkpoint() const
{
    Checkpoint checkpoint;
    checkpoint.progress = m_progress;
    checkpoint.next = m_next;
    checkpoint.recipe_key = m_recipe_key;
    m_weights->save(checkpoint);
    return checkpoint;
}

void LanguageLearner::restore(const Checkpoint &checkpoint, TrainingWatch &)
{
    m_weights->restore(checkpoint);
    m_progress = checkpoint.progress;
    m_next = checkpoint.next;
    m_plan = plan(m_next.epoch);
    if (m_next.number >= m_plan.size()) {
        throw Error(ErrorKind::Input, "the checkpoint stands behind the last batch of its epoch", {},
                    "The recipe, or what it learns from, has changed; begin a new run");
    }
}

}  // namespace braid::train
