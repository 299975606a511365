// Lanes as a person has them: their menu, their order and folding, names and colours. Kept in the settings by layout, and given to both views of
// lanes. GUI thread; what it is made from outlives it.
#pragma once

#include <functional>

#include <QObject>

#include "ui/shared/appearance.h"
#include "ui/state/settings.h"
#include "ui/streams/lane_look.h"

class QPoint;

namespace braid::ui {

class AnswerPanel;
class LanesView;
class StreamsRun;
class TypingLine;

class LanePreferences : public QObject {
    Q_OBJECT
  public:
    LanePreferences(SettingsStore &settings, Appearance &appearance, StreamsRun &run, LanesView &lanes, LanesView &baseline_lanes, TypingLine &typing,
                    AnswerPanel &answer)
        : m_settings(settings)
        , m_appearance(appearance)
        , m_run(run)
        , m_lanes(lanes)
        , m_baseline_lanes(baseline_lanes)
        , m_typing(typing)
        , m_answer(answer)
    {
    }
    void showMenu(int stream, const QPoint &global_position);
    void changeLook(int stream, const std::function<void(LaneLook &)> &change);
    // The order and folding of the lanes as they are now.
    void keepArrangement();
    // Unfolds a lane.
    void open(int stream);
    // What the settings say of the present layout.
    void apply();

  Q_SIGNALS:
    void applied();
    void voiceChanged();    // a stream was switched on or off
    void figuresChanged();  // another stream is the answer

  private:
    SettingsStore &m_settings;
    Appearance &m_appearance;
    StreamsRun &m_run;
    LanesView &m_lanes;
    LanesView &m_baseline_lanes;
    TypingLine &m_typing;
    AnswerPanel &m_answer;
};

}  // namespace braid::ui
