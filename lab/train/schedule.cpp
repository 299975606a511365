#include "lab/train/schedule.h"

#include <algorithm>

namespace braid::train {

double Schedule::done(const Progress &progress) const
{
    switch (m_recipe.kind) {
    case ScheduleKind::Steps:
        return static_cast<double>(progress.steps - progress.stage_steps) / static_cast<double>(m_recipe.steps);
    case ScheduleKind::Minutes:
        return (progress.minutes - progress.stage_minutes) / m_recipe.minutes;
    case ScheduleKind::Plateau:
        break;
    }
    return static_cast<double>(progress.epochs - progress.stage_epochs) / static_cast<double>(m_recipe.epochs);
}

double Schedule::rate(const Progress &progress) const
{
    const double warm = m_recipe.warmup_steps > 0
                            ? std::min(1.0, static_cast<double>(progress.steps - progress.stage_steps + 1) / static_cast<double>(m_recipe.warmup_steps))
                            : 1.0;
    if (m_recipe.kind == ScheduleKind::Plateau) {
        return m_peak * warm * progress.factor;
    }
    return m_peak * warm * std::clamp((1 - done(progress)) / (1 - m_recipe.hold), 0.0, 1.0);
}

bool Schedule::judge(Progress &progress, double validation_loss) const
{
    if (!progress.has_best || validation_loss < progress.best_loss) {
        progress.best_loss = validation_loss;
        progress.has_best = true;
        progress.without_better = 0;
        return true;
    }
    if (++progress.without_better > m_recipe.patience && m_recipe.kind == ScheduleKind::Plateau) {
        progress.factor *= m_recipe.factor;
        progress.without_better = 0;
    }
    return false;
}

}  // namespace braid::train
