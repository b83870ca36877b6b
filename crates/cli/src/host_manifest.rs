//! Where browsers are told of the native-messaging host: a manifest in the folder of
//! each, and one script in Outrigger's own folder that they all start. A browser hands
//! its host no arguments of ours, so the script says which home and port are meant.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use etcetera::BaseStrategy as _;
use outrigger_hub::Settings;
use outrigger_hub::extension_files::own_origin;
use outrigger_hub::settings::Source;
use outrigger_protocol::native::NATIVE_HOST;
use serde_json::{Value, json};

/// Browsers that we know: what people call them, and their folders on Linux and macOS.
const BROWSERS: [(&str, &str, &str); 7] = [
    ("Chrome", "google-chrome", "Google/Chrome"),
    ("Chrome Beta", "google-chrome-beta", "Google/Chrome Beta"),
    ("Chrome Dev", "google-chrome-unstable", "Google/Chrome Dev"),
    ("Chromium", "chromium", "Chromium"),
    ("Brave", "BraveSoftware/Brave-Browser", "BraveSoftware/Brave-Browser"),
    ("Edge", "microsoft-edge", "Microsoft Edge"),
    ("Vivaldi", "vivaldi", "Vivaldi"),
];

/// A browser of this user, as far as its folder tells.
pub(crate) struct Browser {
    pub(crate) name: &'static str,
    manifest: PathBuf,
}

/// What a browser would start.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Registered {
    /// Nothing: it knows of no host.
    Not,
    /// This program, for this home.
    Ours(PathBuf),
    /// Something of another home.
    Others(PathBuf),
    /// What isn't there.
    Missing(PathBuf),
}

/// Every browser that this user has started once.
pub(crate) fn browsers() -> anyhow::Result<Vec<Browser>> {
    if cfg!(windows) {
        bail!("browsers on Windows look for hosts in the registry, which Outrigger doesn't write");
    }
    let base = etcetera::choose_base_strategy().context("your home folder was not found")?;
    let is_mac = cfg!(target_os = "macos");
    let all = if is_mac {
        base.home_dir().join("Library/Application Support")
    } else {
        base.config_dir()
    };
    let folders = BROWSERS
        .map(|(name, linux, mac)| (name, all.join(if is_mac { mac } else { linux })))
        .into_iter()
        .filter(|(_, folder)| folder.is_dir());
    let file = format!("NativeMessagingHosts/{NATIVE_HOST}.json");
    Ok(folders.map(|(name, folder)| Browser { name, manifest: folder.join(&file) }).collect())
}

/// The host of one home.
pub(crate) struct Host {
    script: PathBuf,
    text: String,
    origins: Vec<String>,
}

impl Host {
    pub(crate) fn new(settings: &Settings) -> anyhow::Result<Self> {
        let home = std::path::absolute(settings.home.path())?;
        let program = std::env::current_exe()?;
        let mut text = format!(
            "#!/bin/sh\n# What browsers start for Outrigger's extension; `outrigger setup` wrote it.\n\
             export OUTRIGGER_HOME={}\n",
            quoted(&home.display().to_string())
        );
        // A port of config.toml is found there by itself, also when it changes.
        let is_told = |source| matches!(source, Source::Flag | Source::Environment);
        if settings.show().iter().any(|(key, _, from)| key.name == "port" && is_told(*from)) {
            text += &format!("export OUTRIGGER_PORT={}\n", settings.port);
        }
        text += &format!("exec {} \"$@\"\n", quoted(&program.display().to_string()));
        let mut origins = vec![own_origin()];
        origins.extend(settings.home.paired_origins()?);
        Ok(Host { script: home.join("native-host"), text, origins })
    }

    /// Tells a browser of it.
    pub(crate) fn register(&self, browser: &Browser) -> anyhow::Result<()> {
        let failed = |path: &Path| format!("{} can't be written", path.display());
        put(&self.script, &self.text, 0o700).with_context(|| failed(&self.script))?;
        let manifest = format!("{:#}\n", self.manifest());
        put(&browser.manifest, &manifest, 0o600).with_context(|| failed(&browser.manifest))
    }

    /// Takes that back. False: the browser knew nothing of it.
    pub(crate) fn unregister(&self, browser: &Browser) -> anyhow::Result<bool> {
        let is_ours = started_by(browser).is_some_and(|path| path == self.script);
        if is_ours {
            fs::remove_file(&browser.manifest)
                .with_context(|| format!("{} can't be removed", browser.manifest.display()))?;
        }
        Ok(is_ours)
    }

    /// Removes the script, once no browser starts it any more.
    pub(crate) fn forget(&self) {
        let _ = fs::remove_file(&self.script);
    }

    pub(crate) fn registered(&self, browser: &Browser) -> Registered {
        let Some(script) = started_by(browser) else { return Registered::Not };
        // Somebody else's may start whatever it likes.
        let program = fs::read_to_string(&script).ok().and_then(|text| program_of(&text));
        match program.or_else(|| script.is_file().then(|| script.clone())) {
            Some(program) if !program.is_file() => Registered::Missing(program),
            None => Registered::Missing(script),
            Some(_) if script != self.script => Registered::Others(script),
            Some(program) => Registered::Ours(program),
        }
    }

    fn manifest(&self) -> Value {
        let origins: Vec<String> = self.origins.iter().map(|origin| format!("{origin}/")).collect();
        json!({
            "name": NATIVE_HOST,
            "description": "Links the Outrigger extension with the hub of this machine",
            "path": self.script,
            "type": "stdio",
            "allowed_origins": origins,
        })
    }
}

/// What a browser's manifest names.
fn started_by(browser: &Browser) -> Option<PathBuf> {
    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(&browser.manifest).ok()?).ok()?;
    manifest["path"].as_str().map(PathBuf::from)
}

/// The program that a script of ours starts.
fn program_of(script: &str) -> Option<PathBuf> {
    let word = script.lines().find_map(|line| line.strip_prefix("exec "))?;
    let word = word.strip_suffix(" \"$@\"")?;
    let bare = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
    Some(bare.map_or_else(|| word.into(), |bare| bare.replace("'\\''", "'").into()))
}

/// Writes a file whole or not at all.
fn put(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = mode;
    file.persist(path)?;
    Ok(())
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:@+,".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_blanks_survives_the_shell() {
        assert_eq!(quoted("/opt/my tools/it's"), "'/opt/my tools/it'\\''s'");
        assert_eq!(quoted("/usr/bin/outrigger"), "/usr/bin/outrigger");
    }

    #[test]
    fn the_program_is_found_in_the_script_whatever_it_is_called() {
        for program in ["/usr/bin/outrigger", "/opt/my tools/it's", "/a \"b\"/$c"] {
            let script = format!("#!/bin/sh\nexport A=b\nexec {} \"$@\"\n", quoted(program));
            assert_eq!(program_of(&script), Some(program.into()));
        }
        assert_eq!(program_of("\x7fELF"), None);
    }
}
