//! `kinstead settings`

use super::print;
use crate::settings::{ALL, Settings, variable};
use std::fmt::Write;

pub(super) fn run(settings: &Settings) -> anyhow::Result<()> {
    let mut text = String::new();
    for (name, default, meaning) in ALL {
        let Some(now) = settings.resolved.iter().find(|one| one.name == *name) else { continue };
        let meaning = meaning.trim();
        let flag = name.replace('_', "-");
        let variable = variable(name);
        writeln!(text, "{name} = {}", now.value)?;
        writeln!(text, "    {meaning}")?;
        writeln!(text, "    from {}; default {default}; --{flag}, {variable}\n", now.source)?;
    }
    print(&text);
    Ok(())
}
