// A talk heard by the streaming policy over a scripted causal model, and what was said of it. Header only.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <QString>

#include "core/captions/streaming_policy.h"
#include "tests/core/captions/scripted_streaming.h"

namespace braid::test {

using captions::PolicyUpdate;
using captions::StreamingOptions;
using captions::StreamingPolicy;

struct Talk {
    Script script;
    ScriptedStreamingRecognizer *model = nullptr;
    std::unique_ptr<StreamingPolicy> policy;
    Listener listener;
    Sample start = 0;
    Sample heard = 0;
    int most_passes_in_a_step = 0;
    std::int64_t most_frames_in_a_step = 0;
    Sample longest_window = 0;
    std::vector<PolicyUpdate> updates;  // the newest only, unless kept
    bool keeps_updates = false;

    explicit Talk(Script words, StreamingHearing hearing = {}, StreamingOptions options = {}, Sample begin = 0)
        : script(std::move(words))
        , start(begin)
        , heard(begin)
    {
        auto owned = std::make_unique<ScriptedStreamingRecognizer>(script, hearing);
        model = owned.get();
        policy = std::make_unique<StreamingPolicy>(std::move(owned), options);
        policy->beginUtterance(start);
        model->windows = 1;
        model->starts = {start};
    }

    void hearUntil(Sample until, Sample pieces = 0)
    {
        while (heard < until) {
            const Sample step = pieces > 0 ? pieces : policy->stepSamples();
            const Sample take = std::min(step, until - heard);
            policy->addSound(soundOf(script, heard, heard + take));
            heard += take;
            if (take < step) {
                return;
            }
            const int passes_before = model->decoderPasses();
            const std::int64_t frames_before = model->encoded_frames;
            PolicyUpdate update = policy->step();
            most_passes_in_a_step = std::max(most_passes_in_a_step, model->decoderPasses() - passes_before);
            most_frames_in_a_step = std::max(most_frames_in_a_step, model->encoded_frames - frames_before);
            longest_window = std::max(longest_window, policy->windowSamples());
            listener.take(update, start, heard);
            if (!keeps_updates) {
                updates.clear();
            }
            updates.push_back(std::move(update));
        }
    }
    void end() { listener.take(policy->endUtterance(), start, heard); }
    void hearAll()
    {
        hearUntil(script.back().end_sample + samplesFromMs(700));
        end();
    }
};

// What of the script was not said as it was, and which promise was broken; empty: nothing.
inline QString lost(const Talk &talk)
{
    return QString::fromStdString(difference(talk.script, talk.listener.committed) + talk.listener.broken_promise);
}

// A talk without a pause of half a second.
inline Script restlessTalk(std::mt19937 &random, Sample until)
{
    Script script;
    const std::vector<std::string> known = {"that", "you", "can", "ask", "country", "fellow", "what", "Americans", "do", "for", "and", "it's"};
    for (Sample at = samplesFromMs(200); at < until;) {
        const Sample length = samplesFromMs(150 + random() % 350);
        script.push_back({known[random() % known.size()], at, at + length});
        at += length + samplesFromMs(random() % 3 == 0 ? 60 + random() % 200 : 0);
    }
    return script;
}

}  // namespace braid::test
