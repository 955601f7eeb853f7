//! What Demo says.

use crate::providers::chat::Scene;
use shared::profile::Language;
use std::fmt::Write;

/// Words of the long answer.
const LONG_WORDS: usize = 2_000;

/// What a message asks Demo for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Hello,
    Code,
    Long,
    Other,
}

/// The answer to a message: Markdown in its language.
pub(super) fn answer(scene: &Scene) -> String {
    let language = language_of(&scene.message).unwrap_or(scene.language);
    let name = if scene.speaker.is_empty() { "?" } else { &scene.speaker };
    let kin = if scene.kin.is_empty() { "Kin" } else { &scene.kin };
    let role = if scene.role.is_empty() { String::new() } else { format!(" ({})", scene.role) };
    match (wish_of(&scene.message), language) {
        (Wish::Hello, Language::En) => format!(
            "Hello **{name}**, I am {kin}{role}.\n\n{EN}\n\nTry one of these:\n\n\
             - *write code*, for a block with a copy button\n\
             - *a long answer*, to watch a text stream\n\
             - anything else, for a list, a table and some code\n"
        ),
        (Wish::Hello, Language::Fr) => format!(
            "Bonjour **{name}**, je suis {kin}{role}.\n\n{FR}\n\nEssaie par exemple :\n\n\
             - *écris du code*, pour un bloc avec un bouton pour le copier\n\
             - *une longue réponse*, pour voir un texte arriver peu à peu\n\
             - autre chose, pour une liste, un tableau et un peu de code\n"
        ),
        (Wish::Code, Language::En) => format!("Here is some code, {name}.\n\n{CODE_EN}\n{EN}\n"),
        (Wish::Code, Language::Fr) => format!("Voici du code, {name}.\n\n{CODE_FR}\n{FR}\n"),
        (Wish::Long, language) => long(name, language),
        (Wish::Other, Language::En) => format!(
            "Thank you, {name}. {EN}\n\nSo here is what an answer of {kin}{role} can look like:\n\n\
             1. a **list** with an item in bold\n2. a [link](https://example.org) that opens only if you tap it\n\
             3. `code` in a line\n\n\
             | what | how much |\n| --- | ---: |\n| flour | 250 g |\n| eggs | 4 |\n| milk | ½ l |\n\n{CODE_EN}"
        ),
        (Wish::Other, Language::Fr) => format!(
            "Merci, {name}. {FR}\n\nVoici à quoi peut ressembler une réponse de {kin}{role} :\n\n\
             1. une **liste** avec un élément en gras\n2. un [lien](https://example.org) qui ne s’ouvre que si tu le touches\n\
             3. du `code` dans une ligne\n\n\
             | quoi | combien |\n| --- | ---: |\n| farine | 250 g |\n| œufs | 4 |\n| lait | ½ l |\n\n{CODE_FR}"
        ),
    }
}

const EN: &str = "This is **Demo**: a fixed script, not an AI. It understands nothing and remembers nothing. \
                  Choose a real model in this Kin’s settings to talk for real.";
const FR: &str = "Ceci est **Demo** : un script figé, pas une IA. Il ne comprend rien et ne retient rien. \
                  Choisis un vrai modèle dans les réglages de ce Kin pour parler pour de bon.";
const CODE_EN: &str = "```rust\nfn main() {\n    // Written by a script, not by an AI.\n    \
                       let household = [\"Ana\", \"Ben\"];\n    for name in household {\n        \
                       println!(\"Hello, {name}!\");\n    }\n}\n```\n";
const CODE_FR: &str = "```rust\nfn main() {\n    // Écrit par un script, pas par une IA.\n    \
                       let foyer = [\"Ana\", \"Ben\"];\n    for nom in foyer {\n        \
                       println!(\"Bonjour, {nom} !\");\n    }\n}\n```\n";

fn long(name: &str, language: Language) -> String {
    let (mut text, heading, sentences) = match language {
        Language::En => (format!("Here is a long answer, {name}. {EN}\n\n"), "Part", EN_SENTENCES),
        Language::Fr => (format!("Voici une longue réponse, {name}. {FR}\n\n"), "Partie", FR_SENTENCES),
    };
    let mut words = text.split_whitespace().count();
    let mut part = 0;
    while words < LONG_WORDS {
        part += 1;
        // Writing to a String cannot fail.
        let _ = write!(text, "## {heading} {part}\n\n");
        for at in 0..sentences.len() {
            // Another order in each part, so that one can tell where one is.
            let sentence = sentences[(at + part) % sentences.len()];
            let _ = write!(text, "{sentence} ");
            words += sentence.split_whitespace().count();
        }
        text.push_str("\n\n");
    }
    text
}

const EN_SENTENCES: &[&str] = &[
    "The kettle sings, the window is open, and somebody has left a map of the hills on the table.",
    "Every household keeps a drawer of string, old keys and batteries that may or may not be full.",
    "On Thursday the market sells pears, and on Friday there is soup with whatever was left.",
    "A script such as this one can go on for as long as it likes without ever meaning a thing.",
    "If you read along while the words arrive, the page should stay where your eyes are.",
    "Somewhere in the middle you may want to press stop, and what has come so far will be kept.",
];
const FR_SENTENCES: &[&str] = &[
    "La bouilloire chante, la fenêtre est ouverte et quelqu’un a laissé une carte des collines sur la table.",
    "Chaque foyer a un tiroir plein de ficelle, de vieilles clés et de piles dont on ne sait si elles marchent.",
    "Le jeudi, le marché vend des poires, et le vendredi il y a de la soupe avec ce qui reste.",
    "Un script comme celui-ci peut continuer aussi longtemps qu’il veut sans jamais rien vouloir dire.",
    "Si tu lis pendant que les mots arrivent, la page doit rester là où sont tes yeux.",
    "Quelque part au milieu tu voudras peut-être arrêter, et ce qui est déjà venu sera gardé.",
];

fn words(message: &str) -> Vec<String> {
    let letters = message.split(|letter: char| !letter.is_alphanumeric());
    letters.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn wish_of(message: &str) -> Wish {
    let words = words(message);
    let says = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    if says(&["code", "programme", "program"]) {
        Wish::Code
    } else if says(&["long", "longue", "longues", "longer"]) {
        Wish::Long
    } else if says(&["hello", "hi", "hey", "bonjour", "bonsoir", "salut", "coucou"]) {
        Wish::Hello
    } else {
        Wish::Other
    }
}

/// The language with more of its small words in the message; `None` when neither or both have as many.
fn language_of(message: &str) -> Option<Language> {
    const FR: &[&str] = &[
        "le", "la", "les", "un", "une", "des", "du", "de", "et", "est", "je", "tu", "il", "elle", "nous", "vous",
        "que", "qui", "quoi", "pour", "avec", "pas", "ne", "mon", "ma", "ton", "ta", "ça", "bonjour", "bonsoir",
        "salut", "coucou", "merci", "écris", "longue", "réponse", "peux", "moi", "où", "quel", "quelle", "au", "aux",
    ];
    const EN: &[&str] = &[
        "the", "a", "an", "of", "and", "is", "are", "i", "you", "he", "she", "we", "they", "what", "who", "for",
        "with", "not", "my", "your", "it", "hello", "hi", "hey", "thanks", "please", "write", "long", "answer", "can",
        "me", "where", "which", "to", "in", "some",
    ];
    let words = words(message);
    let count = |known: &[&str]| words.iter().filter(|word| known.contains(&word.as_str())).count();
    match count(FR).cmp(&count(EN)) {
        std::cmp::Ordering::Greater => Some(Language::Fr),
        std::cmp::Ordering::Less => Some(Language::En),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(message: &str, language: Language) -> Scene {
        Scene { kin: "Basile".into(), role: "Chef".into(), speaker: "Ana".into(), language, message: message.into() }
    }

    #[test]
    fn every_answer_says_that_it_is_a_script_in_the_messages_language() {
        for (message, member, french) in [
            ("hello", Language::Fr, false),
            ("Bonjour !", Language::En, true),
            ("Écris du code", Language::En, true),
            ("please write some code", Language::Fr, false),
            ("une longue réponse", Language::En, true),
            ("a long answer", Language::Fr, false),
            ("Qu’est-ce que tu fais avec ça ?", Language::En, true),
            ("What is the plan for dinner?", Language::Fr, false),
            ("42", Language::Fr, true),
            ("", Language::En, false),
        ] {
            let text = answer(&scene(message, member));
            let (said, other) = if french { (FR, EN) } else { (EN, FR) };
            assert!(text.contains(said) && !text.contains(other), "{message}: {text}");
            assert!(text.contains("Ana"), "{message}");
        }
    }

    #[test]
    fn answers_have_what_was_asked_for() {
        let ask = |message| answer(&scene(message, Language::En));
        assert!(ask("hello").starts_with("Hello **Ana**, I am Basile (Chef)."));
        assert!(ask("write code").contains("```rust\n"));
        let long = ask("a long answer");
        let words = long.split_whitespace().count();
        assert!((1_950..2_200).contains(&words), "{words} words");
        let other = ask("what now?");
        assert!(other.contains("| flour | 250 g |") && other.contains("1. a **list**") && other.contains("```rust\n"));
    }
}
