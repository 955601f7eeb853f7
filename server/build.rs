//! The web app is built by xtask and may be absent: the server then compiles all the same and says so when asked for it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../app/dist");
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        // Embedded there: a newly built app needs a newly built server.
        println!("cargo::rerun-if-changed={}", folder.join("assets.json").display());
    }
    if !folder.exists() {
        std::fs::create_dir_all(&folder).expect("app/dist can be created");
    }
}
