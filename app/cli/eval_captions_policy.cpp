// What a person says of a policy to evaluate: "streaming:beam=5,chunk=300".
#include <map>
#include <sstream>

#include "app/cli/eval_captions.h"
#include "app/cli/streaming_choices.h"
#include "core/base/error.h"

namespace braid::cli {
namespace {

constexpr const char *kWhere = "braid-cli eval captions";
constexpr int kLongestMs = 30000;

const std::map<std::string, Policy> kNames = {{"streaming", Policy::Streaming}, {"la", Policy::LocalAgreement}, {"local-agreement", Policy::LocalAgreement}, {"aa", Policy::AlignAtt},
                                              {"align-att", Policy::AlignAtt}, {"offline", Policy::Offline}};

// NAME=VALUE of one policy. Each take...() returns whether the setting was its own.
class Setting {
  public:
    explicit Setting(const std::string &text) : m_text(text), m_key(text.substr(0, text.find('='))), m_value(m_key.size() < text.size() ? text.substr(m_key.size() + 1) : "") {}

    [[nodiscard]] bool is(const char *key) const { return m_key == key; }
    [[nodiscard]] int number(int least, int most) const
    {
        const bool is_number = !m_value.empty() && m_value.size() < 7 && m_value.find_first_not_of("0123456789") == std::string::npos;
        if (!is_number || std::stoi(m_value) < least || std::stoi(m_value) > most) {
            throw Error(ErrorKind::Usage, "\"" + m_text + "\" needs a number from " + std::to_string(least) + " to " + std::to_string(most), kWhere);
        }
        return std::stoi(m_value);
    }
    bool take(const char *key, int &target, int least, int most) const
    {
        if (!is(key)) {
            return false;
        }
        target = number(least, most);
        return true;
    }
    bool takeMs(const char *key, Sample &target, int least = 0) const
    {
        if (!is(key)) {
            return false;
        }
        target = samplesFromMs(number(least, kLongestMs));
        return true;
    }
    bool takePercent(const char *key, float &target) const
    {
        if (!is(key)) {
            return false;
        }
        target = static_cast<float>(number(0, 100)) / 100;
        return true;
    }
    bool takePadding(decoding::WindowPadding &padding) const
    {
        return takeChoice<decoding::WindowPadding>("pad", padding, {{"own", decoding::WindowPadding::ModelsOwn}, {"full", decoding::WindowPadding::FullWindow}});
    }
    bool takePrompt(decoding::PromptOptions &prompt) const
    {
        if (!is("prompt")) {
            return false;
        }
        prompt.characters = static_cast<std::size_t>(number(0, 10000));
        return true;
    }
    template <typename Value>
    bool takeChoice(const char *key, Value &target, const Choices<Value> &choices) const
    {
        const Value *found = is(key) ? findChoice(choices, m_value) : nullptr;
        if (found == nullptr) {
            return false;
        }
        target = *found;
        return true;
    }

  private:
    std::string m_text;
    std::string m_key;
    std::string m_value;
};

bool takeStreaming(const Setting &setting, CaptionOptions &options)
{
    return setting.take("first", options.first_chunk_ms, 20, 10000) || setting.take("look-back", options.look_back_tokens, 0, 8)
        || setting.takeChoice("stability", options.stability, kStabilityRules)
        || setting.takePercent("doubt", options.doubt.least_probability) || setting.takePercent("doubt-near-silence", options.doubt.least_probability_near_silence)
        || setting.takePercent("silence", options.doubt.silence_probability)
        || setting.takeChoice("cache", options.token_cache, kTokenCaches);
}

bool takeAlignAtt(const Setting &setting, decoding::AlignAttOptions &options)
{
    return setting.takeMs("threshold", options.frame_threshold_samples) || setting.takeMs("last", options.last_word_guard_samples) || setting.takeMs("rewind", options.rewind_samples)
        || setting.takeMs("window", options.window_limit_samples, 1000) || setting.takeMs("keep", options.window_keep_samples, 500) || setting.takeMs("stall", options.stall_samples, 500)
        || setting.takePrompt(options.prompt);
}

bool takeLocalAgreement(const Setting &setting, decoding::LocalAgreementOptions &options)
{
    return setting.takeMs("guard", options.commit_guard_samples) || setting.takeMs("window", options.window_limit_samples, 1000) || setting.takePrompt(options.prompt);
}

bool takeOffline(const Setting &setting, CaptionOptions &options)
{
    return setting.takeChoice<OfflineTemperatures>("temperature", options.temperatures, {{"0", OfflineTemperatures::Zero}, {"rising", OfflineTemperatures::Rising}});
}

// What there is, for the sentence that refuses something else.
const char *settingsOf(Policy policy)
{
    switch (policy) {
    case Policy::Streaming:
        return "There are chunk=MS, beam=N, first=MS, look-back=N, stability=paper|v1|v2|braid, cache=within|across, doubt=PERCENT, doubt-near-silence=PERCENT and silence=PERCENT.";
    case Policy::AlignAtt:
        return "There are chunk=MS, threshold=MS, last=MS, rewind=MS, window=MS, keep=MS, stall=MS, prompt=CHARACTERS and pad=own|full.";
    case Policy::LocalAgreement:
        return "There are chunk=MS, beam=N, guard=MS, window=MS, prompt=CHARACTERS and pad=own|full.";
    case Policy::Offline:
    case Policy::ModelsChoice:
        break;
    }
    return "There are beam=N and temperature=0|rising.";
}

bool takeOwn(const Setting &setting, CaptionOptions &options)
{
    switch (options.policy) {
    case Policy::Streaming:
        return takeStreaming(setting, options);
    case Policy::AlignAtt:
        return takeAlignAtt(setting, options.align_att) || setting.takePadding(options.window_padding);
    case Policy::LocalAgreement:
        return takeLocalAgreement(setting, options.local_agreement) || setting.takePadding(options.window_padding);
    case Policy::Offline:
    case Policy::ModelsChoice:
        break;
    }
    return takeOffline(setting, options);
}

}  // namespace

EvalPolicy parseEvalPolicy(const std::string &text, const CaptionOptions &common)
{
    EvalPolicy policy{text, common};
    const std::string name = text.substr(0, text.find(':'));
    const auto found = kNames.find(name);
    if (found == kNames.end()) {
        throw Error(ErrorKind::Usage, "a policy is streaming, la, aa or offline, not \"" + name + "\"", kWhere);
    }
    policy.options.policy = found->second;
    std::istringstream settings(name.size() < text.size() ? text.substr(name.size() + 1) : "");
    for (std::string one; std::getline(settings, one, ',');) {
        const Setting setting(one);
        const bool steps = policy.options.policy != Policy::Offline && (setting.take("chunk", policy.options.step_ms, 20, 10000) || setting.take("step", policy.options.step_ms, 20, 10000));
        const bool is_known = steps || (policy.options.policy != Policy::AlignAtt && setting.take("beam", policy.options.beam_size, 1, 20)) || takeOwn(setting, policy.options);
        if (!is_known) {
            throw Error(ErrorKind::Usage, "\"" + one + "\" is no setting of " + name, kWhere, settingsOf(policy.options.policy));
        }
    }
    return policy;
}

std::vector<std::string> singlePolicies(const std::vector<std::string> &given)
{
    std::vector<std::string> policies;
    for (const std::string &list : given) {
        std::istringstream pieces(list);
        for (std::string piece; std::getline(pieces, piece, ',');) {
            if (piece.find('=') < piece.find(':') && !policies.empty()) {
                policies.back() += "," + piece;
            } else if (!piece.empty()) {
                policies.push_back(piece);
            }
        }
    }
    return policies;
}

}  // namespace braid::cli
