//! Setting providers up: tried before they are stored, keys sealed, and what goes when they go.

use crate::engine_world::World;
use kinstead_tests::scripted::{ANTHROPIC_MODELS, KEY, OPENAI_MODELS, ScriptedProvider};
use server::providers::{ApiKey, NewProvider, ProviderChange, ProviderError, ProviderKind};
use shared::FailureKind;

fn new(kind: ProviderKind, base_url: Option<String>, key: Option<&str>) -> NewProvider {
    NewProvider {
        name: " At home ".into(),
        kind,
        base_url,
        api_key: key.map(ApiKey::new),
        capabilities: None,
        query: None,
    }
}

fn failed<T: std::fmt::Debug>(result: Result<T, ProviderError>) -> FailureKind {
    match result {
        Err(ProviderError::Failed(failure)) => failure.kind,
        other => panic!("{other:?}"),
    }
}

async fn stored(world: &World) -> usize {
    world.providers.list(world.ben).await.expect("lists").len()
}

#[tokio::test]
async fn a_provider_is_tried_and_stored_with_its_key_sealed() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    for (kind, suffix, expected) in [
        (ProviderKind::OpenaiCompatible, "", OPENAI_MODELS.as_slice()),
        (ProviderKind::Openai, "/v1/", OPENAI_MODELS.as_slice()),
        (ProviderKind::Anthropic, "/v1", ANTHROPIC_MODELS.as_slice()),
    ] {
        let url = format!("{}{suffix}", provider.url());
        let check = world.providers.add(world.ana, new(kind, Some(url), Some(KEY))).await.expect("can be reached");
        let mut expected: Vec<&str> = expected.to_vec();
        let mut models: Vec<&str> = check.models.iter().map(|model| model.name.as_str()).collect();
        expected.sort_unstable();
        models.sort_unstable();
        assert_eq!(models, expected);
        assert_eq!((check.record.name.as_str(), check.record.has_key), ("At home", true));
        assert_eq!(check.record.base_url, Some(format!("{}/v1", provider.url())));
        let again = world.providers.check(world.ben, check.record.id).await.expect("can be reached");
        assert_eq!(again.models, check.models);
        assert_eq!(again.record.check.as_ref().map(|check| check.failure.is_none()), Some(true));
    }
    let sealed: Vec<Vec<u8>> = world
        .read(|conn| conn.prepare("select key_sealed from provider")?.query_map([], |row| row.get(0))?.collect())
        .await;
    assert_eq!(sealed.len(), 3);
    for key in sealed {
        assert!(!key.windows(KEY.len()).any(|part| part == KEY.as_bytes()));
    }
    assert_eq!(world.events().await, ["provider.added"; 3]);
}

#[tokio::test]
async fn what_cannot_be_used_is_not_stored() {
    use ProviderKind::{Anthropic, Openai, OpenaiCompatible};
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let url = provider.url();
    for kind in [OpenaiCompatible, Openai, Anthropic] {
        let wrong = world.providers.add(world.ana, new(kind, Some(url.clone()), Some("wrong-key"))).await;
        assert_eq!(failed(wrong), FailureKind::Unauthorized);
    }
    let elsewhere = world.providers.add(world.ana, new(OpenaiCompatible, Some(format!("{url}/v7")), Some(KEY))).await;
    assert_eq!(failed(elsewhere), FailureKind::Refused);
    provider.stop().await;
    let gone = world.providers.add(world.ana, new(OpenaiCompatible, Some(url.clone()), None)).await;
    assert_eq!(failed(gone), FailureKind::Unreachable);

    let refused = async |new| world.providers.add(world.ana, new).await.expect_err("is refused");
    assert!(matches!(refused(new(OpenaiCompatible, None, None)).await, ProviderError::NoAddress));
    assert!(matches!(refused(new(OpenaiCompatible, Some("ftp://x".into()), None)).await, ProviderError::Address(_)));
    assert!(matches!(refused(new(Anthropic, None, None)).await, ProviderError::NoKey));
    assert!(matches!(refused(new(Anthropic, None, Some("two words"))).await, ProviderError::Key));
    assert!(matches!(refused(new(Anthropic, None, Some(&"x".repeat(501)))).await, ProviderError::Key));
    let unnamed = NewProvider { name: "  ".into(), ..new(ProviderKind::Demo, None, None) };
    assert!(matches!(refused(unnamed).await, ProviderError::Name));
    let member = world.providers.add(world.ben, new(ProviderKind::Demo, None, None)).await;
    assert!(matches!(member, Err(ProviderError::Forbidden)));
    assert_eq!(stored(&world).await, 0);
    assert!(world.events().await.is_empty());
}

#[tokio::test]
async fn demo_needs_nothing() {
    let world = World::new().await;
    let check = world
        .providers
        .add(world.ana, new(ProviderKind::Demo, Some("http://x".into()), Some("k")))
        .await
        .expect("works");
    assert_eq!(check.models.len(), 1);
    assert_eq!((check.models[0].name.as_str(), check.record.base_url, check.record.has_key), ("demo", None, false));
}

#[tokio::test]
async fn a_change_is_tried_first_and_takes_effect_at_once() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let id = world.provider(&provider, ProviderKind::OpenaiCompatible).await;
    let other = ScriptedProvider::start().await;
    let change = async |change| world.providers.change(world.ana, id, change).await;
    let wrong = change(ProviderChange { api_key: Some(ApiKey::new("wrong")), ..ProviderChange::default() }).await;
    assert_eq!(failed(wrong), FailureKind::Unauthorized);
    // The stored key is not sent to another host.
    let moved = ProviderChange { base_url: Some(other.url()), ..ProviderChange::default() };
    assert!(matches!(change(moved.clone()).await, Err(ProviderError::KeyAgain)));
    let moved = ProviderChange { api_key: Some(ApiKey::new(KEY)), name: Some("Elsewhere".into()), ..moved };
    let record = change(moved).await.expect("can be reached").record;
    assert_eq!((record.name.as_str(), record.base_url), ("Elsewhere", Some(format!("{}/v1", other.url()))));
    provider.stop().await;
    let thread = world.kin(Some((id, "gpt-4o"))).await;
    let message = world.say(thread, "hello").await;
    assert!(world.answer(message).await.text.contains("hello"));
    assert_eq!(other.requests().len(), 1);
    let missing = world.providers.change(world.ana, server::clock::fresh(), ProviderChange::default()).await;
    assert!(matches!(missing, Err(ProviderError::NotFound(_))));
}

#[tokio::test]
async fn a_removed_provider_leaves_its_kins_without_a_model() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, ProviderKind::Anthropic).await;
    let id = world.providers.list(world.ana).await.expect("lists")[0].id;
    assert!(matches!(world.providers.remove(world.ben, id).await, Err(ProviderError::Forbidden)));
    let changes = async || -> i64 {
        world
            .read(|conn| conn.query_row("select count(*) from change where document_id = 'home'", [], |row| row.get(0)))
            .await
    };
    let before = changes().await;
    world.providers.remove(world.ana, id).await.expect("removes");
    assert_eq!(stored(&world).await, 0);
    assert!(changes().await > before, "every device is told");
    let kin = thread.kin.to_string();
    let left = world.read(move |conn| {
        conn.query_row("select provider_id is null and model is null from kin where id = ?1", [kin], |row| {
            row.get::<_, bool>(0)
        })
    });
    assert!(left.await);
    assert_eq!(world.events().await, ["provider.added", "provider.removed"]);
    assert!(matches!(world.providers.remove(world.ana, id).await, Err(ProviderError::NotFound(_))));
}
