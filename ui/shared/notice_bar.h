// Sentences that stand where the thing happened: what happened, what was kept, what to do; details one click away, to be copied.
// One is seen at a time, the newest; closing it shows the one before. Plain news (no problem, nothing to choose) leave by themselves. GUI thread.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include <QFrame>
#include <QString>

namespace braid::ui {

enum class Severity : std::uint8_t { Information = 1, Warn, Danger };

struct NoticeAction {
    QString title;
    std::function<void()> action;  // the notice closes first
};

struct Notice {
    Severity severity = Severity::Information;
    QString sentence;
    QString details;  // may be empty
    std::vector<NoticeAction> actions;
    QString key;  // a later notice of the same key takes its place; may be empty
};

class NoticeBar : public QFrame {
    Q_OBJECT
  public:
    explicit NoticeBar(const Notice &notice, QWidget *parent = nullptr);
    [[nodiscard]] QString sentence() const { return m_sentence; }
    [[nodiscard]] QString key() const { return m_key; }
    [[nodiscard]] bool detailsAreShown() const;

  Q_SIGNALS:
    void closed();

  private:
    QString m_sentence;
    QString m_key;
    QWidget *m_details = nullptr;
};

class NoticeStack : public QWidget {
    Q_OBJECT
  public:
    explicit NoticeStack(QWidget *parent = nullptr);
    // Over the top of the parent widget instead of in its layout: what is read there does not move.
    void floatOverParent();
    // How long plain news stand; a pointer on them keeps them.
    void setBriefTime(std::chrono::milliseconds time) { m_brief_time = time; }
    void add(const Notice &notice);
    // What a page's problems and plain news are: one problem at a time.
    void raiseProblem(const QString &sentence, const QString &details = {}) { add({Severity::Danger, sentence, details, {}, QStringLiteral("problem")}); }
    void inform(const QString &sentence, const QString &key = {}) { add({Severity::Information, sentence, {}, {}, key}); }
    void remove(const QString &key);
    void clearProblem() { remove(QStringLiteral("problem")); }
    [[nodiscard]] QStringList sentences() const;  // newest first; also those behind the one that is seen

  protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    enum class Placing : std::uint8_t { InLayout, OverParent };
    void forget(NoticeBar *bar);
    void forgetWhenRead(NoticeBar *bar);
    void showNewest();
    void place();
    Placing m_placing = Placing::InLayout;
    std::chrono::milliseconds m_brief_time = std::chrono::seconds(8);
    std::vector<NoticeBar *> m_bars;  // newest first
};

}  // namespace braid::ui
