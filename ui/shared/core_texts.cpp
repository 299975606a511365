// The texts of core for translators.
#include <array>

#include <QCoreApplication>

namespace braid::ui {

// Languages, as core/text/languages.h names them.
[[maybe_unused]] static constexpr std::array kLanguageNames = {
    QT_TRANSLATE_NOOP("language", "English"),     QT_TRANSLATE_NOOP("language", "Chinese"),    QT_TRANSLATE_NOOP("language", "German"),
    QT_TRANSLATE_NOOP("language", "Spanish"),     QT_TRANSLATE_NOOP("language", "Russian"),    QT_TRANSLATE_NOOP("language", "Korean"),
    QT_TRANSLATE_NOOP("language", "French"),      QT_TRANSLATE_NOOP("language", "Japanese"),   QT_TRANSLATE_NOOP("language", "Portuguese"),
    QT_TRANSLATE_NOOP("language", "Turkish"),     QT_TRANSLATE_NOOP("language", "Polish"),     QT_TRANSLATE_NOOP("language", "Catalan"),
    QT_TRANSLATE_NOOP("language", "Dutch"),       QT_TRANSLATE_NOOP("language", "Arabic"),     QT_TRANSLATE_NOOP("language", "Swedish"),
    QT_TRANSLATE_NOOP("language", "Italian"),     QT_TRANSLATE_NOOP("language", "Indonesian"), QT_TRANSLATE_NOOP("language", "Hindi"),
    QT_TRANSLATE_NOOP("language", "Finnish"),     QT_TRANSLATE_NOOP("language", "Vietnamese"), QT_TRANSLATE_NOOP("language", "Hebrew"),
    QT_TRANSLATE_NOOP("language", "Ukrainian"),   QT_TRANSLATE_NOOP("language", "Greek"),      QT_TRANSLATE_NOOP("language", "Malay"),
    QT_TRANSLATE_NOOP("language", "Czech"),       QT_TRANSLATE_NOOP("language", "Romanian"),   QT_TRANSLATE_NOOP("language", "Danish"),
    QT_TRANSLATE_NOOP("language", "Hungarian"),   QT_TRANSLATE_NOOP("language", "Tamil"),      QT_TRANSLATE_NOOP("language", "Norwegian"),
    QT_TRANSLATE_NOOP("language", "Thai"),        QT_TRANSLATE_NOOP("language", "Urdu"),       QT_TRANSLATE_NOOP("language", "Croatian"),
    QT_TRANSLATE_NOOP("language", "Bulgarian"),   QT_TRANSLATE_NOOP("language", "Lithuanian"), QT_TRANSLATE_NOOP("language", "Latin"),
    QT_TRANSLATE_NOOP("language", "Maori"),       QT_TRANSLATE_NOOP("language", "Malayalam"),  QT_TRANSLATE_NOOP("language", "Welsh"),
    QT_TRANSLATE_NOOP("language", "Slovak"),      QT_TRANSLATE_NOOP("language", "Telugu"),     QT_TRANSLATE_NOOP("language", "Persian"),
    QT_TRANSLATE_NOOP("language", "Latvian"),     QT_TRANSLATE_NOOP("language", "Bengali"),    QT_TRANSLATE_NOOP("language", "Serbian"),
    QT_TRANSLATE_NOOP("language", "Azerbaijani"), QT_TRANSLATE_NOOP("language", "Slovenian"),  QT_TRANSLATE_NOOP("language", "Kannada"),
    QT_TRANSLATE_NOOP("language", "Estonian"),    QT_TRANSLATE_NOOP("language", "Macedonian"), QT_TRANSLATE_NOOP("language", "Breton"),
    QT_TRANSLATE_NOOP("language", "Basque"),      QT_TRANSLATE_NOOP("language", "Icelandic"),  QT_TRANSLATE_NOOP("language", "Armenian"),
    QT_TRANSLATE_NOOP("language", "Nepali"),      QT_TRANSLATE_NOOP("language", "Mongolian"),  QT_TRANSLATE_NOOP("language", "Bosnian"),
    QT_TRANSLATE_NOOP("language", "Kazakh"),      QT_TRANSLATE_NOOP("language", "Albanian"),   QT_TRANSLATE_NOOP("language", "Swahili"),
    QT_TRANSLATE_NOOP("language", "Galician"),    QT_TRANSLATE_NOOP("language", "Marathi"),    QT_TRANSLATE_NOOP("language", "Punjabi"),
    QT_TRANSLATE_NOOP("language", "Sinhala"),     QT_TRANSLATE_NOOP("language", "Khmer"),      QT_TRANSLATE_NOOP("language", "Shona"),
    QT_TRANSLATE_NOOP("language", "Yoruba"),      QT_TRANSLATE_NOOP("language", "Somali"),     QT_TRANSLATE_NOOP("language", "Afrikaans"),
    QT_TRANSLATE_NOOP("language", "Occitan"),     QT_TRANSLATE_NOOP("language", "Georgian"),   QT_TRANSLATE_NOOP("language", "Belarusian"),
    QT_TRANSLATE_NOOP("language", "Tajik"),       QT_TRANSLATE_NOOP("language", "Sindhi"),     QT_TRANSLATE_NOOP("language", "Gujarati"),
    QT_TRANSLATE_NOOP("language", "Amharic"),     QT_TRANSLATE_NOOP("language", "Yiddish"),    QT_TRANSLATE_NOOP("language", "Lao"),
    QT_TRANSLATE_NOOP("language", "Uzbek"),       QT_TRANSLATE_NOOP("language", "Faroese"),    QT_TRANSLATE_NOOP("language", "Haitian Creole"),
    QT_TRANSLATE_NOOP("language", "Pashto"),      QT_TRANSLATE_NOOP("language", "Turkmen"),    QT_TRANSLATE_NOOP("language", "Nynorsk"),
    QT_TRANSLATE_NOOP("language", "Maltese"),     QT_TRANSLATE_NOOP("language", "Sanskrit"),   QT_TRANSLATE_NOOP("language", "Luxembourgish"),
    QT_TRANSLATE_NOOP("language", "Myanmar"),     QT_TRANSLATE_NOOP("language", "Tibetan"),    QT_TRANSLATE_NOOP("language", "Tagalog"),
    QT_TRANSLATE_NOOP("language", "Malagasy"),    QT_TRANSLATE_NOOP("language", "Assamese"),   QT_TRANSLATE_NOOP("language", "Tatar"),
    QT_TRANSLATE_NOOP("language", "Hawaiian"),    QT_TRANSLATE_NOOP("language", "Lingala"),    QT_TRANSLATE_NOOP("language", "Hausa"),
    QT_TRANSLATE_NOOP("language", "Bashkir"),     QT_TRANSLATE_NOOP("language", "Javanese"),   QT_TRANSLATE_NOOP("language", "Sundanese"),
    QT_TRANSLATE_NOOP("language", "Cantonese"),
};

[[maybe_unused]] static constexpr std::array kCoreTexts = {
    // Ways of captioning (core/model_access/caption_policies.cpp).
    QT_TRANSLATE_NOOP("core", "Recommended"),
    QT_TRANSLATE_NOOP("core", "Chosen for the model: Streaming where it was made for that, Language model where it is one, else Quick"),
    QT_TRANSLATE_NOOP("core", "Streaming"),
    QT_TRANSLATE_NOOP("core", "Every sound is looked at once; the newest pieces of words may still be taken back (CarelessWhisper)"),
    QT_TRANSLATE_NOOP("core", "Careful"),
    QT_TRANSLATE_NOOP("core", "A word is settled when two looks in a row agree on it (LocalAgreement)"),
    QT_TRANSLATE_NOOP("core", "Quick"),
    QT_TRANSLATE_NOOP("core", "A word is settled when the model did not look at the very end of the sound for it (AlignAtt)"),
    QT_TRANSLATE_NOOP("core", "Language model"),
    QT_TRANSLATE_NOOP("core", "A language model that listens, a stretch of speech at a time; what it wrote is settled at once (wait-k)"),
    // Ways of streaming with a language model (core/paradigms/paradigm.cpp).
    QT_TRANSLATE_NOOP("core", "Group streaming"),
    QT_TRANSLATE_NOOP("core", "Source and target count their own positions: nothing is ever computed again"),
    QT_TRANSLATE_NOOP("core", "Re-encode all"),
    QT_TRANSLATE_NOOP("core", "After every read all that was written is fed again: what group streaming saves"),
    QT_TRANSLATE_NOOP("core", "Re-encode positions"),
    QT_TRANSLATE_NOOP("core", "After every read the written tokens move to new positions"),
    QT_TRANSLATE_NOOP("core", "No re-encoding"),
    QT_TRANSLATE_NOOP("core", "Positions by arrival; the source does not see the target"),
    QT_TRANSLATE_NOOP("core", "Interleaved"),
    QT_TRANSLATE_NOOP("core", "Source and target in one row, as they come"),
    QT_TRANSLATE_NOOP("core", "Offline"),
    QT_TRANSLATE_NOOP("core", "Reads the whole sentence, then writes"),
    // What a run is doing.
    QT_TRANSLATE_NOOP("core", "opening the source"),
    QT_TRANSLATE_NOOP("core", "listening"),
    QT_TRANSLATE_NOOP("core", "captioning what was heard"),
    QT_TRANSLATE_NOOP("core", "waiting for more source"),
    QT_TRANSLATE_NOOP("core", "translating"),
    QT_TRANSLATE_NOOP("core", "finished"),
    // Why sound is missing.
    QT_TRANSLATE_NOOP("core", "the computer could not keep up"),
    // What a model is (core/models).
    QT_TRANSLATE_NOOP("core", "Streaming Whisper"),
    QT_TRANSLATE_NOOP("core", "Language model that listens"),
    // What to do about a list of words (core/text/word_rules.cpp).
    QT_TRANSLATE_NOOP("core", "Write it as \"lib torch -> libtorch\", or as \"* word\" to mask a word"),
    QT_TRANSLATE_NOOP("core", "Save the list as UTF-8"),
    QT_TRANSLATE_NOOP("core", "An entry has at most 8 words and 200 bytes a side"),
    QT_TRANSLATE_NOOP("core", "A list has at most 20000 entries"),
    // What models are good for (resources/catalogue.json).
    QT_TRANSLATE_NOOP("core", "The smallest; any language roughly, on any machine."),
    QT_TRANSLATE_NOOP("core", "The smallest for English alone."),
    QT_TRANSLATE_NOOP("core", "Small and quick, any language."),
    QT_TRANSLATE_NOOP("core", "Small and quick, English alone."),
    QT_TRANSLATE_NOOP("core", "Good captions of the larger languages on an ordinary machine."),
    QT_TRANSLATE_NOOP("core", "Good English captions on an ordinary machine."),
    QT_TRANSLATE_NOOP("core", "Better in any language; wants a fast machine or a GPU to keep up live."),
    QT_TRANSLATE_NOOP("core", "Better English; wants a fast machine or a GPU to keep up live."),
    QT_TRANSLATE_NOOP("core", "The best in most languages; wants a GPU to keep up live."),
    QT_TRANSLATE_NOOP("core", "Nearly large-v3 with a short decoder, several times as fast; it was not made for translating."),
    QT_TRANSLATE_NOOP("core", "English; a short decoder makes it quicker than small.en."),
    QT_TRANSLATE_NOOP("core", "Made for live captions in chunks of 300 ms; English. Its makers state no licence for the weights."),
    QT_TRANSLATE_NOOP("core", "Made for live captions in chunks of 300 ms; English, better than base. Its makers state no licence for the weights."),
    QT_TRANSLATE_NOOP("core", "Translates as it is told and runs parallel streams; small and rough. It knows more languages than are listed."),
    QT_TRANSLATE_NOOP("core", "Translates as it is told and runs parallel streams; better than 0.5B. It knows more languages than are listed."),
    QT_TRANSLATE_NOOP("core", "Follows instructions in about a hundred languages; small."),
    QT_TRANSLATE_NOOP("core", "Follows instructions in about a hundred languages; better than 0.6B."),
};

}  // namespace braid::ui
