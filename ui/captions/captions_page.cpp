#include "ui/captions/captions_page.h"

#include <algorithm>

#include <QMenu>
#include <QSplitter>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "ui/captions/choices_row.h"
#include "ui/captions/empty_page.h"
#include "ui/captions/player_bar.h"
#include "ui/captions/queue_panel.h"
#include "ui/captions/timeline_view.h"
#include "ui/captions/transcript_menu.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/translate_choice.h"
#include "ui/captions/tuning_controls.h"
#include "ui/captions/welcome_card.h"
#include "ui/captions/word_card.h"
#include "ui/inspector/attention_view.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/shared/async.h"
#include "ui/shared/find_bar.h"
#include "ui/shared/page_frame.h"
#include "ui/shared/status_line.h"
#include "ui/state/corrections.h"
#include "ui/state/playback.h"

namespace braid::ui {
namespace {

// A word cut out exactly sounds clipped.
constexpr Sample kPlayBefore = samplesFromMs(60);
constexpr Sample kPlayAfter = samplesFromMs(120);
constexpr int kRoomForPlayer = 480;  // of the page's height; keys play on a lower one
const QString kTranslatorNotice = QStringLiteral("translator");

}  // namespace

CaptionsPage::CaptionsPage(Services &services, SettingsStore &settings, Appearance &appearance, CaptionController &controller, QWidget *parent)
    : RoomPage(parent)
    , m_services(services)
    , m_settings(settings)
    , m_appearance(appearance)
    , m_controller(controller)
    , m_choices(new ChoicesRow(services, settings, this))
    , m_queue(new CaptionQueue(
          controller, [this](const std::filesystem::path &file, QString &problem) { return m_choices->choicesForFile(file, problem); }, this))
    , m_queue_panel(new QueuePanel(*m_queue, this))
    , m_paper(new QWidget(this))
    , m_notices(new NoticeStack(m_paper))
    , m_transcript(new TranscriptView(controller.transcript(), appearance, m_paper))
    , m_corrections(new Corrections(controller, this))
    , m_playback(new Playback(controller, *services.player, this))
    , m_find(new FindBar(m_transcript->finder(), *m_transcript, tr("Find in captions"), FindBar::Place::TopRight, m_paper))
    , m_empty(new EmptyState(*m_transcript->viewport(), appearance))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_inspector(new InspectorPanel(controller, appearance, this))
    , m_player_bar(new PlayerBar(*m_playback, appearance, this))
    , m_timeline(new TimelineView(controller.transcript(), controller.peaks(), appearance, this))
    , m_status(new StatusLine(appearance, this))
    , m_card(new WordCard(this))
{
    setObjectName(QStringLiteral("page"));
    layOutPaper(*m_paper, *m_notices)->addWidget(m_transcript, 1);
    m_splitter->addWidget(m_paper);
    m_splitter->addWidget(m_inspector);
    setUpColumns(*m_splitter);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_choices);
    layout->addWidget(m_queue_panel);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_player_bar);
    layout->addWidget(m_timeline);
    layout->addWidget(m_status);
    QWidget::setTabOrder(m_choices, m_transcript);
    QWidget::setTabOrder(m_transcript, m_timeline);

    connectChoices();
    connectQueue();
    connectWords();
    connectController();
    connectCorrections();
    connectPlayback();
    openInspectorTab(settings.values().inspector_page);
    setInspectorOpen(settings.values().inspector_open);
    applyLineTimes();
    showCompute();
    reviseEmptyState();
    m_transcript->setFocus();
}

void CaptionsPage::applyLineTimes()
{
    m_transcript->setDayTimes(m_settings.values().line_times == LineTimes::OfDay ? &m_controller.dayTimes() : nullptr);
}

void CaptionsPage::connectChoices()
{
    connect(m_choices, &ChoicesRow::startStopRequested, this, &CaptionsPage::startOrStop);
    connect(m_choices, &ChoicesRow::openRequested, this, &CaptionsPage::openDialog);
    connect(m_choices, &ChoicesRow::choiceChanged, this, &CaptionsPage::restartIfRunning);
    connect(m_choices, &ChoicesRow::tuningChanged, &m_controller, &CaptionController::retune);
    connect(&m_choices->translate(), &TranslateChoice::changed, this, [this] {
        const QString problem = m_choices->translate().problem();
        if (problem.isEmpty()) {
            m_notices->remove(kTranslatorNotice);
        } else {
            m_notices->add({Severity::Warn, problem, {}, {}, kTranslatorNotice});
        }
    });
    connect(m_choices, &ChoicesRow::compareRequested, this, &CaptionsPage::compareRequested);
    connect(&m_settings, &SettingsStore::changed, this, [this](const Settings &before) {
        const Settings &now = m_settings.values();
        if (before.line_times != now.line_times) {
            applyLineTimes();
        }
        if (!(before.compute == now.compute)) {
            showCompute();
        }
        if (!(before.compute == now.compute) || before.preroll_ms != now.preroll_ms || before.hangover_ms != now.hangover_ms ||
            before.line_ends != now.line_ends || before.line_pause_ms != now.line_pause_ms) {
            restartIfRunning();
        }
    });
}

void CaptionsPage::setTranslations(const LineTranslations *translations)
{
    m_translations = translations;
    m_transcript->setTranslations(translations);
}

KeyUse CaptionsPage::takeKey(int key)
{
    switch (key) {
    case Qt::Key_T:
        m_choices->translate().openMenu();
        break;
    case Qt::Key_K:
        m_playback->playOrPause();
        break;
    case Qt::Key_Less:
        m_playback->stepSpeed(-1);
        break;
    case Qt::Key_Greater:
        m_playback->stepSpeed(1);
        break;
    case Qt::Key_R:
        m_playback->setLoop(m_playback->loop() == PlaybackLoop::Off ? PlaybackLoop::Line : PlaybackLoop::Off);
        break;
    default:
        return KeyUse::NotMine;
    }
    return KeyUse::Taken;
}

void CaptionsPage::connectWords()
{
    connect(m_transcript, &TranscriptView::captionSizeRequested, this, &CaptionsPage::captionSizeRequested);
    connect(m_transcript, &TranscriptView::hoveredChanged, this, [this] {
        m_card->hide();
        showInspected();
    });
    connect(m_transcript, &TranscriptView::factsRequested, this, &CaptionsPage::showFacts);
    connect(m_inspector, &InspectorPanel::tabChanged, this,
            [this](InspectorTab tab) { m_settings.update([tab](Settings &s) { s.inspector_page = static_cast<int>(tab); }); });
    connect(m_inspector, &InspectorPanel::tokenHovered, this, [this](int token) {
        m_hovered_token = token;
        showAttention(m_inspected);
    });
    connect(m_inspector, &InspectorPanel::placeActivated, this, [this](Sample start) {
        m_timeline->showSample(start);
        const int word = m_controller.transcript().wordAt(start);
        if (word >= 0) {
            m_transcript->pinWord(WordRef{WordPart::Settled, word});
        }
    });
    connect(m_transcript, &TranscriptView::pinnedChanged, this, [this] {
        showInspected();
        const auto pinned = m_transcript->pinnedWord();
        const text::Word *word = pinned ? m_controller.transcript().find(*pinned) : nullptr;
        if (word != nullptr) {
            m_timeline->showSample(word->start_sample);
        }
    });
    connect(m_transcript, &TranscriptView::wordActivated, this, [this](int word) { playFrom(word, word); });
    connect(m_transcript, &TranscriptView::playFromRequested, this, [this](int word) { playFrom(word, m_controller.transcript().wordCount() - 1); });
    connect(m_transcript, &TranscriptView::menuRequested, this, [this](int word, const QPoint &at) {
        const TranscriptActions actions{[this](int first) { playFrom(first, first); },
                                        [this](int first) { playFrom(first, m_controller.transcript().wordCount() - 1); },
                                        [this](int corrected) {
                                            m_corrections->correct({{corrected, std::nullopt}});
                                        },
                                        m_corrections->canUndo() ? std::function<void()>([this] { undoCorrection(); }) : std::function<void()>(),
                                        [this] { find(); },
                                        [this] { save(); }};
        makeTranscriptMenu(*m_transcript, word, actions, this)->popup(at);
    });
    connect(m_timeline, &TimelineView::wordActivated, this, [this](int word) {
        m_transcript->pinWord(WordRef{WordPart::Settled, word});
        playFrom(word, word);
    });
    connect(m_timeline, &TimelineView::hoveredChanged, this, [this](std::optional<WordRef> ref) {
        m_timeline_hover = ref;
        showInspected();
    });
}

void CaptionsPage::connectCorrections()
{
    connect(m_transcript, &TranscriptView::correctionMade, this,
            [this](int first, int last, const QString &line) { m_corrections->correct(correctionsOfLine(m_controller.transcript(), first, last, line)); });
    connect(m_transcript, &TranscriptView::undoRequested, this, &CaptionsPage::undoCorrection);
    connect(m_transcript, &TranscriptView::redoRequested, this, &CaptionsPage::redoCorrection);
    connect(m_corrections, &Corrections::failed, m_notices, [this](const QString &sentence) { m_notices->raiseProblem(sentence); });
    connect(&m_controller.transcript(), &TranscriptModel::corrected, this, [this] {
        m_card->hide();
        m_timeline->update();
        showInspected();
    });
}

void CaptionsPage::connectPlayback()
{
    connect(m_playback, &Playback::soundMissing, this, [this] {
        m_notices->add({Severity::Warn, tr("The sound of this word is no longer there: this session kept no journal."), {}, {}, QStringLiteral("problem")});
    });
    connect(&m_controller, &CaptionController::activityChanged, this, &CaptionsPage::revisePlayerBar);
    connect(&m_controller, &CaptionController::snapshotChanged, this, &CaptionsPage::revisePlayerBar);
    connect(&m_controller.transcript(), &TranscriptModel::cleared, this, &CaptionsPage::revisePlayerBar);
    revisePlayerBar();
}

// While it listens there is no end to go to; words are heard one by one then.
void CaptionsPage::revisePlayerBar()
{
    const bool has_sound = m_controller.transcript().wordCount() > 0 && m_playback->length() > 0;
    const bool shown = !m_presents && has_sound && height() >= kRoomForPlayer && m_controller.activity() == RunActivity::Idle;
    m_player_bar->setVisible(shown);
    if (shown) {
        m_player_bar->reviseLength();
    }
}

void CaptionsPage::undoCorrection()
{
    if (const auto word = m_corrections->undo()) {
        m_transcript->showWord(*word);
    }
}

void CaptionsPage::redoCorrection()
{
    if (const auto word = m_corrections->redo()) {
        m_transcript->showWord(*word);
    }
}

void CaptionsPage::connectController()
{
    connect(&m_controller, &CaptionController::frame, this, &CaptionsPage::onFrame);
    connect(&m_controller, &CaptionController::snapshotChanged, this, [this] {
        m_status->show(m_controller.snapshot(), m_controller.heard());
        m_choices->setActivity(m_controller.activity(), m_controller.snapshot().state == runtime::RunState::Loading);
        if (!m_inspector->isHidden()) {
            m_inspector->showState();
        }
        reviseEmptyState();
    });
    connect(&m_controller, &CaptionController::activityChanged, this, [this] {
        m_choices->setActivity(m_controller.activity(), false);
        reviseEmptyState();
    });
    connect(&m_controller, &CaptionController::noticeRaised, this, [this](const QString &sentence) { m_notices->inform(sentence); });
    connect(&m_controller, &CaptionController::failed, m_notices, &NoticeStack::raiseProblem);
    connect(&m_controller.transcript(), &TranscriptModel::appended, this, [this] {
        showInspected();
        reviseEmptyState();
    });
    connect(&m_controller.transcript(), &TranscriptModel::tailChanged, this, [this] {
        showInspected();
        reviseEmptyState();
    });
    connect(&m_controller.transcript(), &TranscriptModel::cleared, this, &CaptionsPage::showInspected);
}

void CaptionsPage::onFrame()
{
    const captions::CaptionSnapshot &snapshot = m_controller.snapshot();
    const bool running = m_controller.activity() != RunActivity::Idle;
    m_status->meter().setLevel(running ? snapshot.level_rms : 0, running ? snapshot.level_peak : 0);
    m_timeline->setClock(m_controller.heard(), m_controller.decoded());
    m_transcript->advanceFades();
    const auto position = m_playback->sounding();
    const int playing = position ? m_controller.transcript().wordAt(*position) : -1;
    m_transcript->setPlayingWord(playing);
    m_timeline->setPlayingWord(playing);
    const std::string trouble = m_services.player->takeTrouble();
    if (!trouble.empty()) {
        m_playback->pause();
        m_notices->raiseProblem(QString::fromStdString(trouble));
    }
}

void CaptionsPage::showInspected()
{
    const TranscriptModel &model = m_controller.transcript();
    const auto hovered = m_transcript->hoveredWord() ? m_transcript->hoveredWord() : m_timeline_hover;
    const auto pinned = m_transcript->pinnedWord();
    m_timeline->setMarkedWords(hovered, pinned);
    QString why = tr("Newest word");
    std::optional<WordRef> ref;
    if (hovered) {
        ref = hovered;
        why = tr("Under the pointer");
    } else if (pinned) {
        ref = pinned;
        why = tr("Pinned");
    } else if (!model.tail().empty()) {
        ref = WordRef{WordPart::Tail, static_cast<int>(model.tail().size()) - 1};
    } else {
        ref = WordRef{WordPart::Settled, model.wordCount() - 1};
    }
    if (ref != m_inspected) {
        m_hovered_token = -1;
        m_inspected = ref;
    }
    showAttention(ref);
    if (!m_inspector->isHidden()) {
        m_inspector->show(ref, why);
    }
}

// On the time axis: what the word looks at, or the one token of it that the pointer is on.
void CaptionsPage::showAttention(std::optional<WordRef> ref)
{
    const text::Word *word = ref ? m_controller.transcript().find(*ref) : nullptr;
    const AttentionRecord record = word != nullptr ? m_controller.attentionFor(word) : AttentionRecord();
    if (!record.map) {
        m_timeline->setAttention({});
        return;
    }
    std::vector<int> rows = rowsOfWord(*record.map, *word, record.offset);
    if (m_hovered_token >= 0 && m_hovered_token < static_cast<int>(rows.size())) {
        rows = {rows[static_cast<std::size_t>(m_hovered_token)]};
    }
    m_timeline->setAttention({record.map, record.offset, std::move(rows)});
}

void CaptionsPage::showFacts(std::optional<WordRef> ref)
{
    const text::Word *word = ref ? m_controller.transcript().find(*ref) : nullptr;
    if (word == nullptr) {
        m_card->hide();
        return;
    }
    const QRect place = m_transcript->wordRectInViewport(*ref).toAlignedRect();
    m_card->show(*word, QRect(m_transcript->viewport()->mapTo(this, place.topLeft()), place.size()));
}

void CaptionsPage::openTuning()
{
    m_choices->tuning().openPanel();
}

void CaptionsPage::stepTuning(int direction)
{
    m_choices->tuning().stepChunk(direction);
}

void CaptionsPage::openInspectorTab(int tab)
{
    if (tab >= 1 && tab <= kInspectorTabs) {
        m_inspector->openTab(static_cast<InspectorTab>(tab));
    }
}

void CaptionsPage::startOrStop()
{
    if (m_controller.activity() != RunActivity::Idle) {
        if (m_queue->running() != nullptr) {
            m_queue->pause();
        } else {
            m_controller.stop();
        }
        return;
    }
    m_notices->clearProblem();
    QString problem;
    const auto choices = m_choices->choices(problem);
    if (!choices) {
        raiseNoStart(problem);
        return;
    }
    if (m_shows_sample) {
        newPage();
    }
    m_settings.update([](Settings &s) { s.met_before = true; });
    m_transcript->followLive();
    if (choices->source.kind == audio::SourceKind::File) {
        if (m_queue->isPaused()) {
            m_queue->goOn();
        } else {
            m_queue->add({choices->source.path});
        }
        return;
    }
    if (m_queue->shown() != 0) {
        m_queue->leavePage();  // a recording's page is its own
    }
    m_controller.start(*choices);
}

void CaptionsPage::restartIfRunning()
{
    if (m_controller.activity() == RunActivity::Idle) {
        return;
    }
    if (m_queue->running() != nullptr) {
        m_queue->beginAgain();
        return;
    }
    QString problem;
    const auto choices = m_choices->choices(problem);
    if (choices) {
        m_controller.start(*choices);
    } else {
        m_notices->raiseProblem(problem);
    }
}

void CaptionsPage::playFrom(int word, int last_word)
{
    const TranscriptModel &model = m_controller.transcript();
    m_playback->setLoop(PlaybackLoop::Off);
    m_playback->play(model.word(word).start_sample - kPlayBefore, model.word(last_word).end_sample + kPlayAfter);
}

void CaptionsPage::resizeEvent(QResizeEvent *event)
{
    RoomPage::resizeEvent(event);
    revisePlayerBar();
    m_queue_panel->setMostRows(std::clamp(height() / 160, 1, 5));
    showOrHideTimeline();
}

// Not while presenting, nor where the welcome needs its room.
void CaptionsPage::showOrHideTimeline()
{
    m_timeline->setVisible(m_choices->isVisibleTo(this) && (m_welcome == nullptr || m_welcome->leavesRoomIn(height())));
}

void CaptionsPage::compare()
{
    m_playback->pause();  // that page plays its own
    Q_EMIT compareRequested();
}

void CaptionsPage::takeFocus()
{
    m_transcript->setFocus();
}

void CaptionsPage::goLive()
{
    m_transcript->followLive();
    m_timeline->followLive();
}

void CaptionsPage::find()
{
    m_find->open();
}

void CaptionsPage::setInspectorOpen(bool open)
{
    if (showInspectorColumn(*m_splitter, *m_inspector, open)) {
        showInspected();
    }
}

void CaptionsPage::setPresentation(Presentation presentation)
{
    const bool window = presentation == Presentation::Window;
    m_presents = !window;
    revisePlayerBar();
    m_choices->setVisible(window);
    m_queue_panel->setVisible(window && m_queue_panel->rowCount() > 0);
    showOrHideTimeline();
    if (m_welcome != nullptr) {
        m_welcome->setVisible(window);
    }
    m_status->setVisible(window);
    m_notices->setVisible(window && !m_notices->sentences().isEmpty());
    m_inspector->setVisible(window && m_settings.values().inspector_open);
    m_transcript->setTimesInMargin(window ? TimesInMargin::Shown : TimesInMargin::Hidden);
    m_transcript->setVerticalScrollBarPolicy(window ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    m_transcript->followLive();
    m_transcript->setFocus();
}

void CaptionsPage::showCompute()
{
    if (!m_services.describe_compute) {
        return;
    }
    const models::DeviceChoice compute = m_settings.values().compute;
    runInBackground(
        this, [describe = m_services.describe_compute, compute] { return describe(compute); },
        [this](const QString &where) { m_status->setCompute(where, m_services.slow_blas_warning); },
        [this](const QString &problem) {
            m_status->setCompute(tr("not usable"), problem);
            m_notices->raiseProblem(problem);
        });
}

void CaptionsPage::reviseEmptyState()
{
    const bool empty = m_controller.transcript().isEmpty();
    m_empty->setVisible(empty);
    if (!empty) {
        return;
    }
    const EmptyPageWords words = emptyPageWords(m_controller.activity(), m_controller.snapshot());
    m_empty->showWords(words.title, words.text);
}

}  // namespace braid::ui
