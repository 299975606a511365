#include "lab/train/replicas.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "lab/train/batch_parts.h"

namespace braid::train {

namespace {

constexpr std::uint64_t kDropoutStream = 31;
constexpr std::uint64_t kReplacementStream = 37;

LossParts learnPart(const Network &network, const Batch &part, const TextFrame &text, LossSettings settings, Random dropped, Random replaced)
{
    settings.dropout.random = &dropped;
    LossParts losses = computeLosses(network, part, text, settings, replaced);
    losses.total.backward();
    losses.total.reset();  // and with it the graph
    return losses;
}

}  // namespace

Replicas::Replicas(const Network &network, std::int64_t count, int threads, std::shared_ptr<World> world)
    : m_network(network)
    , m_threads(threads)
    , m_world(std::move(world))
{
    for (std::int64_t i = 1; i < count; ++i) {
        m_others.push_back(network.sharing());
    }
}

LossParts Replicas::learn(const Batch &batch, const TextFrame &text, const LossSettings &settings, std::initializer_list<std::uint64_t> seed)
{
    std::vector<Batch> split;
    const std::size_t each = m_others.size() + 1;  // of the parts, at most
    const std::size_t count = each * static_cast<std::size_t>(m_world->size());
    if (count > 1) {
        split = splitBatch(batch, static_cast<std::int64_t>(count), m_network.dims().strides());
    }
    const std::span<const Batch> all = split.empty() ? std::span(&batch, 1) : std::span<const Batch>(split);
    const std::size_t first = std::min(all.size(), each * static_cast<std::size_t>(m_world->rank()));
    const std::span<const Batch> parts = all.subspan(first, std::min(each, all.size() - first));
    const std::uint64_t mixed = Random(seed).next();
    const auto learn = [&](std::size_t part) {
        return learnPart(part == 0 ? m_network : m_others[part - 1], parts[part], text, settings, Random({mixed, kDropoutStream, first + part}),
                         Random({mixed, kReplacementStream, first + part}));
    };
    // A GPU's dropout draws from libtorch's own generator; seeded anew for every step, nothing of it has to be saved.
    at::manual_seed(mixed);
    std::vector<std::future<LossParts>> others;
    for (std::size_t part = 1; part < parts.size(); ++part) {
        others.push_back(std::async(std::launch::async, [&learn, part, this] {
            at::set_num_threads(m_threads);
            return learn(part);
        }));
    }
    LossParts sum = parts.empty() ? LossParts() : learn(0);
    for (std::future<LossParts> &other : others) {
        const LossParts losses = other.get();
        sum.text += losses.text;
        sum.frames += losses.frames;
        sum.attention += losses.attention;
        sum.features += losses.features;
        sum.tokens += losses.tokens;
        sum.correct_tokens += losses.correct_tokens;
    }
    for (double *mean : {&sum.text, &sum.frames, &sum.attention, &sum.features}) {
        *mean /= static_cast<double>(std::max<std::size_t>(1, parts.size()));
    }
    if (parts.size() > 1) {
        gatherGradients(parts.size());
    }
    if (!m_world->isAlone()) {
        joinProcesses(sum, parts.size());
    }
    return sum;
}

void Replicas::joinProcesses(LossParts &means, std::size_t own_parts)
{
    const auto weight = static_cast<double>(own_parts);
    const double total = averageGradients(*m_world, m_network.parameters(), weight);
    std::vector<double> sums = {means.text * weight,     means.frames * weight, means.attention * weight,
                                means.features * weight, means.tokens,          means.correct_tokens};
    m_world->sumNumbers(sums);
    means.text = sums[0] / total;
    means.frames = sums[1] / total;
    means.attention = sums[2] / total;
    means.features = sums[3] / total;
    means.tokens = sums[4];
    means.correct_tokens = sums[5];
}

void Replicas::gatherGradients(std::size_t parts)
{
    const c10::NoGradGuard no_gradients;
    for (const auto &[name, parameter] : m_network.parameters()) {
        at::Tensor total = parameter.grad();
        for (std::size_t part = 1; part < parts; ++part) {
            at::Tensor own = m_others[part - 1].parameters().at(name);
            if (own.grad().defined()) {
                total = total.defined() ? total.add_(own.grad()) : own.grad();
                own.mutable_grad().reset();
            }
        }
        if (total.defined()) {
            at::Tensor target = parameter;
            target.mutable_grad() = total.mul_(1.0 / static_cast<double>(parts));
        }
    }
}

}  // namespace braid::train
