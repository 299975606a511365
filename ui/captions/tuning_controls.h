// Policy and decoding as two controls of a row: a choice of policies and a button that says the chunk and opens the panel. The
// Captions page has one pair, the comparison two. GUI thread.
#pragma once

#include <vector>

#include <QObject>

#include "core/model_access/caption_policies.h"
#include "ui/captions/tuning_panel.h"
#include "ui/state/services.h"

class QPushButton;

namespace braid::ui {

class ChoiceBox;

// Those of the registry that can be chosen for sound that goes on.
[[nodiscard]] std::vector<PolicyEntry> policyEntries(const models::CaptionPolicies &policies);

class TuningControls : public QObject {
    Q_OBJECT
  public:
    // The controls are children of `parent`, to be put into its layout.
    TuningControls(const std::vector<PolicyEntry> &policies, QWidget *parent);

    [[nodiscard]] ChoiceBox &policyBox() noexcept { return *m_policy; }
    [[nodiscard]] QPushButton &decodingButton() noexcept { return *m_button; }
    [[nodiscard]] TuningPanel &panel() noexcept { return *m_panel; }
    [[nodiscard]] const CaptionTuning &tuning() const noexcept { return m_tuning; }
    // As the policies are called: "Streaming, 300 ms, beam 5".
    [[nodiscard]] QString description() const;

    // Shows `tuning`; announces nothing.
    void show(const CaptionTuning &tuning);
    // The model the policies would run on; null while none is chosen.
    void setModel(const ModelEntry *model);
    void setLanguage(const QString &language) { m_tuning.language = language; }
    void openPanel();
    // One step up or down of the chunk, by key.
    void stepChunk(int direction);

  Q_SIGNALS:
    void changed();  // by a person

  private:
    [[nodiscard]] const PolicyEntry *chosenPolicy() const;
    void revise();

    const std::vector<PolicyEntry> &m_policies;
    ChoiceBox *m_policy;
    QPushButton *m_button;
    TuningPanel *m_panel;
    CaptionTuning m_tuning;
    TuningRange m_range;
    bool m_model_streams = false;
    int m_least_chunk_ms = 100;
    int m_most_chunk_ms = 1000;
    int m_own_chunk_ms = 0;
    int m_first_chunk_ms = 0;
};

}  // namespace braid::ui
