//! The built extension, which the binary carries inside itself.

use std::fs;
use std::io;
use std::path::Path;

use rust_embed::RustEmbed;

/// The id that the manifest's `key` pins.
pub const EXTENSION_ID: &str = "bigediajialbnoimdpglfonfippifjkl";

#[derive(RustEmbed)]
#[folder = "../../extension/dist/full"]
struct Full;

#[derive(RustEmbed)]
#[folder = "../../extension/dist/lite"]
struct Lite;

/// Which build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Reads and acts.
    Full,
    /// Reads the tab on which the user clicked, acts nowhere.
    Lite,
}

/// Our extension's origin.
pub fn own_origin() -> String {
    format!("chrome-extension://{EXTENSION_ID}")
}

/// Writes the unpacked extension, replacing files of the same names.
pub fn write(build: Build, folder: &Path) -> io::Result<()> {
    match build {
        Build::Full => write_all::<Full>(folder),
        Build::Lite => write_all::<Lite>(folder),
    }
}

fn write_all<E: RustEmbed>(folder: &Path) -> io::Result<()> {
    for name in E::iter() {
        let Some(file) = E::get(&name) else { continue };
        let path = folder.join(name.as_ref());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, file.data)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_builds_are_carried_whole() {
        for build in [Build::Full, Build::Lite] {
            let folder = tempfile::tempdir().unwrap();
            write(build, folder.path()).unwrap();
            let manifest = fs::read_to_string(folder.path().join("manifest.json")).unwrap();
            let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
            assert_eq!(manifest["manifest_version"], 3);
            let permissions = manifest["permissions"].to_string();
            assert_eq!(permissions.contains("debugger"), build == Build::Full, "{permissions}");
        }
    }
}
