// The registry of caption policies: each is one line of CaptionPolicies' constructor, or of whoever adds one. The command line, its help, `eval captions
// --policies`, the window's choices and Compare all read it.
//
// Thread: filled on one, then const from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/captions/caption_policy.h"
#include "core/model_access/caption_model.h"

namespace braid::models {

// KEY=VALUE of a policy, as in "streaming:beam=5".
struct PolicySetting {
    std::string key;
    std::string values;  // for people: "MS", "own|full"
    // Returns whether there is such a value. Throws Error(Usage) for a number out of its range.
    std::function<bool(const std::string &value, CaptionOptions &options)> set;
};

enum class PolicyRuns : std::uint8_t {
    OnAnyModel = 1,
    OnStreamingModels,       // whose encoder sees no future; has beams and a look-back
    OnSpeechLanguageModels,  // CaptionModelKind::SpeechLm, on which no other runs
    AsTheModelLikes,         // as another policy, by the model; asked for by asking for none
    OnWholeRecordings,       // makes no policy: CaptionModel::transcribe()
};

struct CaptionPolicyEntry {
    std::string name;         // "local-agreement"
    std::string short_name;   // "la": as `eval captions` calls it too; empty: it cannot be evaluated
    std::string title;        // "Careful"
    std::string description;  // a sentence without its dot
    PolicyRuns runs = PolicyRuns::OnAnyModel;
    std::vector<PolicySetting> settings;
    std::function<std::unique_ptr<captions::CaptionPolicy>(CaptionModel &model, const CaptionOptions &options)> make;  // empty: OnWholeRecordings
    [[nodiscard]] bool takes(std::string_view key) const;
};

class CaptionPolicies {
  public:
    // Those of Braid.
    CaptionPolicies();
    void add(CaptionPolicyEntry entry) { m_entries.push_back(std::move(entry)); }

    [[nodiscard]] const std::vector<CaptionPolicyEntry> &entries() const noexcept { return m_entries; }
    // By name or short name; null where there is none.
    [[nodiscard]] const CaptionPolicyEntry *find(std::string_view name) const;
    // "streaming, la, aa or offline": the names for which `wanted` holds, "-" left out.
    [[nodiscard]] std::string names(const std::function<std::string(const CaptionPolicyEntry &)> &name_of, const std::string &separator,
                                    const std::string &last_separator) const;

    // The policy that `options` name, over `model`; it keeps what it needs of the model alive. Throws Error(Usage).
    [[nodiscard]] std::unique_ptr<captions::CaptionPolicy> make(CaptionModel &model, const CaptionOptions &options) const;
    // "streaming:beam=5,chunk=300,stability=paper" said on top of `common`. Throws Error(Usage) naming what is possible.
    [[nodiscard]] CaptionOptions parse(const std::string &text, const CaptionOptions &common) const;

  private:
    std::vector<CaptionPolicyEntry> m_entries;
};

// "There are chunk=MS, beam=N and pad=own|full.", or with another `last` and without the frame.
[[nodiscard]] std::string settingsText(const CaptionPolicyEntry &entry);

// Whether a policy runs on a model, as far as its description tells.
[[nodiscard]] bool runsOn(const CaptionPolicyEntry &policy, const ModelSummary &model) noexcept;

// The streaming policy over a model, whatever the model likes.
[[nodiscard]] std::unique_ptr<captions::CaptionPolicy> makeStreamingPolicy(CaptionModel &model, const CaptionOptions &options);

}  // namespace braid::models
