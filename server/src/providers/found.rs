//! Model servers on this machine, found without anyone typing an address.

use super::capability::Capability;
use super::error::ProviderError;
use super::http::Http;
use super::model_list::does;
use super::records;
use super::registry::{Providers, admin};
use futures_util::future::join_all;
use serde_json::Value;
use shared::Viewer;
use std::str::FromStr;
use std::time::Duration;

/// A server on this machine answers at once, or is not there.
const PATIENCE: Duration = Duration::from_millis(800);

/// A program that serves models on the machine it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalProgram {
    /// Ollama.
    Ollama,
    /// llama.cpp's server.
    LlamaCpp,
    /// LM Studio.
    LmStudio,
}

impl LocalProgram {
    const ALL: [Self; 3] = [Self::Ollama, Self::LlamaCpp, Self::LmStudio];

    /// Its own name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ollama => "Ollama",
            Self::LlamaCpp => "llama.cpp",
            Self::LmStudio => "LM Studio",
        }
    }

    const fn setting(self) -> &'static str {
        match self {
            Self::Ollama => "ollama",
            Self::LlamaCpp => "llama.cpp",
            Self::LmStudio => "lm-studio",
        }
    }

    /// The path whose answer only this program gives.
    const fn path(self) -> &'static str {
        match self {
            Self::Ollama => "api/tags",
            Self::LlamaCpp => "v1/models",
            Self::LmStudio => "api/v0/models",
        }
    }

    /// The models an answer lists; `None` when it is another program's.
    fn models(self, body: &Value) -> Option<Vec<String>> {
        let (list, name) = match self {
            Self::Ollama => (&body["models"], "name"),
            Self::LlamaCpp => (&body["data"], "id"),
            Self::LmStudio => (&body["data"], "id"),
        };
        let list = list.as_array()?;
        let is_llama = |model: &Value| model["owned_by"] == "llamacpp";
        if self == Self::LlamaCpp && (list.is_empty() || !list.iter().all(is_llama)) {
            return None;
        }
        list.iter().map(|model| model[name].as_str().map(str::to_owned)).collect()
    }
}

/// Where to look: `ollama=11434,llama.cpp=8080,lm-studio=1234`; empty looks nowhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalServers(Vec<(LocalProgram, u16)>);

impl FromStr for LocalServers {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let read = |part: &str| {
            let (name, port) = part.split_once('=').ok_or_else(|| format!("{part:?} is not program=port"))?;
            let program = LocalProgram::ALL.into_iter().find(|program| program.setting() == name.trim());
            let program = program.ok_or_else(|| format!("{name:?} is none of ollama, llama.cpp and lm-studio"))?;
            let port = port.trim().parse().map_err(|_| format!("{port:?} is no port"))?;
            Ok((program, port))
        };
        parts.map(read).collect::<Result<_, String>>().map(Self)
    }
}

/// A server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundServer {
    /// Which program.
    pub program: LocalProgram,
    /// The address to add it with.
    pub base_url: String,
    /// How many models it has.
    pub models: usize,
    /// Whether one of them embeds.
    pub embeds: bool,
}

impl Providers {
    /// Looks for model servers on this machine that are not set up yet. For admins: it tells what runs here.
    ///
    /// # Errors
    /// [`ProviderError::Forbidden`], [`ProviderError::Db`].
    pub async fn found(&self, viewer: Viewer) -> Result<Vec<FoundServer>, ProviderError> {
        admin(viewer)?;
        let known = self.db().read(|conn| Ok::<_, ProviderError>(records::list(conn)?)).await?;
        let known: Vec<String> = known.into_iter().filter_map(|sealed| sealed.record.base_url).collect();
        let places = &self.rules().local.0;
        let answers = join_all(places.iter().map(|(program, port)| look(self.http(), *program, *port))).await;
        let is_new = |server: &FoundServer| {
            let elsewhere = server.base_url.replace("127.0.0.1", "localhost");
            !known.contains(&server.base_url) && !known.contains(&elsewhere)
        };
        Ok(answers.into_iter().flatten().filter(is_new).collect())
    }
}

async fn look(http: &Http, program: LocalProgram, port: u16) -> Option<FoundServer> {
    let origin = format!("http://127.0.0.1:{port}");
    let body = http.peek(&format!("{origin}/{}", program.path()), PATIENCE).await?;
    let models = program.models(&body)?;
    let embeds = models.iter().any(|name| does(name) == Some(Capability::Embedding));
    Some(FoundServer { program, base_url: format!("{origin}/v1"), models: models.len(), embeds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_programs_own_answer_counts() {
        let ollama = json!({"models": [{"name": "llama3.2:3b"}]});
        let llama = json!({"object": "list", "data": [{"id": "model.gguf", "owned_by": "llamacpp"}]});
        let other = json!({"object": "list", "data": [{"id": "x", "owned_by": "someone"}]});
        assert_eq!(LocalProgram::Ollama.models(&ollama), Some(vec!["llama3.2:3b".to_owned()]));
        assert_eq!(LocalProgram::Ollama.models(&llama), None);
        assert_eq!(LocalProgram::LlamaCpp.models(&llama), Some(vec!["model.gguf".to_owned()]));
        assert_eq!(LocalProgram::LlamaCpp.models(&other), None);
        assert_eq!(LocalProgram::LmStudio.models(&json!({"data": []})), Some(vec![]));
        assert_eq!(LocalProgram::LmStudio.models(&json!({"error": "no"})), None);
    }

    #[test]
    fn the_setting_is_read_and_its_mistakes_are_named() {
        let servers: LocalServers = "ollama=11434, lm-studio=1234".parse().expect("is fine");
        assert_eq!(servers.0, [(LocalProgram::Ollama, 11434), (LocalProgram::LmStudio, 1234)]);
        assert_eq!("".parse::<LocalServers>(), Ok(LocalServers::default()));
        for wrong in ["ollama", "olama=1", "ollama=x"] {
            assert!(wrong.parse::<LocalServers>().is_err(), "{wrong}");
        }
    }
}
