//! Drawing a face for a Kin, from its own description or from a member's words (K-2).

use super::{KinError, rows};
use crate::db::Db;
use crate::pictures::Pictures;
use crate::providers::{DrawRequest, Providers, Use};
use shared::{KinId, PictureId, Viewer};

/// Longest wish of a member's own.
pub(super) const MAX_WISH_CHARS: usize = 1_000;
/// As much of a Kin's character as a picture can show.
const CHARACTER_CHARS: usize = 600;

/// Who is to be drawn.
pub(super) struct Sitter {
    /// A Kin that is there: whatever the form leaves out is taken from it.
    pub kin: Option<KinId>,
    pub name: String,
    pub role: String,
    pub character: String,
    /// The member's own words, instead of the description.
    pub wish: Option<String>,
}

/// Draws a face through the household's image provider and keeps it as a picture.
///
/// # Errors
/// [`KinError::WishTooLong`], [`KinError::NobodyDraws`], what the provider says, or what is wrong with its picture.
pub(super) async fn draw(
    db: &Db,
    providers: &Providers,
    pictures: &Pictures,
    viewer: Viewer,
    mut sitter: Sitter,
) -> Result<PictureId, KinError> {
    let wish = sitter.wish.take().map(|wish| wish.trim().to_owned()).filter(|wish| !wish.is_empty());
    if wish.as_ref().is_some_and(|wish| wish.chars().count() > MAX_WISH_CHARS) {
        return Err(KinError::WishTooLong);
    }
    let choice = providers.defaults(viewer).await.map_err(KinError::Provider)?.remove(&Use::Image);
    let (provider, model) =
        choice.and_then(|choice| Some((choice.provider_id, choice.model?))).ok_or(KinError::NobodyDraws)?;
    if let Some(id) = sitter.kin {
        let kin = db.read(move |connection| Ok::<_, KinError>(rows::find(connection, id)?)).await?;
        let kin = kin.ok_or(KinError::NotFound(id))?;
        for (wanted, known) in
            [(&mut sitter.name, kin.name), (&mut sitter.role, kin.role), (&mut sitter.character, kin.character)]
        {
            if wanted.trim().is_empty() {
                *wanted = known;
            }
        }
    }
    let prompt = wish.map_or_else(|| portrait(&sitter), |wish| framed(&wish));
    pictures.take_drawing(viewer.member)?;
    let client = providers.image(provider).await.map_err(KinError::Draw)?;
    let drawn = client.draw(DrawRequest { model, prompt }).await.map_err(KinError::Draw)?;
    // What a provider sends is somebody's file like any other.
    Ok(pictures.keep(drawn.bytes).await?)
}

/// The hidden words: the Kin in the style of the house's own illustrations.
fn portrait(sitter: &Sitter) -> String {
    let character: String = sitter.character.chars().take(CHARACTER_CHARS).collect();
    let mut words = String::from(
        "A character for a household app: one friendly everyday object, plant or animal with a small face, chosen to fit \
         this description.",
    );
    for (what, text) in [("Name", &sitter.name), ("Role", &sitter.role), ("Character", &character)] {
        if !text.trim().is_empty() {
            words.push_str(&format!(" {what}: {}.", text.trim().trim_end_matches('.')));
        }
    }
    words.push_str(
        " Flat vector illustration, simple rounded shapes, few warm colours, soft two-tone shading, no outlines. The whole \
         figure, centred, facing the viewer, on a plain light background. Square. No text, no letters, no frame, no person.",
    );
    words
}

/// A member's own words, with what a face needs to be one.
fn framed(wish: &str) -> String {
    format!("{wish}\n\nSquare picture, one subject in the centre, nothing cut off, no text, no frame.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hidden_words_describe_the_kin_and_a_wish_stands_for_itself() {
        let sitter =
            Sitter { kin: None, name: "Basile".into(), role: "Meals".into(), character: "x".repeat(5_000), wish: None };
        let words = portrait(&sitter);
        assert!(words.contains("Name: Basile. Role: Meals. Character: xxx"), "{words}");
        assert!(words.chars().count() < 1_500);
        assert!(framed("a blue teapot").starts_with("a blue teapot\n"));
    }
}
