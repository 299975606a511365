#include "core/model_access/caption_policies.h"

#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/captions/speech_llm_policy.h"
#include "core/captions/streaming_policy.h"
#include "core/paradigms/paradigm.h"

namespace braid::models {
namespace {

constexpr int kLongestMs = 30000;

// A whole number from `least` to `most`.
PolicySetting number(const std::string &key, const char *unit, int least, int most, const std::function<void(CaptionOptions &, int)> &set)
{
    return {key, unit, [=](const std::string &value, CaptionOptions &options) {
                const bool is_number = !value.empty() && value.size() < 7 && value.find_first_not_of("0123456789") == std::string::npos;
                if (!is_number || std::stoi(value) < least || std::stoi(value) > most) {
                    throw Error(ErrorKind::Usage, "\"" + key + "=" + value + "\" needs a number from " + std::to_string(least) + " to " + std::to_string(most));
                }
                set(options, std::stoi(value));
                return true;
            }};
}

PolicySetting milliseconds(const char *key, int least, const std::function<Sample &(CaptionOptions &)> &target)
{
    return number(key, "MS", least, kLongestMs, [target](CaptionOptions &options, int ms) { target(options) = samplesFromMs(ms); });
}

PolicySetting percent(const char *key, float captions::DoubtOptions::*target)
{
    return number(key, "PERCENT", 0, 100, [target](CaptionOptions &options, int value) { options.doubt.*target = static_cast<float>(value) / 100; });
}

template <typename Names, typename Value>
PolicySetting choice(const char *key, const Names &names, Value CaptionOptions::*target)
{
    std::string values;
    for (const auto &entry : names) {
        values += (values.empty() ? "" : "|") + std::string(std::get<0>(entry));
    }
    return {key, values, [names, target](const std::string &wanted, CaptionOptions &options) {
                const auto found = std::find_if(names.begin(), names.end(), [&wanted](const auto &entry) { return std::get<0>(entry) == wanted; });
                if (found != names.end()) {
                    options.*target = std::get<1>(*found);
                }
                return found != names.end();
            }};
}

// What several policies take.
PolicySetting chunk()
{
    return number("chunk", "MS", 20, 10000, [](CaptionOptions &options, int ms) { options.step_ms = ms; });
}
PolicySetting beam()
{
    return number("beam", "N", 1, 20, [](CaptionOptions &options, int rows) { options.beam_size = rows; });
}
PolicySetting padding()
{
    constexpr std::array<std::pair<std::string_view, captions::WindowPadding>, 2> kPaddings = {
        {{"own", captions::WindowPadding::ModelsOwn}, {"full", captions::WindowPadding::FullWindow}}};
    return choice("pad", kPaddings, &CaptionOptions::window_padding);
}
PolicySetting prompt(const std::function<captions::PromptOptions &(CaptionOptions &)> &target)
{
    return number("prompt", "CHARACTERS", 0, 10000,
                  [target](CaptionOptions &options, int count) { target(options).characters = static_cast<std::size_t>(count); });
}

std::vector<PolicySetting> streamingSettings()
{
    return {chunk(),
            beam(),
            number("first", "MS", 20, 10000, [](CaptionOptions &options, int ms) { options.first_chunk_ms = ms; }),
            number("reencode", "MS", 0, 30000, [](CaptionOptions &options, int ms) { options.reencode_ms = ms; }),
            number("look-back", "N", 0, 8, [](CaptionOptions &options, int tokens) { options.look_back_tokens = tokens; }),
            choice("stability", kStabilityRules, &CaptionOptions::stability),
            choice("word-times", kWordTimeRules, &CaptionOptions::word_times),
            choice("cache", kTokenCaches, &CaptionOptions::token_cache),
            percent("doubt", &captions::DoubtOptions::least_probability),
            percent("doubt-near-silence", &captions::DoubtOptions::least_probability_near_silence),
            percent("silence", &captions::DoubtOptions::silence_probability)};
}

std::vector<PolicySetting> localAgreementSettings()
{
    return {chunk(),
            beam(),
            milliseconds("guard", 0, [](CaptionOptions &o) -> Sample & { return o.local_agreement.commit_guard_samples; }),
            milliseconds("window", 1000, [](CaptionOptions &o) -> Sample & { return o.local_agreement.window_limit_samples; }),
            prompt([](CaptionOptions &o) -> captions::PromptOptions & { return o.local_agreement.prompt; }),
            padding()};
}

std::vector<PolicySetting> alignAttSettings()
{
    return {chunk(),
            milliseconds("threshold", 0, [](CaptionOptions &o) -> Sample & { return o.align_att.frame_threshold_samples; }),
            milliseconds("last", 0, [](CaptionOptions &o) -> Sample & { return o.align_att.last_word_guard_samples; }),
            milliseconds("rewind", 0, [](CaptionOptions &o) -> Sample & { return o.align_att.rewind_samples; }),
            milliseconds("window", 1000, [](CaptionOptions &o) -> Sample & { return o.align_att.window_limit_samples; }),
            milliseconds("keep", 500, [](CaptionOptions &o) -> Sample & { return o.align_att.window_keep_samples; }),
            milliseconds("stall", 500, [](CaptionOptions &o) -> Sample & { return o.align_att.stall_samples; }),
            prompt([](CaptionOptions &o) -> captions::PromptOptions & { return o.align_att.prompt; }),
            padding()};
}

// Paradigms that everybody is offered and that go on reading.
std::vector<std::string> speechParadigms()
{
    std::vector<std::string> names;
    for (const paradigms::ParadigmEntry &entry : paradigms::allParadigms()) {
        if (entry.offered == paradigms::Offered::Everywhere && entry.name != "offline") {
            names.emplace_back(entry.name);
        }
    }
    return names;
}

std::vector<PolicySetting> speechLlmSettings()
{
    PolicySetting verify{"verify", "", {}};
    for (const auto &[name, verification] : drafting::kVerifications) {
        verify.values += (verify.values.empty() ? "" : "|") + std::string(name);
    }
    verify.set = [](const std::string &wanted, CaptionOptions &options) {
        for (const auto &[name, verification] : drafting::kVerifications) {
            if (name == wanted) {
                options.speech_llm.drafting.verification = verification;
                return true;
            }
        }
        return false;
    };
    PolicySetting paradigm{"paradigm", "", {}};
    for (const std::string &name : speechParadigms()) {
        paradigm.values += (paradigm.values.empty() ? "" : "|") + name;
    }
    paradigm.set = [](const std::string &wanted, CaptionOptions &options) {
        const auto known = speechParadigms();
        options.speech_llm.paradigm = wanted;
        return std::find(known.begin(), known.end(), wanted) != known.end();
    };
    return {number("wait-k", "N", 1, 1000, [](CaptionOptions &options, int k) { options.speech_llm.wait_k = k; }),
            number("heads", "N", 1, 6, [](CaptionOptions &options, int heads) { options.speech_llm.drafting.heads = heads; }),
            std::move(verify),
            number("top-m", "N", 1, 100, [](CaptionOptions &options, int most) { options.speech_llm.drafting.top_m = most; }),
            number("threshold", "PERCENT", 1, 100, [](CaptionOptions &options, int value) { options.speech_llm.drafting.threshold = value / 100.0; }),
            std::move(paradigm),
            number("offset", "POSITIONS", 0, 100000, [](CaptionOptions &options, int phi) { options.speech_llm.phi = phi; })};
}

std::vector<PolicySetting> modelsChoiceSettings()
{
    std::vector<PolicySetting> settings = streamingSettings();
    for (PolicySetting &setting : speechLlmSettings()) {
        settings.push_back(std::move(setting));
    }
    return settings;
}

std::vector<PolicySetting> offlineSettings()
{
    constexpr std::array<std::pair<std::string_view, OfflineTemperatures>, 2> kTemperatures = {
        {{"0", OfflineTemperatures::Zero}, {"rising", OfflineTemperatures::Rising}}};
    return {beam(), choice("temperature", kTemperatures, &CaptionOptions::temperatures)};
}

std::unique_ptr<captions::CaptionPolicy> makeLocalAgreement(CaptionModel &model, const CaptionOptions &options)
{
    captions::LocalAgreementOptions policy = options.local_agreement;
    if (options.step_ms > 0) {
        policy.step_samples = samplesFromMs(options.step_ms);
    }
    return std::make_unique<captions::LocalAgreementPolicy>(model.makeWindowRecognizer(options), policy);
}

std::unique_ptr<captions::CaptionPolicy> makeAlignAtt(CaptionModel &model, const CaptionOptions &options)
{
    captions::AlignAttOptions policy = options.align_att;
    if (options.step_ms > 0) {
        policy.step_samples = samplesFromMs(options.step_ms);
    }
    return std::make_unique<captions::AlignAttPolicy>(model.makeStepDecoder(options), policy);
}

std::unique_ptr<captions::CaptionPolicy> makeSpeechLlm(CaptionModel &model, const CaptionOptions &options)
{
    return std::make_unique<captions::SpeechLlmPolicy>(model.makeSegmentTranscriber(options));
}

std::unique_ptr<captions::CaptionPolicy> makeModelsChoice(CaptionModel &model, const CaptionOptions &options)
{
    if (model.summary().kind == CaptionModelKind::SpeechLm) {
        return makeSpeechLlm(model, options);
    }
    if (options.speech_llm.drafting.heads > 1) {
        return makeSpeechLlm(model, options);  // says that this model cannot
    }
    return model.summary().made_for_streaming ? makeStreamingPolicy(model, options) : makeAlignAtt(model, options);
}

}  // namespace

std::unique_ptr<captions::SegmentTranscriber> CaptionModel::makeSegmentTranscriber(const CaptionOptions &)
{
    throw Error(ErrorKind::Usage, "the policy speech-llm needs a language model that listens, and " + summary().name + " is none", {},
                "Choose another policy, or such a model");
}

bool runsOn(const CaptionPolicyEntry &policy, const ModelSummary &model) noexcept
{
    if (policy.runs == PolicyRuns::AsTheModelLikes) {
        return true;
    }
    const bool listens = model.kind == CaptionModelKind::SpeechLm;
    return listens == (policy.runs == PolicyRuns::OnSpeechLanguageModels) && (policy.runs != PolicyRuns::OnStreamingModels || model.made_for_streaming);
}

OfflineOptions offlineOptions(const CaptionOptions &options)
{
    OfflineOptions offline;
    offline.language = options.language;
    offline.task = options.task;
    if (options.beam_size > 0) {
        offline.beam_size = options.beam_size;
    }
    if (options.temperatures == OfflineTemperatures::Zero) {
        offline.temperatures = {0.0f};
    }
    return offline;
}

std::unique_ptr<captions::CaptionPolicy> makeStreamingPolicy(CaptionModel &model, const CaptionOptions &options)
{
    captions::StreamingOptions policy;
    policy.chunk_samples = samplesFromMs(std::max(0, options.step_ms));
    policy.first_chunk_samples = samplesFromMs(std::max(0, options.first_chunk_ms));
    if (options.reencode_ms >= 0) {
        policy.reencode_samples = samplesFromMs(options.reencode_ms);
    }
    policy.beam_size = options.beam_size > 0 ? options.beam_size : captions::kDefaultStreamingBeam;
    policy.look_back_tokens = options.look_back_tokens;
    policy.stability = options.stability;
    policy.word_times = options.word_times;
    policy.rival_count = options.rival_count;
    policy.doubt = options.doubt;
    policy.attention = options.capture_attention ? AttentionWanted::Yes : AttentionWanted::No;
    return std::make_unique<captions::StreamingPolicy>(model.makeStreamingRecognizer(options), policy);
}

bool CaptionPolicyEntry::takes(std::string_view key) const
{
    return std::any_of(settings.begin(), settings.end(), [key](const PolicySetting &setting) { return setting.key == key; });
}

CaptionPolicies::CaptionPolicies()
{
    add({"models-choice", "", "Recommended", "Chosen for the model: Streaming where it was made for that, Language model where it is one, else Quick",
         PolicyRuns::AsTheModelLikes, modelsChoiceSettings(), makeModelsChoice});
    add({"streaming", "streaming", "Streaming", "Every sound is looked at once; the newest pieces of words may still be taken back (CarelessWhisper)",
         PolicyRuns::OnStreamingModels, streamingSettings(), makeStreamingPolicy});
    add({"local-agreement", "la", "Careful", "A word is settled when two looks in a row agree on it (LocalAgreement)", PolicyRuns::OnAnyModel,
         localAgreementSettings(), makeLocalAgreement});
    add({"align-att", "aa", "Quick", "A word is settled when the model did not look at the very end of the sound for it (AlignAtt)", PolicyRuns::OnAnyModel,
         alignAttSettings(), makeAlignAtt});
    add({"speech-llm", "slm", "Language model", "A language model that listens, a stretch of speech at a time; what it wrote is settled at once (wait-k)",
         PolicyRuns::OnSpeechLanguageModels, speechLlmSettings(), makeSpeechLlm});
    add({"offline", "offline", "Offline", "The whole recording at once", PolicyRuns::OnWholeRecordings, offlineSettings(), {}});
}

const CaptionPolicyEntry *CaptionPolicies::find(std::string_view name) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [name](const CaptionPolicyEntry &entry) { return !name.empty() && (entry.name == name || entry.short_name == name); });
    return found != m_entries.end() ? &*found : nullptr;
}

std::string CaptionPolicies::names(const std::function<std::string(const CaptionPolicyEntry &)> &name_of, const std::string &separator,
                                   const std::string &last_separator) const
{
    std::vector<std::string> names;
    for (const CaptionPolicyEntry &entry : m_entries) {
        if (std::string name = name_of(entry); !name.empty()) {
            names.push_back(std::move(name));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == names.size() ? last_separator : separator) + names[i];
    }
    return text;
}

std::unique_ptr<captions::CaptionPolicy> CaptionPolicies::make(CaptionModel &model, const CaptionOptions &options) const
{
    const CaptionPolicyEntry *entry = find(options.policy);
    if (entry == nullptr || !entry->make) {
        throw Error(ErrorKind::Usage, "there is no policy \"" + options.policy + "\" for sound that goes on", {},
                    "There are " + names([](const CaptionPolicyEntry &one) { return one.make ? one.name : std::string(); }, ", ", " and "));
    }
    return entry->make(model, options);
}

std::string settingsText(const CaptionPolicyEntry &entry)
{
    std::string text;
    for (std::size_t i = 0; i < entry.settings.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == entry.settings.size() ? " and " : ", ") + entry.settings[i].key + "=" + entry.settings[i].values;
    }
    return text;
}

CaptionOptions CaptionPolicies::parse(const std::string &text, const CaptionOptions &common) const
{
    const std::string name = text.substr(0, text.find(':'));
    const CaptionPolicyEntry *entry = find(name);
    if (entry == nullptr || entry->short_name.empty()) {
        throw Error(ErrorKind::Usage,
                    "a policy is " + names([](const CaptionPolicyEntry &one) { return one.short_name; }, ", ", " or ") + ", not \"" + name + "\"");
    }
    CaptionOptions options = common;
    options.policy = entry->name;
    std::istringstream settings(name.size() < text.size() ? text.substr(name.size() + 1) : "");
    for (std::string one; std::getline(settings, one, ',');) {
        const std::string given = one.substr(0, one.find('='));
        const std::string key = given == "step" ? "chunk" : given;
        const std::string value = given.size() < one.size() ? one.substr(given.size() + 1) : "";
        const auto is_own = [&](const PolicySetting &setting) { return setting.key == key && setting.set(value, options); };
        if (std::none_of(entry->settings.begin(), entry->settings.end(), is_own)) {
            throw Error(ErrorKind::Usage, "\"" + one + "\" is no setting of " + name, {},
                        entry->settings.empty() ? std::string() : "There are " + settingsText(*entry));
        }
    }
    return options;
}

}  // namespace braid::models
