#include "core/captions/align_att.h"

#include <algorithm>
#include <utility>

namespace braid::captions {

namespace {

// See LocalAgreement: a window full of unseen sound is taken as it stands up to this before its end.
constexpr Sample kCatchUpMargin = samplesFromSeconds(2);
constexpr int kMostLooksAtTheEnd = 4;
constexpr Sample kShortestSoundWorthALook = samplesFromMs(300);
// No more tokens than a fast speaker needs, spelled in small pieces.
constexpr double kTokensToSpare = 8;
constexpr double kMostTokensPerSecond = 15;
// A token attends to the middle of its sound rather than to its end: a word reaches up to this beyond its last frame when none follows at once.
constexpr Sample kWordReach = samplesFromMs(200);

int mostAttendedFrame(std::span<const float> attention, int frames)
{
    const auto heard = attention.first(std::min(attention.size(), static_cast<std::size_t>(std::max(0, frames))));
    return heard.empty() ? std::max(0, frames - 1) : static_cast<int>(std::max_element(heard.begin(), heard.end()) - heard.begin());
}

}  // namespace

AlignAttPolicy::AlignAttPolicy(std::unique_ptr<StepDecoder> decoder, AlignAttOptions options)
    : m_decoder(std::move(decoder))
    , m_options(options)
    , m_book(options.prompt)
{
}

void AlignAttPolicy::beginUtterance(Sample start_sample)
{
    m_window.restart(start_sample);
    m_book.begin();
    m_settled.clear();
    m_attention.reset();
    m_looked_until = start_sample;
    m_reliability = Reliability::Sound;
}

void AlignAttPolicy::addSound(std::span<const float> sound)
{
    m_window.append(sound);
}

PolicyUpdate AlignAttPolicy::step()
{
    PolicyUpdate update;
    catchUp(update);
    const Sample until = m_window.end();
    if (until > m_looked_until) {
        commit(lookAt(until, Ending::Open, update), until, update);
        trim(until, update);
    }
    update.tail = m_book.tail();
    update.attention = m_attention;
    update.decoded_until_sample = m_looked_until;
    return update;
}

PolicyUpdate AlignAttPolicy::endUtterance()
{
    PolicyUpdate update;
    catchUp(update);
    const Sample until = m_window.end();
    for (int looks = 0; looks < kMostLooksAtTheEnd; ++looks) {
        if (until > m_looked_until || looks > 0) {
            static_cast<void>(lookAt(until, Ending::Final, update));
        }
        commit(m_book.tail().size(), until, update);
        if (m_reliability == Reliability::Sound) {
            break;
        }
        dropSoundBefore(std::max(settledUntil(), m_window.start() + m_window.length() / kMostLooksAtTheEnd));
        if (m_window.length() < kShortestSoundWorthALook) {
            break;
        }
    }
    update.attention = m_attention;
    update.decoded_until_sample = until;
    beginUtterance(until);
    return update;
}

// Decodes what comes after the committed words in the window up to `until`.
std::size_t AlignAttPolicy::lookAt(Sample until, Ending ending, PolicyUpdate &update)
{
    const std::vector<Decoded> tokens = decode(until, update);
    m_looked_until = until;

    std::vector<text::Word> heard = timedWords(tokens, until);
    const std::size_t plausible = plausibleCount(m_book.settled(), heard, settledUntil());
    if (plausible < heard.size()) {
        heard.resize(plausible);
        m_reliability = Reliability::Doubtful;
    }
    m_book.setTail(std::move(heard), until);

    const std::vector<text::Word> &words = m_book.tail();
    if (ending == Ending::Final) {
        return words.size();
    }
    // A word is settled when all its tokens are, and the very last one only when there is silence enough behind it: it may be cut off.
    std::size_t settled_words = 0;
    auto token = tokens.begin();
    for (const text::Word &word : words) {
        const auto end = token + static_cast<std::ptrdiff_t>(std::min<std::size_t>(word.tokens.size(), static_cast<std::size_t>(tokens.end() - token)));
        if (std::any_of(token, end, [](const Decoded &decoded) { return decoded.is_held; })) {
            break;
        }
        ++settled_words;
        token = end;
    }
    if (settled_words > 0 && settled_words == words.size() && words.back().end_sample > until - m_options.last_word_guard_samples) {
        --settled_words;
    }
    return settled_words;
}

// Greedy decoding beyond the committed tokens, to the end of the transcript or to where the attention loses its place.
std::vector<AlignAttPolicy::Decoded> AlignAttPolicy::decode(Sample until, PolicyUpdate &update)
{
    const Sample start = m_window.start();
    m_decoder->setSound(m_window.until(until), start);
    std::vector<std::int32_t> forced;
    for (const Settled &settled : m_settled) {
        forced.push_back(settled.token_id);
    }
    m_decoder->begin(m_book.prompt().before(start), forced);

    const Sample frame_samples = std::max<Sample>(1, m_decoder->frameSamples());
    const int frames = m_decoder->frames();
    const double most_tokens = kTokensToSpare + kMostTokensPerSecond * secondsFromSamples(until - settledUntil());
    Sample furthest = std::max(start, settledUntil() - frame_samples);
    std::vector<Decoded> tokens;
    auto map = std::make_shared<AttentionMap>();
    map->first_column_sample = start;
    map->column_samples = frame_samples;
    map->columns = frames;
    bool is_held = false;
    m_reliability = Reliability::Doubtful;
    while (static_cast<double>(tokens.size()) < most_tokens) {
        DecodedStep next = m_decoder->next();
        ++update.decoder_steps;
        if (next.is_end) {
            m_reliability = Reliability::Sound;
            break;
        }
        const Sample attended = start + mostAttendedFrame(next.attention, frames) * frame_samples;
        if (attended < furthest - m_options.rewind_samples) {
            break;
        }
        m_decoder->accept(next.token.id);
        furthest = std::max(furthest, attended);
        is_held = is_held || attended >= until - m_options.frame_threshold_samples;
        std::string label = m_decoder->textOf(std::span(&next.token.id, 1));
        map->row_starts.push_back(map->rows > 0 && !label.starts_with(' ') ? map->row_starts.back() : attended);
        map->row_labels.push_back(std::move(label));
        next.attention.resize(static_cast<std::size_t>(frames), 0.0f);
        map->weights.insert(map->weights.end(), next.attention.begin(), next.attention.end());
        map->rows += 1;
        tokens.push_back({std::move(next.token), furthest, is_held});
    }
    if (map->rows > 0) {
        m_attention = std::move(map);
    }
    return tokens;
}

std::vector<text::Word> AlignAttPolicy::timedWords(std::span<const Decoded> tokens, Sample until) const
{
    std::vector<text::Token> plain;
    plain.reserve(tokens.size());
    for (const Decoded &decoded : tokens) {
        plain.push_back(decoded.token);
    }
    std::vector<text::Word> words = m_decoder->words(plain);

    std::size_t at = 0;
    for (text::Word &word : words) {
        const auto own = tokens.subspan(at, std::min(word.tokens.size(), tokens.size() - at));
        at += own.size();
        word.time_method = text::WordTimeMethod::CrossAttention;
        if (own.empty()) {
            continue;
        }
        word.start_sample = own.front().attended_sample;
        word.end_sample = own.back().attended_sample + m_decoder->frameSamples();
        word.probability = 0;
        for (const Decoded &decoded : own) {
            word.probability += decoded.token.probability / static_cast<float>(own.size());
        }
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Sample next = i + 1 < words.size() ? words[i + 1].start_sample : until;
        words[i].end_sample = std::max(words[i].end_sample, std::min(next, words[i].end_sample + kWordReach));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {  // a word that begins in the last frame of the sound is still a word
        words[i].start_sample = std::min(words[i].start_sample, until - 1);
    }
    putInOrder(words, settledUntil(), until);
    return words;
}

void AlignAttPolicy::commit(std::size_t count, Sample heard, PolicyUpdate &update)
{
    const std::size_t before = update.committed.size();
    m_book.commit(count, heard, update);
    for (const text::Word &word : std::span(update.committed).subspan(before)) {
        for (const text::Token &token : word.tokens) {
            m_settled.push_back({token.id, word.end_sample});
        }
    }
}

// More sound than the decoder takes at once: the machine has fallen behind.
void AlignAttPolicy::catchUp(PolicyUpdate &update)
{
    const Sample maximum = m_decoder->maximumSamples();
    while (m_window.length() > maximum) {
        const Sample until = m_window.start() + maximum;
        static_cast<void>(lookAt(until, Ending::Open, update));
        const Cut cut = planCut(m_book.tail(), settledUntil(), std::max(settledUntil() + 1, until - std::min(kCatchUpMargin, maximum / 4)));
        commit(cut.words, until, update);
        dropSoundBefore(cut.sample);
    }
}

// Keeps the window below its limit: drops the oldest sound with the tokens aligned to it. Where nothing has settled for too long, the
// older words settle as they stand, because nothing said may be lost.
void AlignAttPolicy::trim(Sample until, PolicyUpdate &update)
{
    // Decoding has run dry or lost its place behind the committed words: the next look begins there, with them as prompt.
    if (m_book.tail().empty() && settledUntil() > m_window.start() && until - settledUntil() > m_options.stall_samples) {
        dropSoundBefore(settledUntil());
    }

    const Sample limit = std::min(m_options.window_limit_samples, m_decoder->maximumSamples() * 3 / 4);
    if (m_window.length() <= limit) {
        return;
    }
    const Sample target = until - std::min(m_options.window_keep_samples, limit / 2);
    const auto last = std::find_if(m_settled.rbegin(), m_settled.rend(), [target](const Settled &settled) { return settled.end_sample <= target; });
    if (last != m_settled.rend()) {
        dropSoundBefore(last->end_sample);
    }
    if (m_window.length() > limit) {
        const Cut cut = planCut(m_book.tail(), m_window.start(), target);
        commit(cut.words, until, update);
        dropSoundBefore(cut.sample);
    }
}

void AlignAttPolicy::dropSoundBefore(Sample sample)
{
    m_window.dropBefore(sample);
    m_book.forgetBefore(m_window.start());
    std::erase_if(m_settled, [this](const Settled &settled) { return settled.end_sample <= m_window.start(); });
}

}  // namespace braid::captions
