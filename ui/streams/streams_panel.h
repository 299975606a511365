// How a conversation runs: its tempo, how each stream is sampled, the seed, the system's text, the baseline's model. Tempo and sampling
// hold from the next step; seed and system text from the next start, and the panel says so. GUI thread.
#pragma once

#include <string>
#include <vector>

#include <QFrame>

#include "core/streams/layout.h"
#include "ui/shared/slider_row.h"
#include "ui/state/streams_services.h"
#include "ui/streams/lane_look.h"

class QDoubleSpinBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace braid::ui {

class ChoiceBox;

inline constexpr int kMostTempo = 60;  // rows a second; above it is as fast as it goes

// What is set here of one sampled stream.
struct StreamTuning {
    streams::Sampling sampling;
    streams::SilencePenalty penalty;
    friend bool operator==(const StreamTuning &, const StreamTuning &) = default;
};

class StreamsPanel : public QFrame {
    Q_OBJECT
  public:
    explicit StreamsPanel(QWidget *parent = nullptr);
    // Takes the height that what it says needs; call before it is shown, when the style is known.
    void fit();
    // The streams of a layout, as it says they are sampled.
    void setLayoutOfStreams(const streams::Layout &layout);
    // What people call these streams.
    void showNames(const LaneLooks &looks);
    [[nodiscard]] const streams::Layout &layoutOfStreams() const noexcept { return m_layout; }
    // Shows; announces nothing.
    void setTempo(double rows_per_second);
    void setSeed(std::uint64_t seed);
    void setSystemText(const QString &text);
    void setBaselines(const std::vector<StreamsModelEntry> &models, const QString &chosen);

    [[nodiscard]] double tempo() const;
    [[nodiscard]] std::uint64_t seed() const;
    [[nodiscard]] std::string systemText() const;
    [[nodiscard]] QString baseline() const;
    // `layout` with what is set here.
    [[nodiscard]] streams::Layout tuned(streams::Layout layout) const;
    [[nodiscard]] const StreamTuning &tuningOf(int stream) const { return m_tunings[static_cast<std::size_t>(stream)]; }

  Q_SIGNALS:
    void tempoChanged(double rows_per_second);
    void sampledOtherwise(int stream);  // adjust this stream now
    void nextStartChanged();            // seed or system text
    void baselineChanged();

  private:
    void fill();
    void take();
    void resetTuning();
    [[nodiscard]] std::vector<int> chosenStreams() const;

    streams::Layout m_layout;
    std::vector<StreamTuning> m_tunings;  // by stream
    SliderRow m_tempo;
    ChoiceBox *m_stream;
    QDoubleSpinBox *m_temperature;
    QSpinBox *m_top_k;
    QDoubleSpinBox *m_top_p;
    QDoubleSpinBox *m_penalty;
    QPushButton *m_reset;
    QSpinBox *m_seed;
    QPlainTextEdit *m_system;
    ChoiceBox *m_baseline;
    std::vector<QLabel *> m_explanations;
    bool m_filling = false;
};

// "10 steps a second", "as fast as it goes": what the button that opens the panel says.
[[nodiscard]] QString tempoText(double rows_per_second);

}  // namespace braid::ui
