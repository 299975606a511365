#include "app/window/fetch_services.h"

#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/fetch/catalogue.h"
#include "core/fetch/fetch_job.h"
#include "core/fetch/model_store.h"
#include "ui/shared/core_words.h"

namespace braid::app {
namespace {

ui::OfferState offerStateOf(fetch::StoreState state)
{
    switch (state) {
    case fetch::StoreState::Here:
        return ui::OfferState::Here;
    case fetch::StoreState::PartlyHere:
        return ui::OfferState::PartlyHere;
    case fetch::StoreState::Missing:
        break;
    }
    return ui::OfferState::ToFetch;
}

ui::ModelOffer offerOf(const fetch::CatalogueEntry &entry, const fetch::ModelStore &store)
{
    ui::ModelOffer offer;
    offer.name = QString::fromStdString(entry.name);
    offer.title = QString::fromStdString(entry.title);
    offer.purpose = ui::coreWords(entry.purpose);
    offer.use = entry.use == fetch::ModelUse::Captions ? QObject::tr("captions") : QObject::tr("translation and streams");
    for (const std::string &code : entry.languages) {
        offer.languages << QString::fromStdString(code);
    }
    offer.licence = QString::fromStdString(entry.licence);
    offer.page = QString::fromStdString(entry.page);
    offer.asks_first = entry.gate == fetch::Gate::AskedFirst;
    offer.bytes = entry.bytes();
    offer.memory_bytes = entry.memoryBytes();
    offer.state = offerStateOf(store.stateOf(entry.name));
    return offer;
}

std::vector<ui::ModelEntry> languageModels(const models::ModelAccess &access)
{
    std::vector<ui::ModelEntry> entries;
    for (const models::LanguageModelSummary &summary : access.loader->languageModels(access.folders)) {
        ui::ModelEntry entry;
        entry.name = QString::fromStdString(summary.name);
        entry.path = summary.path;
        entry.description = ui::coreWords(summary.description);
        entry.bytes = summary.bytes;
        entry.problem = QString::fromStdString(summary.problem);
        entries.push_back(std::move(entry));
    }
    return entries;
}

QString textOf(const fetch::JobLook &look)
{
    const fetch::FetchProgress &progress = look.progress;
    if (progress.stage == fetch::FetchStage::Asking) {
        return QObject::tr("asking what there is");
    }
    if (progress.stage == fetch::FetchStage::Waiting) {
        return QObject::tr("trying again soon: %1").arg(QString::fromStdString(progress.trouble));
    }
    const auto bytes = [](std::uint64_t count) { return QString::fromStdString(fetch::bytesText(count)); };
    QString text = progress.total_bytes > 0 ? QObject::tr("%1 of %2").arg(bytes(progress.done_bytes), bytes(progress.total_bytes)) : bytes(progress.done_bytes);
    if (progress.stage == fetch::FetchStage::Checking) {
        text = QObject::tr("checking %1").arg(text);
    }
    if (look.bytes_per_s > 0) {
        text = QObject::tr("%1, %2/s").arg(text, bytes(static_cast<std::uint64_t>(look.bytes_per_s)));
    }
    if (look.seconds_left < 0) {
        return text;
    }
    const auto seconds = static_cast<int>(look.seconds_left);
    return QObject::tr("%1, %2 left").arg(text, seconds < 60 ? QObject::tr("%1 s").arg(seconds) : QObject::tr("%1 min").arg((seconds + 59) / 60));
}

// The fetches of one window: each has a thread of its own and is forgotten once its end was told.
class Fetches {
  public:
    void start(const QString &name)
    {
        try {
            m_jobs[name] = std::make_unique<fetch::FetchJob>(fetch::findEntry(fetch::wholeCatalogue(), name.toStdString()), fetch::fetchOptions());
        } catch (const Error &problem) {
            m_refused.push_back({name, ui::FetchState::Failed, -1, {}, QString::fromStdString(problem.sentence())});
        }
    }
    void cancel(const QString &name)
    {
        if (const auto job = m_jobs.find(name); job != m_jobs.end()) {
            job->second->cancel();
        }
    }
    std::vector<ui::FetchLook> looks()
    {
        std::vector<ui::FetchLook> looks = std::exchange(m_refused, {});
        for (auto job = m_jobs.begin(); job != m_jobs.end();) {
            looks.push_back(lookOf(job->first, job->second->look()));
            job = looks.back().state == ui::FetchState::Running ? std::next(job) : m_jobs.erase(job);
        }
        return looks;
    }

  private:
    static ui::FetchLook lookOf(const QString &name, const fetch::JobLook &look)
    {
        static const std::map<fetch::JobState, ui::FetchState> states = {{fetch::JobState::Running, ui::FetchState::Running},
                                                                         {fetch::JobState::Done, ui::FetchState::Done},
                                                                         {fetch::JobState::Failed, ui::FetchState::Failed},
                                                                         {fetch::JobState::Cancelled, ui::FetchState::Cancelled}};
        const double total = static_cast<double>(look.progress.total_bytes);
        return {name, states.at(look.state), total > 0 ? static_cast<double>(look.progress.done_bytes) / total : -1, textOf(look),
                QString::fromStdString(look.problem)};
    }

    std::map<QString, std::unique_ptr<fetch::FetchJob>> m_jobs;
    std::vector<ui::FetchLook> m_refused;
};

}  // namespace

ui::FetchDesk makeFetchDesk(const models::ModelAccess &access)
{
    const auto fetches = std::make_shared<Fetches>();
    ui::FetchDesk desk;
    desk.list_offers = [] {
        std::vector<ui::ModelOffer> offers;
        const fetch::ModelStore store;
        for (const fetch::CatalogueEntry &entry : fetch::wholeCatalogue()) {
            offers.push_back(offerOf(entry, store));
        }
        return offers;
    };
    desk.list_language_models = [access] { return languageModels(access); };
    desk.start = [fetches](const QString &name) { fetches->start(name); };
    desk.cancel = [fetches](const QString &name) { fetches->cancel(name); };
    desk.looks = [fetches] { return fetches->looks(); };
    desk.remove = [](const QString &name) {
        const fetch::ModelStore store;
        store.forgetRemoved();  // only the last one can be taken back
        store.remove(name.toStdString());
        return true;
    };
    desk.take_back = [](const QString &name) {
        fetch::ModelStore().takeBack(name.toStdString());
        return true;
    };
    return desk;
}

}  // namespace braid::app
