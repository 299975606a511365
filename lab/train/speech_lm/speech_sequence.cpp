#include "lab/train/speech_lm/speech_sequence.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/paradigms/visibility.h"

namespace braid::train {
namespace {

// One row: a token, where it stands, and what it sees.
struct Row {
    std::int32_t token = 0;
    std::int32_t stream = paradigms::kSource;
    double position = 0;
    std::size_t source_seen = 0;  // the first so many source rows
    std::size_t target_seen = 0;  // and target tokens
    std::int32_t label = Sequence::kNoLabel;
    std::size_t label_at = 0;  // of the target; 0: none behind it are learnt
};

// Of `first` to `last` - 1 at most `most`, the first and the last among them.
std::vector<std::int64_t> spread(std::int64_t first, std::int64_t last, std::int64_t most)
{
    const std::int64_t count = std::min(std::max<std::int64_t>(0, last - first), most);
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < count; ++i) {
        chosen.push_back(count == 1 ? first : first + i * (last - 1 - first) / (count - 1));
    }
    return chosen;
}

}  // namespace

std::vector<std::int64_t> rowsOfSegments(Sample samples, Sample segment_samples, Sample look_ahead_samples, Sample frame_samples, std::int64_t stack)
{
    const std::int64_t whole = std::max<Sample>(0, samples - look_ahead_samples) / segment_samples;
    const std::int64_t frames = (samples + frame_samples - 1) / frame_samples;
    const std::int64_t all = (frames + stack - 1) / stack;
    std::vector<std::int64_t> rows;
    std::int64_t before = 0;
    for (std::int64_t segment = 1; segment <= whole; ++segment) {
        const std::int64_t until = segment * (segment_samples / frame_samples) / stack;
        rows.push_back(until - before);
        before = until;
    }
    if (all > before) {
        rows.push_back(all - before);
    }
    return rows;
}

std::vector<std::int64_t> segmentsRead(const SpokenWords &words, std::int64_t segments, const SpeechReading &reading)
{
    std::vector<std::int64_t> read;
    std::int64_t before = 0;
    for (std::size_t word = 0; word < words.tokens.size(); ++word) {
        std::int64_t wanted = std::min(reading.k + static_cast<std::int64_t>(word), segments + 1);
        if (word < words.ends.size()) {
            const std::int64_t heard = (words.ends[word] + reading.segment_samples - 1) / reading.segment_samples;
            wanted = std::max(wanted, std::clamp<std::int64_t>(heard, 1, segments));
        }
        before = std::max(before, wanted);
        read.push_back(before);
    }
    read.push_back(segments + 1);
    return read;
}

Sequence speechSequence(const text::TranslationFrame &frame, std::span<const std::int64_t> rows, const SpokenWords &words, const SpeechReading &reading)
{
    if (rows.empty() || reading.k < 1) {
        throw Error(ErrorKind::Internal, "speech to be learnt has no segment, or a k below 1");
    }
    const auto segments = static_cast<std::int64_t>(rows.size());
    std::vector<std::int32_t> source = frame.prompt();
    std::vector<std::size_t> read_until = {source.size()};  // source rows once so many segments are read
    for (const std::int64_t count : rows) {
        source.insert(source.end(), static_cast<std::size_t>(count), kSpeechRow);
        read_until.push_back(source.size());
    }
    source.push_back(frame.end());
    read_until.push_back(source.size());

    std::vector<std::int32_t> target = frame.header();
    std::vector<std::size_t> word_ends = {target.size()};
    for (const auto &word : words.tokens) {
        target.insert(target.end(), word.begin(), word.end());
        word_ends.push_back(target.size());
    }
    target.push_back(frame.end());
    const std::vector<std::int64_t> read = segmentsRead(words, segments, reading);

    std::vector<Row> all;
    for (std::size_t i = 0; i < source.size(); ++i) {
        all.push_back({source[i], paradigms::kSource, static_cast<double>(i), i + 1, 0});
    }
    std::size_t word = 0;  // that the token at i belongs to; 0: the header
    for (std::size_t i = 0; i + 1 < target.size(); ++i) {
        word += i == word_ends[word] ? 1 : 0;
        const bool is_last = i + 1 == word_ends[word];
        const std::int64_t sees = is_last ? read[word] : word == 0 ? 0 : read[word - 1];
        Row row{target[i],
                paradigms::kTarget,
                reading.phi + static_cast<double>(i),
                read_until[static_cast<std::size_t>(sees)],
                i + 1,
                i + 1 < word_ends.front() ? Sequence::kNoLabel : target[i + 1],
                i + 1};
        all.push_back(row);
    }
    // Behind all that is seen: the last token of the word before each word, while the word may not be written yet.
    std::int64_t before = 0;
    for (std::size_t next = 0; next < word_ends.size(); ++next) {
        const std::size_t last = word_ends[next] - 1;
        const std::int64_t asked = std::max(before, std::min(reading.k + static_cast<std::int64_t>(next), segments + 1));
        for (const std::int64_t sees : spread(asked, read[next], reading.most_waiting_rows)) {
            Row row = all[source.size() + last];
            row.source_seen = read_until[static_cast<std::size_t>(sees)];
            row.target_seen = last;  // and itself
            row.label = frame.end();
            row.label_at = 0;
            all.push_back(row);
        }
        before = read[next];
    }

    Sequence sequence;
    const std::size_t count = all.size();
    sequence.later = static_cast<std::size_t>(reading.heads - 1);
    sequence.later_labels.assign(count * sequence.later, Sequence::kNoLabel);
    sequence.seen.assign(count * count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const Row &row = all[i];
        sequence.tokens.push_back(row.token);
        sequence.positions.push_back(row.position);
        sequence.streams.push_back(row.stream);
        sequence.labels.push_back(row.label);
        sequence.weights.push_back(row.label == Sequence::kNoLabel ? 0.0f : 1.0f);
        const auto seen = sequence.seen.begin() + static_cast<std::ptrdiff_t>(i * count);
        std::fill_n(seen, row.source_seen, std::uint8_t{1});
        std::fill_n(seen + static_cast<std::ptrdiff_t>(source.size()), row.target_seen, std::uint8_t{1});
        seen[static_cast<std::ptrdiff_t>(i)] = 1;
        for (std::size_t head = 0; row.label_at > 0 && row.label != Sequence::kNoLabel && head < sequence.later && row.label_at + head + 1 < target.size();
             ++head) {
            sequence.later_labels[i * sequence.later + head] = target[row.label_at + head + 1];
        }
    }
    return sequence;
}

}  // namespace braid::train
