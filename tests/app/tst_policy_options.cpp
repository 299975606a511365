// A caption policy that is registered in one line can be named on the command line, and its help tells of it.
#include <QtTest>

#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/eval_captions.h"
#include "app/cli/sub_commands.h"

using namespace braid;

namespace braid::cli {

// In place of the commands' work: what they were asked for.
std::string g_asked;
int runCaption(const CaptionOptions &options, const models::ModelAccess &, Interrupts &)
{
    g_asked = options.captions.policy;
    return 0;
}
Evaluation evaluateCaptions(const EvalOptions &options, const models::ModelAccess &access, Interrupts &)
{
    g_asked = access.policies.parse(options.policies.front(), options.common.captions).policy;
    return {};
}
std::string evalTable(const Evaluation &)
{
    return {};
}
std::string evalJson(const Evaluation &)
{
    return {};
}

}  // namespace braid::cli

class tst_policy_options : public QObject {
    Q_OBJECT

    models::ModelAccess m_access;
    cli::Run m_chosen;

    std::string asked(const std::string &line)
    {
        CLI::App app;
        cli::addCaption(app, m_chosen, m_access);
        cli::addEvalCaptions(app, m_chosen, m_access);
        app.parse(line);
        static_cast<void>(m_chosen());
        return cli::g_asked;
    }
    std::string help(const char *command)
    {
        CLI::App app;
        cli::addCaption(app, m_chosen, m_access);
        cli::addEvalCaptions(app, m_chosen, m_access);
        return app.get_subcommand(command)->help();
    }

  private Q_SLOTS:
    void initTestCase()
    {
        m_access.policies.add(
            {"wait-and-see", "ws", "Patient", "Settles nothing before its time", models::PolicyRuns::OnAnyModel, {}, [](auto &, auto &) { return nullptr; }});
    }
    void theCommandLineTakesIt()
    {
        QCOMPARE(asked("caption a.wav --policy wait-and-see"), std::string("wait-and-see"));
        QCOMPARE(asked("caption a.wav"), std::string("models-choice"));
        QCOMPARE(asked("captions list.jsonl --policies ws"), std::string("wait-and-see"));
        QVERIFY_EXCEPTION_THROWN(asked("caption a.wav --policy hope"), CLI::ValidationError);
    }
    void theHelpTellsOfIt()
    {
        const QString caption = QString::fromStdString(help("caption")).simplified();
        QVERIFY2(caption.contains(QStringLiteral("offline|wait-and-see")), qPrintable(caption));
        QVERIFY2(caption.contains(QStringLiteral("wait-and-see: Settles nothing before its time")), qPrintable(caption));
        QVERIFY(QString::fromStdString(help("captions")).contains(QStringLiteral("ws takes")));
    }
};

QTEST_GUILESS_MAIN(tst_policy_options)
#include "tst_policy_options.moc"
