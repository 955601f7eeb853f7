use crate::cli::Server;

fn dist() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("index.html", "<!doctype html><title>Kinstead</title>");
    write("assets/app-1234.js", "plain");
    write("assets/app-1234.js.br", "packed");
    write("secret.txt", "not listed");
    let list = serde_json::json!([
        { "path": "index.html", "hash": "aaaa", "bytes": 38, "br_bytes": null, "immutable": false },
        { "path": "assets/app-1234.js", "hash": "bbbb", "bytes": 5, "br_bytes": 6, "immutable": true },
    ]);
    write("assets.json", &list.to_string());
    folder
}

#[tokio::test]
async fn the_app_is_served_packed_cached_and_for_every_address() {
    let dist = dist();
    let server = Server::start_with(&[("KINSTEAD_WEB_DIST", dist.path().to_str().unwrap())]);
    let client = reqwest::Client::new();
    let get = async |path: &str, headers: &[(&str, &str)]| {
        let mut request = client.get(server.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.unwrap();
        let header = |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        let about =
            (response.status().as_u16(), header("content-type"), header("content-encoding"), header("cache-control"));
        (about, header("etag"), header("vary"), response.text().await.unwrap())
    };
    let (about, _, vary, text) = get("/assets/app-1234.js", &[("accept-encoding", "gzip, br;q=0.9")]).await;
    let forever = "public, max-age=31536000, immutable";
    assert_eq!(about, (200, "text/javascript; charset=utf-8".into(), "br".into(), forever.into()));
    assert_eq!((vary.as_str(), text.as_str()), ("accept-encoding", "packed"));
    for refuses in ["gzip", "br;q=0, gzip", ""] {
        let (about, _, _, text) = get("/assets/app-1234.js", &[("accept-encoding", refuses)]).await;
        assert_eq!((about.2.as_str(), text.as_str()), ("", "plain"), "{refuses}");
    }
    let page = "<!doctype html><title>Kinstead</title>";
    for path in ["/", "/index.html", "/kin/basile", "/secret.txt", "/..%2fsecret.txt", "/assets.json"] {
        let (about, tag, _, text) = get(path, &[]).await;
        assert_eq!(about, (200, "text/html; charset=utf-8".into(), String::new(), "no-cache".into()), "{path}");
        assert_eq!(text, page, "{path}");
        assert_eq!(get(path, &[("if-none-match", &tag)]).await.0.0, 304);
    }
    assert_eq!(get("/assets/gone.js", &[]).await.0.0, 404);
    assert_eq!(get("/api/gone", &[]).await.0.0, 404);
    let head = client.head(server.url("/")).send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.headers()["content-length"].to_str().unwrap()), (200, "38"));
}
