use super::*;
use fluent_syntax::ast::{CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement};
use shared::FailureKind;
use shared::frame::RefusalCode;
use std::collections::{BTreeMap, BTreeSet};

/// Every key of a file, with the variables its words ask for.
fn keys_and_variables(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let resource = fluent_syntax::parser::parse(source).expect("the file has no mistakes");
    let mut keys = BTreeMap::new();
    for entry in resource.body {
        if let Entry::Message(message) = entry {
            let mut variables = BTreeSet::new();
            if let Some(pattern) = &message.value {
                in_pattern(pattern, &mut variables);
            }
            let before = keys.insert(message.id.name.to_owned(), variables);
            assert_eq!(before, None, "{} stands there twice", message.id.name);
        }
    }
    keys
}

fn in_pattern(pattern: &Pattern<&str>, variables: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            in_expression(expression, variables);
        }
    }
}

fn in_expression(expression: &Expression<&str>, variables: &mut BTreeSet<String>) {
    match expression {
        Expression::Inline(inline) => in_inline(inline, variables),
        Expression::Select { selector, variants } => {
            in_inline(selector, variables);
            variants.iter().for_each(|variant| in_pattern(&variant.value, variables));
        }
    }
}

fn in_inline(inline: &InlineExpression<&str>, variables: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            variables.insert(id.name.to_owned());
        }
        InlineExpression::FunctionReference { arguments, .. } => in_arguments(arguments, variables),
        InlineExpression::Placeable { expression } => in_expression(expression, variables),
        InlineExpression::StringLiteral { .. }
        | InlineExpression::NumberLiteral { .. }
        | InlineExpression::MessageReference { .. }
        | InlineExpression::TermReference { .. } => {}
    }
}

fn in_arguments(arguments: &CallArguments<&str>, variables: &mut BTreeSet<String>) {
    arguments.positional.iter().for_each(|argument| in_inline(argument, variables));
}

#[test]
fn both_languages_have_the_same_keys_and_variables() {
    assert_eq!(keys_and_variables(EN), keys_and_variables(FR));
}

#[test]
fn french_has_no_break_spaces_where_it_needs_them() {
    for line in FR.lines().filter(|line| !line.starts_with('#')) {
        for wrong in [" ?", " !", " ;", " :", " »", "« "] {
            assert!(!line.contains(wrong), "plain space in {line:?}");
        }
    }
}

fn has_words(key: &str) -> bool {
    [Language::En, Language::Fr].iter().all(|language| words_in(*language, key, &[]).is_some())
}

#[test]
fn every_failure_has_words_and_only_asks_for_what_it_is_given() {
    for kind in FailureKind::ALL {
        let key = kind.as_str().replace('_', "-");
        assert!(has_words(&format!("failure-{key}-title")), "{key}");
        for language in [Language::En, Language::Fr] {
            let words = words_in(language, &format!("failure-{key}"), &[("provider", "OpenAI".into())]);
            assert!(words.is_some_and(|words| !words.contains('$') && words.len() > 20), "{key}");
        }
    }
}

#[test]
fn every_refusal_has_words() {
    let codes = [
        RefusalCode::NotFound,
        RefusalCode::Forbidden,
        RefusalCode::Archived,
        RefusalCode::Closed,
        RefusalCode::StaleGeneration,
        RefusalCode::Rebase,
        RefusalCode::HashMismatch,
        RefusalCode::DuplicateId,
        RefusalCode::Invalid,
        RefusalCode::TooLarge,
        RefusalCode::Unavailable,
    ];
    for code in codes {
        assert!(has_words(crate::ui::refusal_key(code)), "{code:?}");
    }
}

#[test]
fn every_colour_and_every_starting_point_has_words() {
    for (_, hue) in shared::profile::AVATARS {
        assert!(has_words(&format!("hue-{hue}")), "{hue}");
    }
    for key in crate::ui::starting_keys() {
        assert!(has_words(&key), "{key}");
    }
}

#[test]
fn every_known_problem_has_words() {
    for code in crate::api::KNOWN_CODES {
        assert!(has_words(&format!("problem-{}", code.replace('_', "-"))), "{code}");
    }
    for kind in FailureKind::ALL {
        assert!(has_words(&format!("problem-provider-{}", kind.as_str().replace('_', "-"))), "{kind:?}");
    }
}

#[test]
fn plurals_and_arguments_are_filled_in() {
    let words = |language, count: u32| words_in(language, "badge-unread", &[("count", count.into())]);
    assert_eq!(words(Language::En, 1).as_deref(), Some("1 new message"));
    assert_eq!(words(Language::En, 2).as_deref(), Some("2 new messages"));
    assert_eq!(words(Language::Fr, 0).as_deref(), Some("0 nouveau message"));
    assert_eq!(words(Language::Fr, 2).as_deref(), Some("2 nouveaux messages"));
    let quiet = words_in(Language::Fr, "home-lead", &[("today", "Lundi".into()), ("unread", 0_u32.into())]);
    assert_eq!(quiet.as_deref(), Some("Lundi. Rien de nouveau, tout est calme."));
}

#[test]
fn a_key_without_words_gives_none() {
    assert_eq!(words_in(Language::En, "no-such-key", &[]), None);
}

/// Keys that are put together at run time; the tests above cover them.
const BUILT: [&str; 6] = ["begin-", "failure-", "hue-", "problem-", "refused-", "strength-"];

/// Every `text!("…")` and `phrase!("…")` of the sources. Keys are plain literals, so that this test can see them.
fn keys_asked_for(folder: &std::path::Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the sources are here") {
        let path = entry.expect("the sources are here").path();
        if path.ends_with("i18n") {
            // This test itself.
        } else if path.is_dir() {
            keys_asked_for(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).expect("sources are text");
            let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            let code = code.collect::<Vec<_>>().join("\n").replace("phrase!(", "text!(");
            for piece in code.split("text!(").skip(1) {
                let piece = piece.trim_start();
                if let Some(key) = piece.strip_prefix('"').and_then(|rest| rest.split('"').next()) {
                    found.insert(key.to_owned());
                }
            }
        }
    }
}

#[test]
fn screens_ask_for_words_that_exist_and_no_words_are_left_over() {
    let mut asked = BTreeSet::new();
    keys_asked_for(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut asked);
    let known: BTreeSet<String> = keys_and_variables(EN).into_keys().collect();
    let missing: Vec<_> = asked.difference(&known).collect();
    assert!(missing.is_empty(), "without words: {missing:?}");
    let unused: Vec<_> =
        known.difference(&asked).filter(|key| !BUILT.iter().any(|built| key.starts_with(built))).collect();
    assert!(unused.is_empty(), "never asked for: {unused:?}");
}
