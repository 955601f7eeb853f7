//! `/api/server`: how the server is doing, for admins.

use super::arrival::Arrival;
use super::interfaces::own_addresses;
use crate::app_state::AppState;
use crate::auth::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::health::{self, HealthView, disk};
use crate::settings::Source;
use crate::tls::{Current, Renewal};
use axum::Extension;
use axum::extract::State;
use serde::Serialize;
use shared::{Right, UnixMillis};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_server))
}

/// The server.
#[derive(Serialize, ToSchema)]
struct ServerView {
    /// Of Kinstead.
    version: &'static str,
    #[schema(value_type = i64)]
    started_at: UnixMillis,
    health: HealthView,
    reach: ReachView,
    certificate: Option<CertificateView>,
    data: DataView,
    /// Every setting in force. None holds a secret.
    settings: Vec<SettingView>,
}

/// How it is reached.
#[derive(Serialize, ToSchema)]
struct ReachView {
    /// `this_machine` (loopback only), `until_admin` (loopback until there is an admin), `https`, `proxy` (a proxy
    /// encrypts), `unencrypted` (others come in, but get no app), `failed` (it could not open up).
    state: &'static str,
    /// Where people find it; links and codes are made of it.
    public_url: String,
    /// Whether the setting `public_url` says so, or it was guessed.
    public_url_is_set: bool,
    /// Addresses listened at.
    listening: Vec<String>,
    /// Addresses of this machine at which it can be tried from elsewhere; none when it listens on loopback only.
    addresses: Vec<AddressView>,
    /// Whether this very request came through a proxy that is believed.
    by_proxy: bool,
    /// Whether something that is not believed claims to be a proxy.
    unknown_proxy: bool,
    /// Why it could not open up.
    error: Option<String>,
}

/// One of the machine's addresses.
#[derive(Serialize, ToSchema)]
struct AddressView {
    interface: String,
    url: String,
}

/// The certificate in use, or why there is none yet.
#[derive(Serialize, ToSchema)]
struct CertificateView {
    /// `files` or `acme`.
    source: &'static str,
    /// Host names it is for; empty while there is none.
    names: Vec<String>,
    issuer: String,
    self_signed: bool,
    #[schema(value_type = Option<i64>)]
    valid_from: Option<UnixMillis>,
    #[schema(value_type = Option<i64>)]
    valid_until: Option<UnixMillis>,
    /// Attempts at a newer one that failed in a row.
    failures: u32,
    /// Why the last one failed.
    error: Option<String>,
    /// When the next attempt is made.
    #[schema(value_type = Option<i64>)]
    next_attempt_at: Option<UnixMillis>,
}

/// The data folder and its disk.
#[derive(Serialize, ToSchema)]
struct DataView {
    folder: String,
    folder_bytes: u64,
    free_bytes: Option<u64>,
    total_bytes: Option<u64>,
}

/// A setting in force.
#[derive(Serialize, ToSchema)]
struct SettingView {
    name: &'static str,
    value: String,
    /// `flag`, `environment`, `default`, or the file.
    source: String,
    is_default: bool,
}

/// Tells how the server is reached and how it does.
///
/// 200 · 401 `not_signed_in` · 403 `admin_only`
#[utoipa::path(get, path = "/api/server", tag = "about", responses(
    (status = 200, body = ServerView), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn get_server(
    State(state): State<AppState>,
    arrival: Option<Extension<Arrival>>,
    caller: Caller,
) -> Result<Json<ServerView>, ApiError> {
    caller.must(Right::ManageServer)?;
    let health = health::health(&state.db, &state.settings).await?;
    let (settings, blocking) = (&state.settings, state.clone());
    let arrival = arrival.map(|Extension(arrival)| arrival);
    let looked = tokio::task::spawn_blocking(move || (reach(&blocking, arrival.as_ref()), data(&blocking)));
    let (reach, data) = looked.await.map_err(ApiError::internal)?;
    let has_tls = settings.has_tls();
    let certificates = state.reach.certificates();
    let source = if settings.tls_cert.is_some() { "files" } else { "acme" };
    let certificate = has_tls.then(|| certificate(source, certificates.current(), certificates.renewal()));
    let settings = settings.resolved.iter().map(|one| SettingView {
        name: one.name,
        value: one.value.clone(),
        source: one.source.to_string(),
        is_default: one.source == Source::Default,
    });
    Ok(Json(ServerView {
        version: env!("CARGO_PKG_VERSION"),
        started_at: state.reach.0.started_at,
        health,
        reach,
        certificate,
        data,
        settings: settings.collect(),
    }))
}

fn reach(state: &AppState, arrival: Option<&Arrival>) -> ReachView {
    let (settings, listening) = (&state.settings, state.reach.listening());
    let main = listening.main.unwrap_or(settings.listen);
    let by_proxy = arrival.is_some_and(|arrival| arrival.by_proxy);
    let proxied = by_proxy || !settings.trusted_proxies.is_empty();
    let public_is_https = settings.public_url.get().is_some_and(|url| url.as_str().starts_with("https://"));
    let has_certificate = state.reach.certificates().current().is_some();
    let reach = match () {
        () if listening.failed.is_some() => "failed",
        () if !listening.open && listening.main.is_some() => "until_admin",
        () if settings.has_tls() && has_certificate && !main.ip().is_loopback() => "https",
        () if proxied && public_is_https => "proxy",
        () if main.ip().is_loopback() => "this_machine",
        () => "unencrypted",
    };
    let (scheme, port) = (if settings.has_tls() { "https" } else { "http" }, main.port());
    let mut own = own_addresses();
    own.retain(|one| {
        main.ip().is_unspecified() && (main.is_ipv6() || one.address.is_ipv4()) || main.ip() == one.address
    });
    let address = |one: super::interfaces::OwnAddress| AddressView {
        url: format!("{scheme}://{}", std::net::SocketAddr::new(one.address, port)),
        interface: one.interface,
    };
    ReachView {
        state: reach,
        public_url: state.reach.public_url(),
        public_url_is_set: settings.public_url.is_some(),
        listening: listening.main.iter().chain(&listening.redirects).map(ToString::to_string).collect(),
        addresses: own.into_iter().map(address).collect(),
        by_proxy,
        unknown_proxy: arrival.is_some_and(|arrival| arrival.unknown_proxy),
        error: listening.failed,
    }
}

fn certificate(source: &'static str, current: Option<Current>, renewal: Renewal) -> CertificateView {
    let Renewal { failures, error, next_at } = renewal;
    let (valid_from, valid_until) = (current.as_ref().map(|one| one.from), current.as_ref().map(|one| one.until));
    let (names, issuer, self_signed) =
        current.map_or_else(Default::default, |one| (one.names, one.issuer, one.self_signed));
    CertificateView {
        source,
        names,
        issuer,
        self_signed,
        valid_from,
        valid_until,
        failures,
        error,
        next_attempt_at: next_at,
    }
}

fn data(state: &AppState) -> DataView {
    let folder = &state.settings.data;
    let room = disk::room(folder);
    DataView {
        folder: std::path::absolute(folder).unwrap_or_else(|_| folder.clone()).display().to_string(),
        folder_bytes: disk::size(folder),
        free_bytes: room.map(|room| room.free_bytes),
        total_bytes: room.map(|room| room.total_bytes),
    }
}
