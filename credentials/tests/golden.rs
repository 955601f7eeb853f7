//! What a member registered today must open with in years: every byte of our own suite, held over time.

use credentials::server::{self, ServerSecret};
use credentials::{Argon2Params, CredentialError, RecoveryCode, ReplicaKey, client, recovery};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

const PASSWORD: &str = "pâte à crêpes, 4 œufs";
const ID: &[u8] = b"0123456789abcdef";

fn short(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes)[..8])
}

/// Everything in the order in which it happens, each as the beginning of its hash.
fn story(argon2: Argon2Params) -> Vec<(&'static str, String)> {
    let rng = &mut ChaCha20Rng::from_seed([42; 32]);
    let mut told = Vec::new();
    let secret = ServerSecret::generate(rng);
    told.push(("server secret", short(&secret.to_bytes())));
    let secret = ServerSecret::from_bytes(&secret.to_bytes()).expect("a stored secret opens");
    told.push(("nobody's id", hex::encode(secret.stand_in("eve@example.org"))));

    let (registering, request) = client::Registering::start(rng, PASSWORD).expect("starts");
    told.push(("registration request", short(&request)));
    let response = secret.register(&request, ID).expect("answers");
    told.push(("registration response", short(&response)));
    let registered = registering.finish(rng, &response, argon2).expect("finishes");
    told.push(("upload", short(&registered.upload)));
    told.push(("export key", short(registered.export_key.expose())));
    let record = server::record(&registered.upload).expect("a record");
    told.push(("record", short(&record)));
    assert_eq!(record.len(), 192);

    let replica_key = ReplicaKey::generate(rng);
    let code = RecoveryCode::generate(rng);
    told.push(("replica key", short(replica_key.expose())));
    told.push(("recovery code", code.to_text().to_string()));
    told.push(("recovery proof", short(&code.proof())));
    let by_password = replica_key.wrap_by_password(rng, &registered.export_key);
    let by_recovery = replica_key.wrap_by_recovery(rng, &code);
    told.push(("key by password", short(&by_password)));
    told.push(("key by recovery", short(&by_recovery)));

    let (signing_in, request) = client::SigningIn::start(rng, PASSWORD).expect("starts");
    told.push(("login request", short(&request)));
    let (login, response) = secret.log_in(rng, Some(&record), &request, ID).expect("answers");
    told.push(("login response", short(&response)));
    let signed_in = signing_in.finish(rng, &response, argon2).expect("signs in");
    told.push(("finalization", short(&signed_in.finalization)));
    let session_key = login.finish(&signed_in.finalization).expect("is proved");
    assert_eq!(session_key, signed_in.session_key);
    told.push(("session key", short(&session_key)));
    assert_eq!(signed_in.export_key.expose(), registered.export_key.expose());
    assert_eq!(ReplicaKey::unwrap_by_password(&by_password, &signed_in.export_key), Ok(replica_key.clone()));
    assert_eq!(ReplicaKey::unwrap_by_recovery(&by_recovery, &code), Ok(replica_key));
    told
}

#[test]
fn every_byte_is_what_it_was() {
    let told = story(Argon2Params::DEFAULT);
    let told: Vec<_> = told.iter().map(|(what, bytes)| format!("{what}: {bytes}")).collect();
    let recorded: Vec<_> = include_str!("golden.txt").lines().collect();
    assert_eq!(told, recorded);
}

const LIGHT: Argon2Params = Argon2Params { memory_kib: 64, passes: 1, lanes: 1 };

fn registered(secret: &ServerSecret, rng: &mut ChaCha20Rng) -> Vec<u8> {
    let (registering, request) = client::Registering::start(rng, PASSWORD).expect("starts");
    let response = secret.register(&request, ID).expect("answers");
    server::record(&registering.finish(rng, &response, LIGHT).expect("finishes").upload).expect("a record")
}

#[test]
fn a_wrong_password_an_account_that_is_not_and_another_household_are_the_same_to_the_client() {
    let rng = &mut ChaCha20Rng::from_seed([1; 32]);
    let secret = ServerSecret::generate(rng);
    let record = registered(&secret, rng);
    let other = ServerSecret::generate(rng);
    let nobody = secret.stand_in("eve@example.org");
    let mut lengths = Vec::new();
    for (secret, record, id, password) in [
        (&secret, Some(record.as_slice()), ID, "pâte à crêpes"),
        (&secret, None, nobody.as_slice(), PASSWORD),
        (&other, Some(record.as_slice()), ID, PASSWORD),
        (&secret, Some(record.as_slice()), nobody.as_slice(), PASSWORD),
    ] {
        let (signing_in, request) = client::SigningIn::start(rng, password).expect("starts");
        let (login, response) = secret.log_in(rng, record, &request, id).expect("answers");
        lengths.push(response.len());
        let refused = signing_in.finish(rng, &response, LIGHT).err();
        assert_eq!(refused, Some(CredentialError::WrongPassword));
        // Whoever makes a proof up is refused too.
        assert_eq!(login.finish(&[7; 64]).err(), Some(CredentialError::WrongPassword));
    }
    assert_eq!(lengths, [320; 4]);
    assert_eq!(secret.stand_in("eve@example.org"), nobody);
    assert_ne!(secret.stand_in("eva@example.org"), nobody);
}

#[test]
fn other_work_than_at_registration_makes_another_key() {
    let rng = &mut ChaCha20Rng::from_seed([2; 32]);
    let secret = ServerSecret::generate(rng);
    let record = registered(&secret, rng);
    let (signing_in, request) = client::SigningIn::start(rng, PASSWORD).expect("starts");
    let (_, response) = secret.log_in(rng, Some(&record), &request, ID).expect("answers");
    let more = Argon2Params { passes: 2, ..LIGHT };
    assert_eq!(signing_in.finish(rng, &response, more).err(), Some(CredentialError::WrongPassword));
    for params in [
        Argon2Params { memory_kib: u32::MAX, ..LIGHT },
        Argon2Params { passes: 0, ..LIGHT },
        Argon2Params { lanes: 0, ..LIGHT },
        Argon2Params { lanes: 1000, ..LIGHT },
    ] {
        let (signing_in, _) = client::SigningIn::start(rng, PASSWORD).expect("starts");
        assert_eq!(signing_in.finish(rng, &response, params).err(), Some(CredentialError::Params));
    }
}

#[test]
fn nonsense_is_refused_at_every_step() {
    let rng = &mut ChaCha20Rng::from_seed([3; 32]);
    let secret = ServerSecret::generate(rng);
    for bytes in [&[][..], &[0; 32], &[255; 32], &[1; 5000]] {
        assert_eq!(secret.register(bytes, ID).err(), Some(CredentialError::Malformed));
        assert_eq!(secret.log_in(rng, None, bytes, ID).err(), Some(CredentialError::Malformed));
        assert_eq!(server::record(bytes).err(), Some(CredentialError::Malformed));
        assert!(ServerSecret::from_bytes(bytes).is_err());
        let (registering, _) = client::Registering::start(rng, PASSWORD).expect("starts");
        assert_eq!(registering.finish(rng, bytes, LIGHT).err(), Some(CredentialError::Malformed));
    }
}

#[test]
fn a_wrapped_key_opens_only_with_its_own_key_and_unchanged() {
    let rng = &mut ChaCha20Rng::from_seed([4; 32]);
    let (key, code) = (ReplicaKey::generate(rng), RecoveryCode::generate(rng));
    let wrapped = key.wrap_by_recovery(rng, &code);
    assert_eq!(wrapped.len(), credentials::keys::WRAPPED_BYTES);
    let other = RecoveryCode::generate(rng);
    assert_eq!(ReplicaKey::unwrap_by_recovery(&wrapped, &other), Err(CredentialError::Unwrap));
    for at in [0, 1, 30, wrapped.len() - 1] {
        let mut changed = wrapped.to_vec();
        changed[at] ^= 1;
        assert_eq!(ReplicaKey::unwrap_by_recovery(&changed, &code), Err(CredentialError::Unwrap), "byte {at}");
    }
    assert_eq!(ReplicaKey::unwrap_by_recovery(&[], &code), Err(CredentialError::Unwrap));
    assert!(recovery::is_proof_of(&code.proof(), &recovery::proof_hash(&code.proof())));
}
