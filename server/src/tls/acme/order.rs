//! One order of a certificate, from the account to the chain.

use super::store::Store;
use crate::settings::Settings;
use crate::tls::read::read_pem;
use crate::tls::{Certificate, Certificates};
use anyhow::{Context, anyhow, bail};
use instant_acme::{
    Account, AuthorizationStatus, ChallengeHandle, ChallengeType, Error, Identifier, NewAccount, NewOrder, OrderStatus,
    RetryPolicy,
};
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use std::time::Duration;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::sign::CertifiedKey;

/// For a whole order.
const ORDER_TIME: Duration = Duration::from_secs(5 * 60);
/// What an authority says of an account it does not know.
const NO_ACCOUNT: &str = "urn:ietf:params:acme:error:accountDoesNotExist";

/// Orders a certificate for the names that are set, proves that they lead here, and keeps what comes.
///
/// `failures` in a row make it try the other kind of challenge each time: which of the two ports leads here is for the
/// household's router to know.
pub(super) async fn get(
    settings: &Settings,
    certificates: &Certificates,
    main_is_443: bool,
    failures: u32,
) -> anyhow::Result<Certificate> {
    let work = order(settings, certificates, main_is_443, failures);
    tokio::time::timeout(ORDER_TIME, work).await.map_err(|_| anyhow!("the certificate authority took too long"))?
}

async fn order(
    settings: &Settings,
    certificates: &Certificates,
    main_is_443: bool,
    failures: u32,
) -> anyhow::Result<Certificate> {
    let store = Store::at(super::folder(settings));
    let names = settings.acme_domain.as_slice();
    let account = account(settings, &store).await?;
    let identifiers: Vec<_> = names.iter().cloned().map(Identifier::Dns).collect();
    let mut order = match account.new_order(&NewOrder::new(&identifiers)).await {
        Err(Error::Api(problem)) if problem.r#type.as_deref() == Some(NO_ACCOUNT) => {
            store.forget_account().context("could not forget the old account")?;
            bail!(
                "the certificate authority does not know our account any more; a new one is made at the next attempt"
            );
        }
        ordered => ordered.context("the order was refused")?,
    };
    let kinds = kinds(settings.listen_http.is_some(), main_is_443, failures);
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization.context("could not read what is to be proved")?;
        match authorization.status {
            AuthorizationStatus::Pending => {}
            AuthorizationStatus::Valid => continue,
            status @ (AuthorizationStatus::Invalid
            | AuthorizationStatus::Revoked
            | AuthorizationStatus::Expired
            | AuthorizationStatus::Deactivated) => bail!("an authorization is {status:?}"),
        }
        let offered = |kind: &ChallengeType| authorization.challenges.iter().any(|offer| offer.r#type == *kind);
        let kind = kinds.iter().find(|kind| offered(kind)).cloned();
        let kind = kind.context("the certificate authority offers no challenge that this server can answer")?;
        let mut challenge = authorization.challenge(kind.clone()).context("the challenge is gone")?;
        answer(certificates, &challenge, &kind)?;
        challenge.set_ready().await.context("could not begin the challenge")?;
    }
    let retries = RetryPolicy::new().timeout(ORDER_TIME);
    match order.poll_ready(&retries).await.context("the certificate authority could not check the names")? {
        OrderStatus::Ready | OrderStatus::Valid => {}
        status @ (OrderStatus::Pending | OrderStatus::Processing | OrderStatus::Invalid) => {
            let why = refusals(&mut order).await;
            bail!("the certificate authority could not check the names ({status:?}){why}");
        }
    }
    let mut params = CertificateParams::new(names.to_vec()).context("could not write the request")?;
    params.distinguished_name = DistinguishedName::new();
    let key = KeyPair::generate().context("could not draw a key")?;
    let request = params.serialize_request(&key).context("could not write the request")?;
    order.finalize_csr(request.der()).await.context("the request was refused")?;
    let chain = order.poll_certificate(&retries).await.context("the certificate did not come")?;
    let key = key.serialize_pem();
    // What cannot be used is not kept.
    let certificate = read_pem(chain.as_bytes(), "the authority's answer", key.as_bytes(), "our key")?;
    store.keep_certificate(&chain, &key).context("could not keep the certificate")?;
    Ok(certificate)
}

async fn account(settings: &Settings, store: &Store) -> anyhow::Result<Account> {
    let builder = match settings.acme_root.get() {
        Some(root) => Account::builder_with_root(root).with_context(|| format!("could not use {}", root.display()))?,
        None => Account::builder().context("could not set up https")?,
    };
    let directory = settings.acme_directory.as_str();
    let unreachable = || format!("could not reach {directory}");
    if let Some(known) = store.account(directory) {
        return builder.from_credentials(known).await.with_context(unreachable);
    }
    let contact = format!("mailto:{}", settings.acme_email.trim());
    let contact = if settings.acme_email.trim().is_empty() { vec![] } else { vec![contact.as_str()] };
    let new = NewAccount {
        contact: &contact,
        terms_of_service_agreed: settings.acme_terms_agreed,
        only_return_existing: false,
    };
    let (account, credentials) = builder.create(&new, directory.to_owned(), None).await.with_context(unreachable)?;
    store.keep_account(directory, credentials).context("could not keep the account")?;
    Ok(account)
}

/// Kinds of challenge, the likeliest to work first.
fn kinds(has_http: bool, main_is_443: bool, failures: u32) -> Vec<ChallengeType> {
    let mut kinds = vec![ChallengeType::TlsAlpn01];
    if has_http {
        kinds.insert(usize::from(main_is_443), ChallengeType::Http01);
    }
    let turn = failures as usize % kinds.len();
    kinds.rotate_left(turn);
    kinds
}

/// Prepares the answer to a challenge.
fn answer(certificates: &Certificates, challenge: &ChallengeHandle<'_>, kind: &ChallengeType) -> anyhow::Result<()> {
    let proof = challenge.key_authorization();
    if *kind == ChallengeType::Http01 {
        certificates.answer_http(challenge.token.clone(), proof.as_str().to_owned());
        return Ok(());
    }
    let Identifier::Dns(name) = challenge.identifier().identifier else { bail!("only host names can be proved") };
    let mut params = CertificateParams::new(vec![name.clone()]).context("could not write the proof")?;
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(proof.digest().as_ref())];
    let key = KeyPair::generate().context("could not draw a key")?;
    let certificate = params.self_signed(&key).context("could not write the proof")?;
    let der = PrivateKeyDer::try_from(key.serialize_der()).map_err(|error| anyhow!(error))?;
    // Not `from_der`, which checks that both fit and refuses the critical extension that the proof is.
    let key = crate::tls::provider().key_provider.load_private_key(der).context("could not use our own key")?;
    certificates.answer_alpn(name.to_ascii_lowercase(), CertifiedKey::new(vec![certificate.der().clone()], key));
    Ok(())
}

/// What the authority says of each name it could not check.
async fn refusals(order: &mut instant_acme::Order) -> String {
    let mut text = String::new();
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        let Ok(state) = authorization.refresh().await else { continue };
        for problem in state.challenges.iter().filter_map(|challenge| challenge.error.as_ref()) {
            text.push_str(": ");
            text.push_str(problem.detail.as_deref().unwrap_or("no reason given"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_challenge_comes_first_and_failures_try_the_other() {
        use ChallengeType::{Http01, TlsAlpn01};
        assert_eq!(kinds(false, false, 3), [TlsAlpn01]);
        assert_eq!(kinds(true, true, 0), [TlsAlpn01, Http01]);
        assert_eq!(kinds(true, false, 0), [Http01, TlsAlpn01]);
        assert_eq!(kinds(true, true, 1), [Http01, TlsAlpn01]);
    }
}
