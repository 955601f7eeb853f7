//! Settings: flag, else `KINSTEAD_*` in the environment, else `kinstead.toml`, else the default.
//!
//! The list below is the only place a setting is declared; flags, environment names and `kinstead settings` follow.

mod values;

pub use values::{Maybe, Names, SecureUrl, Zone};

use crate::providers::LocalServers;
use crate::reach::{Networks, PublicUrl};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// Form of the log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

impl FromStr for LogFormat {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "human" => Ok(Self::Human),
            "json" => Ok(Self::Json),
            _ => Err("it is `human` or `json`".into()),
        }
    }
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:literal;)*) => {
        /// Every setting, resolved.
        #[derive(Debug, Clone)]
        pub struct Settings {
            $($(#[doc = $doc])+ pub $name: $type,)*
            /// How each was resolved, for `kinstead settings`.
            pub resolved: Vec<Resolved>,
        }

        /// The settings as flags of a command.
        #[derive(Debug, Clone, Default, clap::Args)]
        pub struct SettingFlags {
            /// The settings file; without it `kinstead.toml` in the data folder, if there is one.
            #[arg(long, value_name = "FILE")]
            pub config: Option<PathBuf>,
            $($(#[doc = $doc])+ #[arg(long, value_name = "VALUE")] pub $name: Option<String>,)*
        }

        impl SettingFlags {
            fn get(&self, name: &str) -> Option<&str> {
                match name {
                    $(stringify!($name) => self.$name.as_deref(),)*
                    _ => None,
                }
            }
        }

        /// Name, default and meaning of every setting.
        pub const ALL: &[(&str, &str, &str)] = &[$((stringify!($name), $default, concat!($($doc),+)),)*];

        fn typed(resolved: Vec<Resolved>) -> Result<Settings, SettingsError> {
            let by_name = |name: &str| resolved.iter().find(|one| one.name == name).expect("every setting is resolved");
            Ok(Settings {
                $($name: read::<$type>(by_name(stringify!($name)))?,)*
                resolved: resolved.clone(),
            })
        }
    };
}

settings! {
    /// Folder that holds everything Kinstead knows.
    data: PathBuf = "data";
    /// Address and port to listen on. Only this machine can reach 127.0.0.1.
    listen: SocketAddr = "127.0.0.1:4270";
    /// What to log: `error`, `warn`, `info`, `debug`, or a filter such as `info,server=debug`.
    log: String = "info";
    /// Form of the log lines: `human` or `json`.
    log_format: LogFormat = "human";
    /// Days a device stays signed in without being used.
    login_days: u32 = "90";
    /// Seconds that running work gets to end when the server stops.
    shutdown_grace_s: u64 = "8";
    /// Ports of this machine where model servers are looked for, to offer them without typing; empty looks nowhere.
    local_servers: LocalServers = "ollama=11434,llama.cpp=8080,lm-studio=1234";
    /// Whether services such as OpenAI may have an address in the private network: for a gateway of your own.
    private_providers: bool = "false";
    /// The household's time zone, like `Europe/Paris`; the machine's when empty.
    timezone: Zone = "";
    /// Where people find this server, like `https://kin.example`: links and codes are made of it.
    public_url: Maybe<PublicUrl> = "";
    /// Proxies that are believed about who asks and how, like `127.0.0.1, 10.0.0.0/8`; nobody else is.
    trusted_proxies: Networks = "";
    /// File with the TLS certificate and its chain, PEM. Read anew when it changes.
    tls_cert: Maybe<PathBuf> = "";
    /// File with the certificate's private key, PEM.
    tls_key: Maybe<PathBuf> = "";
    /// Second address that sends browsers on to https and answers ACME's challenges, like `0.0.0.0:80`.
    listen_http: Maybe<SocketAddr> = "";
    /// Names to get a certificate for by ACME, separated by commas.
    acme_domain: Names = "";
    /// Address at which the certificate authority may write to you; may stay empty.
    acme_email: String = "";
    /// Directory of the certificate authority.
    acme_directory: SecureUrl = "https://acme-v02.api.letsencrypt.org/directory";
    /// `true` when you agree to the terms of that authority.
    acme_terms_agreed: bool = "false";
    /// File with the root certificate of a private ACME server, PEM.
    acme_root: Maybe<PathBuf> = "";
    /// Folder inside the data folder for what ACME gave.
    acme_cache: String = "acme";
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A flag of the command.
    Flag,
    /// The environment.
    Environment,
    /// The settings file.
    File(PathBuf),
    /// Nobody set it.
    Default,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment => f.write_str("environment"),
            Self::File(path) => path.display().fmt(f),
            Self::Default => f.write_str("default"),
        }
    }
}

/// One setting's value and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// Its name.
    pub name: &'static str,
    /// Its value as text.
    pub value: String,
    /// Where from.
    pub source: Source,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file named by `--config` or found in the data folder cannot be read.
    #[error("could not read the settings file {0}")]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// It is no TOML.
    #[error("the settings file {0} is not valid TOML")]
    Malformed(PathBuf, #[source] Box<toml::de::Error>),
    /// It sets what does not exist.
    #[error("the settings file {path} has unknown settings: {}", names.join(", "))]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The names.
        names: Vec<String>,
    },
    /// A value of a kind no setting has.
    #[error("setting {name} in {path} must be a text, a number or true/false")]
    NotScalar {
        /// The file.
        path: PathBuf,
        /// The setting.
        name: String,
    },
    /// The file inside the data folder cannot say where the data folder is.
    #[error("{0} cannot set `data`: it lies inside that folder; use --data or KINSTEAD_DATA")]
    DataInside(PathBuf),
    /// Settings that are fine alone but not together.
    #[error("settings {names}: {reason}")]
    Together {
        /// Which.
        names: &'static str,
        /// Why not, and what to do.
        reason: String,
    },
    /// A value that cannot be read.
    #[error("setting {name} (from {source_of}) is {value:?}: {reason}")]
    Invalid {
        /// The setting.
        name: &'static str,
        /// The value.
        value: String,
        /// Where it came from.
        source_of: Source,
        /// Why not.
        reason: String,
    },
}

impl Settings {
    /// Resolves every setting; `environment` gives a variable's value.
    ///
    /// # Errors
    /// [`SettingsError`] names the setting, the file and the reason.
    pub fn resolve(flags: &SettingFlags, environment: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let outside = |name: &'static str| {
            let flag = flags.get(name).map(|value| (value.to_owned(), Source::Flag));
            flag.or_else(|| environment(&variable(name)).map(|value| (value, Source::Environment)))
        };
        let config = flags.config.clone().or_else(|| environment("KINSTEAD_CONFIG").map(PathBuf::from));
        let (path, file) = match config {
            Some(path) => {
                let file = read_file(&path, true)?;
                (path, file)
            }
            None => {
                let data = outside("data").map_or_else(|| ALL[0].1.to_owned(), |(value, _)| value);
                let path = Path::new(&data).join("kinstead.toml");
                let file = read_file(&path, false)?;
                if file.contains_key("data") {
                    return Err(SettingsError::DataInside(path));
                }
                (path, file)
            }
        };
        let mut resolved = Vec::new();
        for &(name, default, _) in ALL {
            let found = outside(name)
                .or_else(|| file.get(name).map(|value| (value.clone(), Source::File(path.clone()))))
                .unwrap_or_else(|| (default.to_owned(), Source::Default));
            resolved.push(Resolved { name, value: found.0, source: found.1 });
        }
        let settings = typed(resolved)?;
        settings.check()?;
        Ok(settings)
    }

    /// Whether this server speaks TLS by itself.
    pub fn has_tls(&self) -> bool {
        self.tls_cert.is_some() || !self.acme_domain.is_empty()
    }

    /// Finds settings that contradict each other.
    fn check(&self) -> Result<(), SettingsError> {
        let (cert, key, acme) = (self.tls_cert.is_some(), self.tls_key.is_some(), !self.acme_domain.is_empty());
        let wrong = |names, reason: String| Err(SettingsError::Together { names, reason });
        if cert != key {
            return wrong("tls_cert, tls_key", "a certificate needs its key: set both or neither".into());
        }
        if cert && acme {
            return wrong("tls_cert, acme_domain", "the certificate comes from files or by ACME: set one".into());
        }
        if acme && !self.acme_terms_agreed {
            let reason = format!(
                "{} gives certificates to those who agree to its terms: read them and set acme_terms_agreed = true",
                self.acme_directory
            );
            return wrong("acme_domain, acme_terms_agreed", reason);
        }
        if self.listen_http.is_some() && !self.has_tls() {
            let reason = "it only sends browsers on to https, so it needs tls_cert or acme_domain".into();
            return wrong("listen_http", reason);
        }
        let cache = Path::new(&self.acme_cache);
        if !cache.components().all(|part| matches!(part, Component::Normal(_))) || self.acme_cache.is_empty() {
            return wrong("acme_cache", "it is the name of a folder inside the data folder".into());
        }
        Ok(())
    }
}

/// The environment variable of a setting.
pub fn variable(name: &str) -> String {
    format!("KINSTEAD_{}", name.to_ascii_uppercase())
}

fn read<T: FromStr<Err: std::fmt::Display>>(resolved: &Resolved) -> Result<T, SettingsError> {
    resolved.value.parse().map_err(|error: T::Err| SettingsError::Invalid {
        name: resolved.name,
        value: resolved.value.clone(),
        source_of: resolved.source.clone(),
        reason: error.to_string(),
    })
}

fn read_file(path: &Path, required: bool) -> Result<BTreeMap<String, String>, SettingsError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if !required && error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(SettingsError::Unreadable(path.to_owned(), error)),
    };
    let table: toml::Table =
        toml::from_str(&text).map_err(|error| SettingsError::Malformed(path.to_owned(), Box::new(error)))?;
    let known = |name: &str| ALL.iter().any(|(known, ..)| *known == name);
    let names: Vec<String> = table.keys().filter(|name| !known(name)).cloned().collect();
    if !names.is_empty() {
        return Err(SettingsError::Unknown { path: path.to_owned(), names });
    }
    let mut values = BTreeMap::new();
    for (name, value) in table {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(flag) => flag.to_string(),
            toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
                return Err(SettingsError::NotScalar { path: path.to_owned(), name });
            }
        };
        values.insert(name, text);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder(file: &str) -> (tempfile::TempDir, SettingFlags) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("kinstead.toml"), file).expect("writes");
        let flags = SettingFlags { data: Some(folder.path().display().to_string()), ..SettingFlags::default() };
        (folder, flags)
    }

    #[test]
    fn a_flag_wins_over_the_environment_and_that_over_the_file() {
        let (folder, mut flags) = in_folder("listen = \"127.0.0.1:1\"\nlogin_days = 3\nlog = \"warn\"\n");
        flags.listen = Some("127.0.0.1:3".into());
        let environment = |name: &str| match name {
            "KINSTEAD_LISTEN" => Some("127.0.0.1:2".into()),
            "KINSTEAD_LOGIN_DAYS" => Some("5".into()),
            _ => None,
        };
        let settings = Settings::resolve(&flags, environment).expect("resolves");
        assert_eq!((settings.listen.port(), settings.login_days, settings.log.as_str()), (3, 5, "warn"));
        let sources: Vec<_> = settings.resolved.iter().map(|one| (one.name, one.source.to_string())).collect();
        assert_eq!(sources[1], ("listen", "flag".into()));
        assert_eq!(sources[2], ("log", folder.path().join("kinstead.toml").display().to_string()));
        assert_eq!(sources[3], ("log_format", "default".into()));
        assert_eq!(sources[4], ("login_days", "environment".into()));
    }

    #[test]
    fn unknown_settings_and_bad_values_are_named() {
        let (_folder, flags) = in_folder("lissen = \"x\"\nlog = \"info\"\ncolour = 1\n");
        let error = Settings::resolve(&flags, |_| None).expect_err("unknown").to_string();
        assert!(error.contains("colour, lissen"), "{error}");
        let (_folder, flags) = in_folder("login_days = \"many\"\n");
        let error = Settings::resolve(&flags, |_| None).expect_err("invalid").to_string();
        assert!(error.contains("login_days") && error.contains("many"), "{error}");
        for (file, names) in [
            ("tls_cert = \"a.pem\"", "tls_cert, tls_key"),
            ("tls_cert = \"a\"\ntls_key = \"b\"\nacme_domain = \"kin.example\"", "tls_cert, acme_domain"),
            ("acme_domain = \"kin.example\"", "acme_terms_agreed"),
            ("listen_http = \"0.0.0.0:80\"", "listen_http"),
            ("acme_cache = \"../elsewhere\"", "acme_cache"),
            ("acme_directory = \"http://ca.example\"", "acme_directory"),
            ("timezone = \"Europe/Pariss\"", "timezone"),
            ("public_url = \"http://kin.example\"", "public_url"),
        ] {
            let (_folder, flags) = in_folder(file);
            let error = Settings::resolve(&flags, |_| None).expect_err("contradicts itself").to_string();
            assert!(error.contains(names), "{error}");
        }
        let (_folder, flags) = in_folder("data = \"elsewhere\"\n");
        assert!(matches!(Settings::resolve(&flags, |_| None), Err(SettingsError::DataInside(_))));
    }
}
