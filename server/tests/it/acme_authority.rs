//! A certificate authority that speaks ACME (RFC 8555) as the real ones do: signed requests with nonces used once,
//! challenges it really checks by connecting, certificates of its own.

#![expect(clippy::result_large_err, clippy::unused_async, reason = "handlers whose refusals are answers")]

use crate::tls::Authority;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use rcgen::{CertificateSigningRequestParams, SanType};
use serde_json::{Value, json};
use server::http::serve::{ConnectionLimits, Door};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, ServerConfig, SignatureScheme};
use tokio_util::sync::CancellationToken;
use x509_parser::oid_registry::asn1_rs::oid;

/// What the tests look at and set.
#[derive(Default)]
pub struct Seen {
    pub accounts: Vec<Value>,
    pub orders: Vec<Order>,
    /// Kinds of challenges checked, and whether they held.
    pub checked: Vec<(String, Result<(), String>)>,
    /// Requests to refuse with `badNonce` first.
    pub bad_nonces: u32,
    /// Refuses orders when set.
    pub refuse_orders: bool,
    /// Where the house is reached for TLS-ALPN-01 and HTTP-01.
    pub tls_at: Option<SocketAddr>,
    pub http_at: Option<SocketAddr>,
    nonces: HashSet<String>,
    drawn: u32,
    jwk: Value,
}

pub struct Order {
    pub name: String,
    /// Of its only authorization.
    status: &'static str,
    problem: Option<String>,
    chain: Option<String>,
}

#[derive(Clone)]
pub struct Acme {
    pub seen: Arc<Mutex<Seen>>,
    pub base: String,
    pub authority: Arc<Authority>,
}

type Answer = Result<Response, Response>;

impl Acme {
    pub async fn start() -> Self {
        let authority = Arc::new(Authority::new());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let acme = Self { seen: Arc::default(), base, authority };
        let router = Router::new()
            .route("/directory", get(Self::directory))
            .route("/nonce", get(Self::nonce))
            .route("/account", post(Self::new_account))
            .route("/order", post(Self::new_order))
            .route("/order/{n}", post(Self::order))
            .route("/authorization/{n}", post(Self::authorization))
            .route("/challenge/{n}/{kind}", post(Self::challenge))
            .route("/finalize/{n}", post(Self::finalize))
            .route("/certificate/{n}", post(Self::certificate))
            .with_state(acme.clone());
        let (chain, key) = acme.authority.give("localhost", -1, 1);
        let chain = CertificateDer::pem_slice_iter(chain.as_bytes()).collect::<Result<_, _>>().unwrap();
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
        let (limits, stop) = (ConnectionLimits::default(), CancellationToken::new());
        Door::new(router, Some(Arc::new(config)), "".parse().unwrap(), limits, stop).listen(listener, false);
        acme
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn look<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock().unwrap())
    }

    async fn directory(State(acme): State<Self>) -> Response {
        let [nonce, account, order] = ["/nonce", "/account", "/order"].map(|path| acme.url(path));
        let meta = json!({ "termsOfService": acme.url("/terms") });
        let revoke = acme.url("/revoke");
        axum::Json(
            json!({ "newNonce": nonce, "newAccount": account, "newOrder": order, "revokeCert": revoke, "meta": meta }),
        )
        .into_response()
    }

    async fn nonce(State(acme): State<Self>) -> Response {
        acme.with_nonce(StatusCode::OK.into_response())
    }

    fn with_nonce(&self, mut response: Response) -> Response {
        let nonce = self.look(|seen| {
            seen.drawn += 1;
            let nonce = format!("nonce-{}", seen.drawn);
            seen.nonces.insert(nonce.clone());
            nonce
        });
        response.headers_mut().insert("replay-nonce", nonce.parse().unwrap());
        response.headers_mut().insert(header::CACHE_CONTROL, "no-store".parse().unwrap());
        response
    }

    fn problem(&self, status: u16, kind: &str, detail: &str) -> Response {
        let body = json!({ "type": format!("urn:ietf:params:acme:error:{kind}"), "detail": detail });
        let status = StatusCode::from_u16(status).unwrap();
        let json_type = [(header::CONTENT_TYPE, "application/problem+json")];
        self.with_nonce((status, json_type, body.to_string()).into_response())
    }

    /// The payload of a request, once its nonce, address, key and signature hold.
    fn open(&self, path: &str, body: &Bytes) -> Result<Value, Response> {
        let malformed = |detail: &str| self.problem(400, "malformed", detail);
        let jws: Value = serde_json::from_slice(body).map_err(|_| malformed("no JSON"))?;
        let part = |name: &str| jws[name].as_str().ok_or_else(|| malformed(name));
        let decode = |text: &str| BASE64.decode(text).map_err(|_| malformed("no base64url"));
        let (protected, payload) = (part("protected")?, part("payload")?);
        let header: Value = serde_json::from_slice(&decode(protected)?).map_err(|_| malformed("protected"))?;
        if header["url"] != self.url(path) || header["alg"] != "ES256" {
            return Err(malformed("url or alg"));
        }
        let fresh = self.look(|seen| {
            let known = seen.nonces.remove(header["nonce"].as_str().unwrap_or_default());
            if seen.bad_nonces > 0 {
                seen.bad_nonces -= 1;
                return false;
            }
            known
        });
        if !fresh {
            return Err(self.problem(400, "badNonce", "this nonce is not good"));
        }
        let jwk = if path == "/account" { header["jwk"].clone() } else { self.look(|seen| seen.jwk.clone()) };
        if path != "/account" && header["kid"] != self.url("/account/1") {
            return Err(self.problem(400, "accountDoesNotExist", "no such account"));
        }
        let mut point = vec![4];
        for coordinate in ["x", "y"] {
            point.extend(decode(jwk[coordinate].as_str().unwrap_or_default())?);
        }
        let signed = format!("{protected}.{payload}");
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)
            .verify(signed.as_bytes(), &decode(part("signature")?)?)
            .map_err(|_| self.problem(403, "unauthorized", "the signature does not hold"))?;
        if path == "/account" {
            self.look(|seen| seen.jwk = jwk);
        }
        let payload = decode(payload)?;
        if payload.is_empty() {
            Ok(Value::Null)
        } else {
            serde_json::from_slice(&payload).map_err(|_| malformed("payload"))
        }
    }

    async fn new_account(State(acme): State<Self>, body: Bytes) -> Answer {
        let account = acme.open("/account", &body)?;
        if account["termsOfServiceAgreed"] != true {
            return Err(acme.problem(403, "userActionRequired", "agree to the terms first"));
        }
        acme.look(|seen| seen.accounts.push(account));
        let answer = (StatusCode::CREATED, axum::Json(json!({ "status": "valid" })));
        let mut answer = acme.with_nonce(answer.into_response());
        answer.headers_mut().insert(header::LOCATION, acme.url("/account/1").parse().unwrap());
        Ok(answer)
    }

    async fn new_order(State(acme): State<Self>, body: Bytes) -> Answer {
        let order = acme.open("/order", &body)?;
        if acme.look(|seen| seen.refuse_orders) {
            return Err(acme.problem(429, "rateLimited", "too many certificates this week"));
        }
        let name = order["identifiers"][0]["value"].as_str().unwrap().to_owned();
        let n = acme.look(|seen| {
            seen.orders.push(Order { name, status: "pending", problem: None, chain: None });
            seen.orders.len() - 1
        });
        let mut answer = (StatusCode::CREATED, axum::Json(acme.order_view(n))).into_response();
        answer.headers_mut().insert(header::LOCATION, acme.url(&format!("/order/{n}")).parse().unwrap());
        Ok(acme.with_nonce(answer))
    }

    fn order_view(&self, n: usize) -> Value {
        let (name, status, issued) = self.look(|seen| {
            let order = &seen.orders[n];
            (order.name.clone(), order.status, order.chain.is_some())
        });
        let status = if issued {
            "valid"
        } else if status == "valid" {
            "ready"
        } else {
            status
        };
        let mut view = json!({
            "status": status, "identifiers": [{ "type": "dns", "value": name }],
            "authorizations": [self.url(&format!("/authorization/{n}"))], "finalize": self.url(&format!("/finalize/{n}")),
        });
        if issued {
            view["certificate"] = json!(self.url(&format!("/certificate/{n}")));
        }
        view
    }

    async fn order(State(acme): State<Self>, Path(n): Path<usize>, body: Bytes) -> Answer {
        acme.open(&format!("/order/{n}"), &body)?;
        Ok(acme.with_nonce(axum::Json(acme.order_view(n)).into_response()))
    }

    async fn authorization(State(acme): State<Self>, Path(n): Path<usize>, body: Bytes) -> Answer {
        acme.open(&format!("/authorization/{n}"), &body)?;
        let (name, status, problem) = acme.look(|seen| {
            let order = &seen.orders[n];
            (order.name.clone(), order.status, order.problem.clone())
        });
        let error =
            problem.map(|detail| json!({ "type": "urn:ietf:params:acme:error:unauthorized", "detail": detail }));
        let challenge = |kind: &str| {
            let url = acme.url(&format!("/challenge/{n}/{kind}"));
            let mut view = json!({ "type": kind, "url": url, "token": token(n, kind), "status": status });
            if let Some(error) = &error {
                view["error"] = error.clone();
            }
            view
        };
        let challenges = json!([challenge("http-01"), challenge("dns-01"), challenge("tls-alpn-01")]);
        let view =
            json!({ "identifier": { "type": "dns", "value": name }, "status": status, "challenges": challenges });
        Ok(acme.with_nonce(axum::Json(view).into_response()))
    }

    async fn challenge(State(acme): State<Self>, Path((n, kind)): Path<(usize, String)>, body: Bytes) -> Answer {
        acme.open(&format!("/challenge/{n}/{kind}"), &body)?;
        let (name, jwk) = acme.look(|seen| (seen.orders[n].name.clone(), seen.jwk.clone()));
        let part = |name: &str| jwk[name].as_str().unwrap().to_owned();
        let canonical = format!(r#"{{"crv":"P-256","kty":"EC","x":"{}","y":"{}"}}"#, part("x"), part("y"));
        let thumbprint = BASE64.encode(Sha256::digest(canonical.as_bytes()));
        let expected = format!("{}.{thumbprint}", token(n, &kind));
        let checked = match kind.as_str() {
            "tls-alpn-01" => acme.check_alpn(&name, &expected).await,
            "http-01" => acme.check_http(&name, &token(n, &kind), &expected).await,
            _ => Err("this kind is not for this house".into()),
        };
        acme.look(|seen| {
            seen.orders[n].status = if checked.is_ok() { "valid" } else { "invalid" };
            seen.orders[n].problem = checked.clone().err();
            seen.checked.push((kind.clone(), checked));
        });
        let url = acme.url(&format!("/challenge/{n}/{kind}"));
        let view = json!({ "type": kind, "url": url, "token": token(n, &kind), "status": "processing" });
        Ok(acme.with_nonce(axum::Json(view).into_response()))
    }

    /// RFC 8737: the certificate shown over `acme-tls/1` is for the one name and holds the critical proof.
    async fn check_alpn(&self, name: &str, expected: &str) -> Result<(), String> {
        let at = self.look(|seen| seen.tls_at).ok_or("nobody listens at port 443")?;
        let mut config = ClientConfig::builder()
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(TakesAll))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"acme-tls/1".to_vec()];
        let stream = TcpStream::connect(at).await.map_err(|error| error.to_string())?;
        let server_name = ServerName::try_from(name.to_owned()).unwrap();
        let stream = TlsConnector::from(Arc::new(config)).connect(server_name, stream).await;
        let stream = stream.map_err(|error| error.to_string())?;
        let (_, tls) = stream.get_ref();
        if tls.alpn_protocol() != Some(b"acme-tls/1") {
            return Err("acme-tls/1 was not agreed on".into());
        }
        let der = tls.peer_certificates().unwrap()[0].to_vec();
        let (_, certificate) = x509_parser::parse_x509_certificate(&der).map_err(|error| error.to_string())?;
        let names = certificate.subject_alternative_name().unwrap().unwrap().value.general_names.clone();
        if names.len() != 1 || names[0].to_string() != format!("DNSName({name})") {
            return Err(format!("the names are {names:?}"));
        }
        let identifier =
            certificate.get_extension_unique(&oid!(1.3.6.1.5.5.7.1.31)).unwrap().ok_or("no acmeIdentifier")?;
        let mut digest = vec![4, 32];
        digest.extend(Sha256::digest(expected.as_bytes()));
        if identifier.critical && identifier.value == digest { Ok(()) } else { Err("the proof does not hold".into()) }
    }

    async fn check_http(&self, name: &str, token: &str, expected: &str) -> Result<(), String> {
        let at = self.look(|seen| seen.http_at).ok_or("nobody listens at port 80")?;
        let client = reqwest::Client::builder().resolve(name, at).build().unwrap();
        let url = format!("http://{name}:{}/.well-known/acme-challenge/{token}", at.port());
        let text = async { client.get(url).send().await?.error_for_status()?.text().await }.await;
        let text = text.map_err(|error| error.to_string())?;
        if text == expected { Ok(()) } else { Err(format!("it answers {text:?}")) }
    }

    async fn finalize(State(acme): State<Self>, Path(n): Path<usize>, body: Bytes) -> Answer {
        let request = acme.open(&format!("/finalize/{n}"), &body)?;
        let (name, status) = acme.look(|seen| (seen.orders[n].name.clone(), seen.orders[n].status));
        if status != "valid" {
            return Err(acme.problem(403, "orderNotReady", "the name is not proved"));
        }
        let csr = BASE64.decode(request["csr"].as_str().unwrap_or_default()).unwrap();
        let mut csr = CertificateSigningRequestParams::from_der(&csr.into()).unwrap();
        if csr.params.subject_alt_names != [SanType::DnsName(name.as_str().try_into().unwrap())] {
            return Err(acme.problem(400, "badCSR", "the names are not those of the order"));
        }
        let now = rcgen::date_time_ymd(1970, 1, 1) + std::time::Duration::from_millis(crate::support::now() as u64);
        csr.params.not_before = now - std::time::Duration::from_secs(3600);
        csr.params.not_after = now + std::time::Duration::from_secs(90 * 24 * 3600);
        let leaf = csr.signed_by(&acme.authority.issuer).unwrap().pem();
        acme.look(|seen| seen.orders[n].chain = Some(format!("{leaf}{}", acme.authority.pem)));
        Ok(acme.with_nonce(axum::Json(acme.order_view(n)).into_response()))
    }

    async fn certificate(State(acme): State<Self>, Path(n): Path<usize>, body: Bytes) -> Answer {
        acme.open(&format!("/certificate/{n}"), &body)?;
        let chain = acme.look(|seen| seen.orders[n].chain.clone()).unwrap();
        let pem_type = [(header::CONTENT_TYPE, "application/pem-certificate-chain")];
        Ok(acme.with_nonce((pem_type, chain).into_response()))
    }
}

fn token(n: usize, kind: &str) -> String {
    format!("token-{n}-{kind}")
}

/// A challenge's certificate is trusted for its proof, not for its issuer.
#[derive(Debug)]
struct TakesAll;

impl ServerCertVerifier for TakesAll {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ECDSA_NISTP256_SHA256, SignatureScheme::ED25519, SignatureScheme::RSA_PSS_SHA256]
    }
}
