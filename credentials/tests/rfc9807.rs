//! RFC 9807, appendix C.1.1: the library does what the standard says for our group, hash and key exchange.
//!
//! The standard's vectors do without key stretching, so only the KSF differs from our suite.

use opaque_ke::ksf::Identity;
use opaque_ke::{
    CipherSuite, ClientLogin, ClientLoginFinishParameters, ClientRegistration, ClientRegistrationFinishParameters,
    Identifiers, Ristretto255, ServerLogin, ServerLoginParameters, ServerRegistration, ServerSetup, TripleDh,
};
use rand_core::{CryptoRng, Error, RngCore};
use sha2::Sha512;

struct Rfc;

impl CipherSuite for Rfc {
    type OprfCs = Ristretto255;
    type KeyExchange = TripleDh<Ristretto255, Sha512>;
    type Ksf = Identity;
}

/// Gives the bytes of the vector in the order in which they are asked for.
struct Given(Vec<u8>);

impl RngCore for Given {
    fn next_u32(&mut self) -> u32 {
        unreachable!("only bytes are asked for")
    }
    fn next_u64(&mut self) -> u64 {
        unreachable!("only bytes are asked for")
    }
    fn fill_bytes(&mut self, wanted: &mut [u8]) {
        let rest = self.0.split_off(wanted.len());
        wanted.copy_from_slice(&std::mem::replace(&mut self.0, rest));
    }
    fn try_fill_bytes(&mut self, wanted: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(wanted);
        Ok(())
    }
}

impl CryptoRng for Given {}

fn given(parts: &[&str]) -> Given {
    Given(hex(&parts.concat()))
}

fn hex(text: &str) -> Vec<u8> {
    hex::decode(text).expect("hex")
}

const PASSWORD: &[u8] = b"CorrectHorseBatteryStaple";
const CREDENTIAL_ID: &[u8] = b"1234";
const CONTEXT: &[u8] = b"OPAQUE-POC";
/// A scalar is drawn as 64 bytes, least significant first, and reduced.
const ZEROS_32: &str = "0000000000000000000000000000000000000000000000000000000000000000";

const OPRF_SEED: &str = "f433d0227b0b9dd54f7c4422b600e764e47fb503f1f9a0f0a47c6606b054a7fdc65347f1a08f277e22358bbabe26f823fca82c7848e9a75661f4ec5d5c1989ef";
const SERVER_PRIVATE_KEY: &str = "47451a85372f8b3537e249d7b54188091fb18edde78094b43e2ba42b5eb89f0d";
const SERVER_PUBLIC_KEY: &str = "b2fe7af9f48cc502d016729d2fe25cdd433f2c4bc904660b2a382c9b79df1a78";
const ENVELOPE_NONCE: &str = "ac13171b2f17bc2c74997f0fce1e1f35bec6b91fe2e12dbd323d23ba7a38dfec";
const MASKING_NONCE: &str = "38fe59af0df2c79f57b8780278f5ae47355fe1f817119041951c80f612fdfc6d";
const SERVER_NONCE: &str = "71cd9960ecef2fe0d0f7494986fa3d8b2bb01963537e60efb13981e138e3d4a1";
const CLIENT_NONCE: &str = "da7e07376d6d6f034cfa9bb537d11b8c6b4238c334333d1f0aebb380cae6a6cc";
const CLIENT_KEYSHARE_SEED: &str = "82850a697b42a505f5b68fcdafce8c31f0af2b581f063cf1091933541936304b";
const SERVER_KEYSHARE_SEED: &str = "05a4f54206eef1ba2f615bc0aa285cb22f26d1153b5b40a1e85ff80da12f982f";
const BLIND_REGISTRATION: &str = "76cfbfe758db884bebb33582331ba9f159720ca8784a2a070a265d9c2d6abe01";
const BLIND_LOGIN: &str = "6ecc102d2e7a7cf49617aad7bbe188556792d4acd60a1a8a8d2b65d4b0790308";

const REGISTRATION_REQUEST: &str = "5059ff249eb1551b7ce4991f3336205bde44a105a032e747d21bf382e75f7a71";
const REGISTRATION_RESPONSE: &str = "7408a268083e03abc7097fc05b587834539065e86fb0c7b6342fcf5e01e5b019b2fe7af9f48cc502d016729d2fe25cdd433f2c4bc904660b2a382c9b79df1a78";
const REGISTRATION_UPLOAD: &str = "76a845464c68a5d2f7e442436bb1424953b17d3e2e289ccbaccafb57ac5c36751ac5844383c7708077dea41cbefe2fa15724f449e535dd7dd562e66f5ecfb95864eadddec9db5874959905117dad40a4524111849799281fefe3c51fa82785c5ac13171b2f17bc2c74997f0fce1e1f35bec6b91fe2e12dbd323d23ba7a38dfec634b0f5b96109c198a8027da51854c35bee90d1e1c781806d07d49b76de6a28b8d9e9b6c93b9f8b64d16dddd9c5bfb5fea48ee8fd2f75012a8b308605cdd8ba5";
const KE1: &str = "c4dedb0ba6ed5d965d6f250fbe554cd45cba5dfcce3ce836e4aee778aa3cd44dda7e07376d6d6f034cfa9bb537d11b8c6b4238c334333d1f0aebb380cae6a6cc6e29bee50701498605b2c085d7b241ca15ba5c32027dd21ba420b94ce60da326";
const KE2: &str = "7e308140890bcde30cbcea28b01ea1ecfbd077cff62c4def8efa075aabcbb47138fe59af0df2c79f57b8780278f5ae47355fe1f817119041951c80f612fdfc6dd6ec60bcdb26dc455ddf3e718f1020490c192d70dfc7e403981179d8073d1146a4f9aa1ced4e4cd984c657eb3b54ced3848326f70331953d91b02535af44d9fedc80188ca46743c52786e0382f95ad85c08f6afcd1ccfbff95e2bdeb015b166c6b20b92f832cc6df01e0b86a7efd92c1c804ff865781fa93f2f20b446c8371b671cd9960ecef2fe0d0f7494986fa3d8b2bb01963537e60efb13981e138e3d4a1c4f62198a9d6fa9170c42c3c71f1971b29eb1d5d0bd733e40816c91f7912cc4a660c48dae03e57aaa38f3d0cffcfc21852ebc8b405d15bd6744945ba1a93438a162b6111699d98a16bb55b7bdddfe0fc5608b23da246e7bd73b47369169c5c90";
const KE3: &str = "4455df4f810ac31a6748835888564b536e6da5d9944dfea9e34defb9575fe5e2661ef61d2ae3929bcf57e53d464113d364365eb7d1a57b629707ca48da18e442";
const EXPORT_KEY: &str = "1ef15b4fa99e8a852412450ab78713aad30d21fa6966c9b8c9fb3262a970dc62950d4dd4ed62598229b1b72794fc0335199d9f7fcc6eaedde92cc04870e63f16";
const SESSION_KEY: &str = "42afde6f5aca0cfa5c163763fbad55e73a41db6b41bc87b8e7b62214a8eedc6731fa3cb857d657ab9b3764b89a84e91ebcb4785166fbb02cedfcbdfda215b96f";

#[test]
fn vector_1_of_the_standard() {
    // The last part stands in for accounts that do not exist; the vector has none.
    let setup = hex(&[OPRF_SEED, SERVER_PRIVATE_KEY, SERVER_PUBLIC_KEY].concat());
    let setup = ServerSetup::<Rfc>::deserialize(&setup).expect("a server's secret");
    assert_eq!(hex::encode(setup.keypair().public().serialize()), SERVER_PUBLIC_KEY);

    let started = ClientRegistration::<Rfc>::start(&mut given(&[BLIND_REGISTRATION, ZEROS_32]), PASSWORD);
    let started = started.expect("starts");
    assert_eq!(hex::encode(started.message.serialize()), REGISTRATION_REQUEST);
    let answered = ServerRegistration::start(&setup, started.message, CREDENTIAL_ID).expect("answers");
    assert_eq!(hex::encode(answered.message.serialize()), REGISTRATION_RESPONSE);
    let params = ClientRegistrationFinishParameters::new(Identifiers::default(), None);
    let registered = started.state.finish(&mut given(&[ENVELOPE_NONCE]), PASSWORD, answered.message, params);
    let registered = registered.expect("finishes");
    assert_eq!(hex::encode(registered.message.serialize()), REGISTRATION_UPLOAD);
    assert_eq!(hex::encode(registered.export_key), EXPORT_KEY);
    let record = ServerRegistration::finish(registered.message);

    let draws = [BLIND_LOGIN, ZEROS_32, CLIENT_KEYSHARE_SEED, CLIENT_NONCE];
    let started = ClientLogin::<Rfc>::start(&mut given(&draws), PASSWORD).expect("starts");
    assert_eq!(hex::encode(started.message.serialize()), KE1);
    let params = || ServerLoginParameters { context: Some(CONTEXT), identifiers: Identifiers::default() };
    // A stand-in record is drawn first, also where it is not needed: that takes the same time.
    let draws = [ZEROS_32, ZEROS_32, MASKING_NONCE, SERVER_KEYSHARE_SEED, SERVER_NONCE];
    let answered =
        ServerLogin::start(&mut given(&draws), &setup, Some(record), started.message, CREDENTIAL_ID, params());
    let answered = answered.expect("answers");
    assert_eq!(hex::encode(answered.message.serialize()), KE2);
    let finish = ClientLoginFinishParameters::new(Some(CONTEXT), Identifiers::default(), None);
    let signed_in = started.state.finish(&mut given(&[]), PASSWORD, answered.message, finish).expect("signs in");
    assert_eq!(hex::encode(signed_in.message.serialize()), KE3);
    assert_eq!(hex::encode(signed_in.export_key), EXPORT_KEY);
    assert_eq!(hex::encode(signed_in.session_key), SESSION_KEY);
    let done = answered.state.finish(signed_in.message, params()).expect("is proved");
    assert_eq!(hex::encode(done.session_key), SESSION_KEY);
}
