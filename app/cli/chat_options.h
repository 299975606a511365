// What `braid-cli chat` takes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/journal_options.h"
#include "app/cli/model_options.h"
#include "core/streams/streams_session.h"

namespace braid::cli {

enum class ChatFormat : std::uint8_t { Live = 1, Table, Json };

struct ChatOptions {
    StreamsModelOptions model;
    bool model_given = false;
    streams::StreamsForm form = streams::StreamsForm::Parallel;
    std::string system;
    std::string script;    // a file of words with their rows
    std::string captions;  // a recording whose captions are the user's words
    std::string captions_model = models::kCaptionModelInTheBox;
    std::string microphone;  // whose captions are; empty: the default one
    bool microphone_given = false;
    std::string open;  // a conversation to play
    streams::Playback playback = streams::Playback::AtTempo;
    std::string save;
    CLI::Option *overwrite = nullptr;
    std::uint64_t seed = 0;
    double rows_per_second = 0;
    bool rows_per_second_given = false;
    std::vector<std::string> switched_off;  // streams by name
    std::optional<double> temperature, top_p, silence_penalty;
    std::optional<int> top_k;
    ChatFormat format = ChatFormat::Live;
    JournalOptions journal;
};

// The sub-command; `callback` is called when the command line names it. `options` must outlive the parsing.
void declareChat(CLI::App &app, ChatOptions &options, std::function<void()> callback);

// Sampling and penalties for all sampled streams, as given. Throws Error(Usage), Error(Input).
void adjustStreams(const ChatOptions &options, streams::Layout &layout);

}  // namespace braid::cli
