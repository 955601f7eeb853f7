use super::draw::MAX_WISH_CHARS;
use crate::db::DbError;
use crate::error::ApiError;
use crate::hub::HubError;
use crate::pictures::PictureError;
use crate::providers::ProviderError;
use axum::http::StatusCode;
use shared::limits::{MAX_KIN_TEXT_BYTES, MAX_NAME_CHARS, MAX_ROLE_CHARS};
use shared::profile::ModelChoice;
use shared::{Failure, KinId, ProviderId};

/// Why a Kin could not be made, changed or found.
#[derive(Debug, thiserror::Error)]
pub enum KinError {
    /// Does not exist, or was removed.
    #[error("Kin {0} does not exist")]
    NotFound(KinId),
    /// Put away.
    #[error("the Kin has been put away; bring it back first")]
    Archived,
    /// A wish for a face over the limit.
    #[error("what to draw is said in at most {MAX_WISH_CHARS} characters")]
    WishTooLong,
    /// No image provider.
    #[error("the household has no image provider; an admin can connect one")]
    NobodyDraws,
    /// The image provider could not be asked.
    #[error("could not find the image provider")]
    Provider(#[source] ProviderError),
    /// The image provider says no.
    #[error("nothing was drawn: {}", .0.kind.as_str())]
    Draw(Failure),
    /// What was drawn could not be kept.
    #[error("could not keep what was drawn")]
    Picture(#[from] PictureError),
    /// A new order names a Kin twice.
    #[error("the order names a Kin twice")]
    OrderRepeats,
    /// No name.
    #[error("a Kin needs a name")]
    NameEmpty,
    /// Name over the limit.
    #[error("the name has more than {MAX_NAME_CHARS} characters")]
    NameTooLong,
    /// Role over the limit.
    #[error("the role has more than {MAX_ROLE_CHARS} characters")]
    RoleTooLong,
    /// Character or expertise over the limit; `field` is the JSON field.
    #[error("{field} has more than {MAX_KIN_TEXT_BYTES} bytes")]
    TextTooLong {
        /// Which.
        field: &'static str,
    },
    /// No such illustration.
    #[error("there is no illustration of this name")]
    AvatarUnknown,
    /// No such colour.
    #[error("there is no hue of this name")]
    HueUnknown,
    /// The model's provider does not exist.
    #[error("provider {0} does not exist")]
    ProviderNotFound(ProviderId),
    /// The provider does not list this model.
    #[error("the provider has no model named {:?}", .0.name)]
    ModelUnknown(ModelChoice),
    /// Somebody changed it since the caller looked.
    #[error("the Kin was changed meanwhile; read it again")]
    ChangedMeanwhile,
    /// The database failed.
    #[error("could not read or save a Kin")]
    Db(#[from] DbError),
    /// The log failed.
    #[error("could not record a Kin")]
    Hub(#[from] HubError),
}

impl From<rusqlite::Error> for KinError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Db(error.into())
    }
}

impl From<KinError> for ApiError {
    fn from(error: KinError) -> Self {
        let text = error.to_string();
        let invalid = |code: &'static str| Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, text.clone());
        match error {
            KinError::NotFound(_) => Self::new(StatusCode::NOT_FOUND, "kin_not_found", text),
            KinError::Archived => Self::new(StatusCode::CONFLICT, "kin_archived", text),
            KinError::WishTooLong => invalid("wish_too_long"),
            KinError::NobodyDraws => Self::new(StatusCode::CONFLICT, "image_provider_missing", text),
            KinError::Provider(error) => error.into(),
            KinError::Draw(failure) => ProviderError::Failed(failure).into(),
            KinError::Picture(error) => error.into(),
            KinError::OrderRepeats => invalid("order_repeats"),
            KinError::NameEmpty => invalid("name_empty"),
            KinError::NameTooLong => invalid("name_too_long"),
            KinError::RoleTooLong => invalid("role_too_long"),
            KinError::TextTooLong { .. } => invalid("text_too_long"),
            KinError::AvatarUnknown => invalid("avatar_unknown"),
            KinError::HueUnknown => invalid("hue_unknown"),
            KinError::ProviderNotFound(_) => invalid("provider_not_found"),
            KinError::ModelUnknown(_) => invalid("model_unknown"),
            KinError::ChangedMeanwhile => Self::new(StatusCode::PRECONDITION_FAILED, "changed_meanwhile", text),
            KinError::Db(error) => error.into(),
            KinError::Hub(error) => error.into(),
        }
    }
}
