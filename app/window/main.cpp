// braid: the window. Options for scripts: caption files at once, take a picture of the window without a display.
#include <algorithm>
#include <cstdio>

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QTimer>

#include "app/window/ending_signals.h"
#include "app/window/fetch_services.h"
#include "app/window/single_instance.h"
#include "app/window/window_services.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/sample_clock.h"
#ifdef BRAID_HAS_MODELS
#include "core/models/models.h"
#endif
#include "ui/captions/choices_row.h"
#include "ui/captions/transcript_view.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/models/models_page.h"
#include "ui/shared/icons.h"
#include "ui/shared/window_language.h"
#include "ui/shell/main_window.h"
#include "ui/translation/translation_choices.h"
#include "ui/translation/translation_page.h"
#include "ui/translation/translation_side.h"

using namespace braid;

namespace {

constexpr int kUsage = 2;
constexpr int kInputOrModel = 3;
constexpr int kDevice = 4;
constexpr int kSettleMs = 250;
constexpr QSize kPictureSize(1280, 800);

struct Options {
    QStringList files;
    bool sample = false;
    bool realtime = false;
    bool verbose = false;
    QString model;
    QString policy;
    QString theme;
    QString screenshot;
    double screenshot_at_seconds = 0;
    QSize size;
    QString inspector;
    QString translate;
};

const std::pair<const char *, ui::ThemeChoice> kThemes[] = {
    {"system", ui::ThemeChoice::System},
    {"light", ui::ThemeChoice::Light},
    {"dark", ui::ThemeChoice::Dark},
    {"high-contrast-light", ui::ThemeChoice::HighContrastLight},
    {"high-contrast-dark", ui::ThemeChoice::HighContrastDark},
};

// In the order of ui::InspectorTab.
constexpr const char *kInspectorTabs[] = {"token", "attention", "timing", "changes", "cache"};

int usageError(const QString &sentence)
{
    std::fprintf(stderr, "braid: %s\n", qPrintable(sentence));
    return kUsage;
}

// Before QApplication: it ends the process with a page of its own where there is no display.
bool displayIsMissing(int argc, char **argv)
{
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY")) {
        return false;
    }
    for (int index = 1; index < argc; ++index) {
        const QByteArray argument(argv[index]);
        if (argument == "--screenshot" || argument.startsWith("--screenshot=") || argument == "--help" || argument == "-h" || argument == "--version") {
            qputenv("QT_QPA_PLATFORM", "offscreen");
            return false;
        }
    }
    return true;
}

// Takes the picture when the captions are done, or when so much has been heard; ends the program.
void takePicture(ui::MainWindow &window, const Options &options)
{
    auto *done = new QObject(&window);
    const auto finish = [&window, options, done](int failure) {
        QObject::disconnect(&window.controller(), nullptr, done, nullptr);  // once only
        done->deleteLater();
        QTimer::singleShot(kSettleMs, &window, [&window, options, failure] {
            if (!window.grab().save(options.screenshot)) {
                std::fprintf(stderr, "braid: the picture could not be written to %s. Check the folder and its permissions.\n", qPrintable(options.screenshot));
                QApplication::exit(kInputOrModel);
                return;
            }
            for (const QString &sentence : window.captions().notices().sentences()) {
                std::fprintf(stderr, "braid: %s\n", qPrintable(sentence));
            }
            QApplication::exit(failure);
        });
    };
    ui::CaptionController &controller = window.controller();
    QObject::connect(&controller, &ui::CaptionController::failed, done, [finish] { finish(kInputOrModel); });
    QObject::connect(&controller, &ui::CaptionController::runFinished, done, [&window, &controller, finish] {
        if (controller.activity() == ui::RunActivity::Idle && window.captions().queue().waiting() == 0) {
            finish(0);
        }
    });
    if (options.screenshot_at_seconds > 0) {
        QObject::connect(&controller, &ui::CaptionController::frame, done, [&controller, finish, at = samplesFromSeconds(options.screenshot_at_seconds)] {
            if (controller.heard() >= at && !controller.transcript().tail().empty()) {
                finish(0);
            }
        });
    }
}

// The picture of a translation, once all of the text is translated.
void takePictureOfTranslation(ui::MainWindow &window, const Options &options)
{
    ui::TranslationController &controller = window.translation().side().controller();
    QObject::connect(&window.translation().choicesRow(), &ui::TranslationChoicesRow::listsChanged, &window, [&window] {
        QString problem;
        if (!window.translation().choicesRow().choices(problem)) {
            std::fprintf(stderr, "braid: %s\n", qPrintable(problem));
            QApplication::exit(kInputOrModel);
        }
    });
    QObject::connect(&controller.text(), &ui::BilingualText::changed, &controller, [&controller] { controller.endSource(); });
    QObject::connect(&controller, &ui::TranslationController::runFinished, &window, [&window, options] {
        QTimer::singleShot(kSettleMs, &window, [&window, options] {
            const bool saved = window.grab().save(options.screenshot);
            for (const QString &sentence : window.translation().notices().sentences()) {
                std::fprintf(stderr, "braid: %s\n", qPrintable(sentence));
            }
            if (!saved) {
                std::fprintf(stderr, "braid: the picture could not be written to %s. Check the folder and its permissions.\n", qPrintable(options.screenshot));
            }
            QApplication::exit(saved && window.translation().side().controller().text().wordCount() > 0 ? 0 : kInputOrModel);
        });
    });
}

std::vector<std::filesystem::path> absoluteNames(const QStringList &files)
{
    std::vector<std::filesystem::path> names;
    for (const QString &file : files) {
        names.emplace_back(QFileInfo(file).absoluteFilePath().toStdString());
    }
    return names;
}

// From now on recordings of later starts come here.
void takeLaterStarts(app::SingleInstance &instance, ui::MainWindow &window)
{
    instance.listen([&window](const std::vector<std::filesystem::path> &files) {
        window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
        window.raise();
        window.activateWindow();
        if (!files.empty()) {
            window.showPage(ui::PageName::Captions);
            window.captionWhenReady(files);
        }
    });
}

int runWindow(QApplication &application, const Options &options, const models::ModelAccess &access)
{
    const bool for_picture = !options.screenshot.isEmpty();
    ui::speak(for_picture ? QString() : ui::windowLanguageIn(app::settingsFile()));
    ui::Services services = app::makeWindowServices(access, for_picture ? app::Keeping::Nothing : app::Keeping::SettingsAndJournals);
    if (!options.model.isEmpty()) {
        static_cast<void>(models::findModel(options.model.toStdString(), access.folders));  // a model that was named is never replaced by another
    }
    const std::filesystem::path sample = services.sample_file;
    if (options.sample && sample.empty()) {
        std::fprintf(stderr, "braid: the bundled sample is missing. Reinstall Braid, or name a file to caption.\n");
        return kInputOrModel;
    }
    ui::MainWindow window(std::move(services));
    window.modelsPage().open(app::makeFetchDesk(access));
    window.settings().update([&options](ui::Settings &s) {
        if (!options.model.isEmpty()) {
            s.model_name = options.model;
        }
        if (!options.policy.isEmpty()) {
            s.tuning.policy = options.policy;
        }
        for (int tab = 0; tab < ui::kInspectorTabs; ++tab) {
            if (options.inspector == QLatin1String(kInspectorTabs[tab])) {
                s.inspector_page = tab + 1;
            }
        }
        if (options.realtime) {
            s.files_at_own_pace = true;
        }
        for (const auto &[name, choice] : kThemes) {
            if (options.theme == QLatin1String(name)) {
                s.theme = choice;
            }
        }
    });
    if (options.size.isValid() || for_picture) {
        window.resize(options.size.isValid() ? options.size : kPictureSize);
    }
    window.captions().openInspectorTab(window.settings().values().inspector_page);
    window.show();
    if (!options.translate.isEmpty()) {
        window.showPage(ui::PageName::Translation);
        if (for_picture) {
            takePictureOfTranslation(window, options);
        }
        window.translation().openWhenReady(options.translate.toStdString());
        return application.exec();
    }
    if (for_picture) {
        takePicture(window, options);
        QObject::connect(&window.captions().choicesRow(), &ui::ChoicesRow::listsChanged, &window, [&window] {
            QString problem;
            if (window.captions().choicesRow().listsArrived() && !window.captions().choicesRow().choicesForFile({}, audio::Pace::Fast, problem)) {
                std::fprintf(stderr, "braid: %s\n", qPrintable(problem));
                QApplication::exit(kInputOrModel);
            }
        });
    }
    app::SingleInstance instance(for_picture ? std::filesystem::path() : app::SingleInstance::usualSocket());
    takeLaterStarts(instance, window);
    std::vector<std::filesystem::path> files = absoluteNames(options.files);
    if (options.sample && for_picture) {
        files.push_back(sample);
    }
    if (!files.empty()) {
        window.captionWhenReady(files);
    }
    if (!for_picture) {
        if (options.sample) {
            window.settings().update([](ui::Settings &s) { s.met_before = false; });
        }
        window.begin(files.empty() ? ui::FirstRun::ShowSample : ui::FirstRun::Plain);
    }
    return application.exec();
}

}  // namespace

int main(int argc, char **argv)
{
    restartWithTunedEnvironment(argv);
    if (displayIsMissing(argc, argv)) {
        std::fprintf(stderr, "braid: there is no display to open a window on. Use braid-cli here, or --screenshot FILE for a picture of the window.\n");
        return kDevice;
    }
    QApplication application(argc, argv);
    const app::EndingSignals ending_signals;
    QApplication::setApplicationName(QStringLiteral("braid"));
    QApplication::setApplicationDisplayName(QStringLiteral("Braid"));
    QApplication::setApplicationVersion(QStringLiteral(BRAID_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.braid.Braid"));
    ui::loadIconResources();
    QApplication::setWindowIcon(ui::programIcon());

    models::ModelAccess access;
#ifdef BRAID_HAS_MODELS
    access.loader = models::makeModelLoader();
#endif
    const auto live = [](const models::CaptionPolicyEntry &entry) { return entry.make ? entry.name : std::string(); };
    const QString policies = QString::fromStdString(access.policies.names(live, ", ", " or "));
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Live captions that show what the model is doing."));
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("Recordings to caption, one after the other."), QStringLiteral("[FILE...]"));
    const auto help = parser.addHelpOption();
    const auto version = parser.addVersionOption();
    const QCommandLineOption sample(QStringLiteral("sample"), QStringLiteral("Caption the bundled sample."));
    const QCommandLineOption model(QStringLiteral("model"), QStringLiteral("Model by name or folder; remembered, as if chosen in the window."),
                                   QStringLiteral("NAME"));
    const QCommandLineOption policy(QStringLiteral("policy"), policies + QStringLiteral("; remembered."), QStringLiteral("NAME"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("system, light, dark, high-contrast-light or high-contrast-dark; remembered."),
                                   QStringLiteral("NAME"));
    const QCommandLineOption realtime(QStringLiteral("realtime"), QStringLiteral("Files at their own pace; remembered."));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
                                        QStringLiteral("Caption to the end, write a picture of the window, end. Needs no display."), QStringLiteral("PNG"));
    const QCommandLineOption screenshot_at(QStringLiteral("screenshot-at"),
                                           QStringLiteral("Take it when this many seconds have been heard and words are on their way."),
                                           QStringLiteral("SECONDS"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the window."), QStringLiteral("WxH"));
    const QCommandLineOption inspector(QStringLiteral("inspector"),
                                       QStringLiteral("Tab of the Inspector: token, attention, timing, changes or cache; remembered."), QStringLiteral("TAB"));
    const QCommandLineOption translate(QStringLiteral("translate"), QStringLiteral("Translate this text on the Translation page."), QStringLiteral("FILE"));
    const QCommandLineOption verbose(QStringLiteral("verbose"), QStringLiteral("Say more on stderr."));
    parser.addOptions({sample, model, policy, theme, realtime, screenshot, screenshot_at, size, inspector, translate, verbose});
    if (!parser.parse(QApplication::arguments())) {
        return usageError(parser.errorText() + QStringLiteral(" See braid --help."));
    }
    if (parser.isSet(help)) {
        std::fputs(qPrintable(parser.helpText()), stdout);
        return 0;
    }
    if (parser.isSet(version)) {
        std::printf("braid %s\n", BRAID_VERSION);
        return 0;
    }
    Options options{parser.positionalArguments(),
                    parser.isSet(sample),
                    parser.isSet(realtime),
                    parser.isSet(verbose),
                    parser.value(model),
                    parser.value(policy),
                    parser.value(theme),
                    parser.value(screenshot),
                    parser.value(screenshot_at).toDouble(),
                    {},
                    parser.value(inspector),
                    parser.value(translate)};
    if (const auto *entry = access.policies.find(options.policy.toStdString());
        !options.policy.isEmpty() && (entry == nullptr || !entry->make || entry->name != options.policy.toStdString())) {
        return usageError(QStringLiteral("there is no policy \"%1\". Use %2.").arg(options.policy, policies));
    }
    if (!options.inspector.isEmpty() &&
        std::none_of(std::begin(kInspectorTabs), std::end(kInspectorTabs), [&](const char *known) { return options.inspector == QLatin1String(known); })) {
        return usageError(QStringLiteral("the Inspector has no tab \"%1\". Use token, attention, timing, changes or cache.").arg(options.inspector));
    }
    if (!options.theme.isEmpty() &&
        std::none_of(std::begin(kThemes), std::end(kThemes), [&](const auto &entry) { return options.theme == QLatin1String(entry.first); })) {
        return usageError(QStringLiteral("there is no theme \"%1\". Use system, light, dark, high-contrast-light or high-contrast-dark.").arg(options.theme));
    }
    if (parser.isSet(size)) {
        const QStringList sides = parser.value(size).split(QLatin1Char('x'));
        options.size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
        if (options.size.width() < 200 || options.size.height() < 200 || options.size.width() > 8000 || options.size.height() > 8000) {
            return usageError(QStringLiteral("\"%1\" is no size. Write it as 1280x800.").arg(parser.value(size)));
        }
    }
    if (!options.screenshot.isEmpty() && !options.sample && options.files.isEmpty() && options.translate.isEmpty()) {
        return usageError(QStringLiteral("--screenshot needs something to show: name a recording, or add --sample or --translate FILE."));
    }
    if (!options.translate.isEmpty() && !QFileInfo(options.translate).isReadable()) {
        std::fprintf(stderr, "braid: %s: the text cannot be read. Check its name and its permissions.\n", qPrintable(options.translate));
        return kInputOrModel;
    }
    // A start that asks for nothing but recordings joins the window that is open.
    if (parser.optionNames().isEmpty() && app::SingleInstance(app::SingleInstance::usualSocket()).handOver(absoluteNames(options.files))) {
        return 0;
    }
    try {
        initLogging(options.verbose ? LogLevel::Verbose : LogLevel::Quiet);
        return runWindow(application, options, access);
    } catch (const Error &error) {
        std::fprintf(stderr, "braid: %s\n", error.what());
        return exitCodeFor(error.kind());
    } catch (const std::exception &error) {
        std::fprintf(stderr, "braid: %s\n", error.what());
        return exitCodeFor(ErrorKind::Internal);
    }
}
