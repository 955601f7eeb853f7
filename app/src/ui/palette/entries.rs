//! What the palette offers.

use super::{OVERLAY, Overlay};
use crate::i18n::LANGUAGE;
use crate::text;
use crate::ui::foyer;
use crate::ui::language;
use crate::ui::replica::{Finds, Replica};
use crate::ui::routes::Route;
use crate::ui::shell::my_profile;
use crate::ui::theme::{self, Theme};
use crate::ui::when;
use dioxus::prelude::*;
use shared::profile::{Language, Standing};
use shared::{Author, KinId, MessageId, Right, SessionId};
use std::ops::Range;
use sync::find::matches;
use sync::view::{FoundView, HomeView, KinView};

/// Kinds of entries, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Commands.
    Do,
    /// Kins and members.
    People,
    /// Messages.
    Said,
    /// Screens.
    Go,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Do, Self::People, Self::Said, Self::Go];

    /// Its heading.
    pub fn name(self) -> String {
        match self {
            Self::Do => text!("palette-do"),
            Self::People => text!("palette-people"),
            Self::Said => text!("palette-said"),
            Self::Go => text!("palette-go"),
        }
    }
}

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it stands.
    pub group: Group,
    /// What stands before it.
    pub face: Face,
    /// Its name.
    pub title: String,
    /// More about it; may be empty.
    pub sub: String,
    /// Where in the name what was looked for stands, in bytes; `None` where the palette itself looked.
    pub marks: Option<Vec<Range<usize>>>,
    /// What choosing it does.
    pub choice: Choice,
}

/// What stands before an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Face {
    /// An icon of the sprite.
    Icon(&'static str),
    /// A Kin.
    Kin {
        /// Its picture.
        avatar: String,
        /// Its hue.
        hue: String,
    },
    /// A member.
    Member {
        /// Their picture.
        avatar: String,
        /// Their nickname.
        name: String,
    },
}

/// What choosing an entry does.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// Opens a screen.
    Go(Route),
    /// Shows a message.
    Show {
        /// Whose thread.
        kin: KinId,
        /// Its session.
        session: SessionId,
        /// The message.
        message: MessageId,
        /// Its chapter.
        chapter: u32,
    },
    /// Runs a command.
    Do(Deed),
}

/// Commands that are no screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Another theme.
    Theme(Theme),
    /// The other language.
    Language,
    /// The keyboard map.
    Keys,
    /// Ask whether to sign out.
    SignOut,
}

/// Runs a command.
pub fn perform(replica: Replica, deed: Deed) {
    match deed {
        Deed::Theme(chosen) => theme::prefer(replica, chosen),
        Deed::Language => language::prefer(replica, other(LANGUAGE())),
        Deed::Keys => *OVERLAY.write() = Some(Overlay::Keys),
        Deed::SignOut => *OVERLAY.write() = Some(Overlay::SignOut),
    }
}

const fn other(language: Language) -> Language {
    match language {
        Language::En => Language::Fr,
        Language::Fr => Language::En,
    }
}

/// Everything that fits what was typed; without words the Kins come first.
pub fn list(replica: Replica, words: &str) -> Vec<Entry> {
    let mut entries = deeds(replica);
    entries.extend(people(replica));
    entries.extend(screens(replica));
    if words.trim().is_empty() {
        return entries;
    }
    entries.retain(|entry| matches(&whole(&entry.title, &entry.sub), words).is_some());
    entries
}

fn deeds(replica: Replica) -> Vec<Entry> {
    let role = my_profile(replica).map(|me| me.role);
    let may = |right| role.is_some_and(|role| role.may(right));
    let deed = |icon, title, choice| Entry {
        group: Group::Do,
        face: Face::Icon(icon),
        title,
        sub: String::new(),
        marks: None,
        choice,
    };
    let mut entries = Vec::new();
    if may(Right::CareForKins) {
        entries.push(deed("plus", text!("kin-new"), Choice::Go(Route::NewKin {})));
    }
    if may(Right::ManageMembers) {
        entries.push(deed("user-plus", text!("do-invite"), Choice::Go(Route::Members {})));
    }
    let themes = [
        (Theme::Light, text!("do-theme-light")),
        (Theme::Dark, text!("do-theme-dark")),
        (Theme::System, text!("do-theme-system")),
    ];
    for (theme, title) in themes {
        if theme::current() != theme {
            entries.push(deed("moon", title, Choice::Do(Deed::Theme(theme))));
        }
    }
    entries.push(deed("globe", text!("do-language"), Choice::Do(Deed::Language)));
    entries.push(deed("terminal", text!("do-keys"), Choice::Do(Deed::Keys)));
    entries.push(deed("power", text!("sign-out"), Choice::Do(Deed::SignOut)));
    entries
}

fn people(replica: Replica) -> Vec<Entry> {
    let home = replica.home();
    let home = home.read();
    let Some(HomeView { kins, members, .. }) = home.as_ref() else { return Vec::new() };
    let kins = kins.iter().filter(|kin| !kin.profile.archived).map(|kin| Entry {
        group: Group::People,
        face: Face::Kin { avatar: kin.profile.avatar.clone(), hue: kin.profile.hue.clone() },
        title: kin.profile.name.clone(),
        sub: kin.profile.role.clone(),
        marks: None,
        choice: Choice::Go(Route::thread(kin.profile.id)),
    });
    let members = members.iter().filter(|member| member.standing == Standing::Active).map(|member| Entry {
        group: Group::People,
        face: Face::Member { avatar: member.avatar.clone(), name: member.nickname.clone() },
        title: member.nickname.clone(),
        sub: String::new(),
        marks: None,
        choice: Choice::Go(Route::Members {}),
    });
    kins.chain(members).collect()
}

fn screens(replica: Replica) -> Vec<Entry> {
    let go = |icon, title, route| Entry {
        group: Group::Go,
        face: Face::Icon(icon),
        title,
        sub: String::new(),
        marks: None,
        choice: Choice::Go(route),
    };
    let mut entries = vec![go("house", text!("home"), Route::Home {})];
    entries.extend(foyer::destinations(replica).into_iter().map(|(icon, title, route)| go(icon, title, route)));
    let home = replica.home();
    let home = home.read();
    for kin in home.iter().flat_map(|home| &home.kins) {
        let profile = &kin.profile;
        entries.push(go("settings", text!("kin-settings-of", name: &profile.name), Route::settings(profile.id)));
    }
    entries
}

/// What was said before, as entries.
pub fn found(replica: Replica, finds: &Finds) -> Vec<Entry> {
    let (home, archived) = (replica.home(), replica.archived());
    let (home, archived) = (home.read(), archived.read());
    let Some(home) = home.as_ref() else { return Vec::new() };
    finds.found.iter().filter_map(|found| said(home, &archived, found)).collect()
}

fn said(home: &HomeView, archived: &[KinView], found: &FoundView) -> Option<Entry> {
    let mut kins = home.kins.iter().chain(archived);
    let profile = &kins.find(|kin| kin.profile.session == found.session)?.profile;
    let face = match found.author {
        Author::Kin(_) => Face::Kin { avatar: profile.avatar.clone(), hue: profile.hue.clone() },
        Author::Member(id) => {
            let member = home.members.iter().find(|member| member.id == id);
            let (avatar, name) =
                member.map(|member| (member.avatar.clone(), member.nickname.clone())).unwrap_or_default();
            Face::Member { avatar, name }
        }
    };
    let title = text!("said-quote", words: &found.excerpt);
    let before = title.find(&found.excerpt).unwrap_or(0);
    let marks = found.marks.iter().map(|(from, to)| before + *from as usize..before + *to as usize).collect();
    Some(Entry {
        group: Group::Said,
        face,
        title,
        sub: format!("{}, {}", profile.name, when::brief(found.sent_at)),
        marks: Some(marks),
        choice: Choice::Show {
            kin: profile.id,
            session: found.session,
            message: found.message,
            chapter: found.chapter,
        },
    })
}

/// A part of a text, and whether it was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The part.
    pub text: String,
    /// Whether it was looked for.
    pub marked: bool,
}

fn whole(title: &str, sub: &str) -> String {
    format!("{title} {sub}")
}

/// An entry's name and the rest of it, cut where what was looked for begins and ends.
pub fn pieces(title: &str, sub: &str, words: &str) -> (Vec<Piece>, Vec<Piece>) {
    let ranges = matches(&whole(title, sub), words).unwrap_or_default();
    let length = title.len();
    let of_sub = ranges.iter().filter(|range| range.start > length);
    let of_sub: Vec<Range<usize>> = of_sub.map(|range| range.start - length - 1..range.end - length - 1).collect();
    let of_title: Vec<Range<usize>> = ranges.into_iter().filter(|range| range.start < length).collect();
    (cut(title, &of_title), cut(sub, &of_sub))
}

/// A text, cut where what was looked for begins and ends.
pub fn cut(text: &str, ranges: &[Range<usize>]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, letter) in text.char_indices() {
        let marked = ranges.iter().any(|range| range.contains(&at));
        match pieces.last_mut() {
            Some(piece) if piece.marked == marked => piece.text.push(letter),
            Some(_) | None => pieces.push(Piece { text: letter.into(), marked }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_looked_for_is_marked_in_name_and_rest() {
        let piece = |text: &str, marked| Piece { text: text.into(), marked };
        let (title, sub) = pieces("Zéphyr", "Voyages et gîtes", "zep git");
        assert_eq!(title, [piece("Zép", true), piece("hyr", false)]);
        assert_eq!(sub, [piece("Voyages et ", false), piece("gît", true), piece("es", false)]);
        assert_eq!(pieces("Zéphyr", "", ""), (vec![piece("Zéphyr", false)], vec![]));
    }
}
