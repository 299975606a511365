// For tests of training: a watch that remembers what a run tells, and asks it to stop where a test wants that.
#pragma once

#include <string>
#include <vector>

#include "lab/train/training.h"

namespace braid::test {

class Watch : public train::TrainingWatch {
  public:
    void preparing(const std::string &, double) override {}
    void notice(const std::string &sentence) override { notices.push_back(sentence); }
    void progress(const train::StepReport &report) override { reports.push_back(report); }
    void validated(const train::ValidationReport &report) override { validations.push_back(report); }
    bool stopAsked() override { return stop_after > 0 && ++m_asked > stop_after; }

    std::vector<std::string> notices;
    std::vector<train::StepReport> reports;
    std::vector<train::ValidationReport> validations;
    int stop_after = 0;  // answers of "go on" before it asks to stop; 0: never asks

  private:
    int m_asked = 0;
};

}  // namespace braid::test
