//! Which files of this machine a page may be given: those below the folders
//! that the user named, and no other. An [`AllowedFile`] is made here only, so
//! that no path reaches a browser that wasn't judged.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::BrowserError;

/// More than this isn't carried through the link in one piece.
pub const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UploadRoots(Vec<PathBuf>);

/// A file that may be uploaded: where it really is, symbolic links resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedFile {
    path: PathBuf,
    name: String,
}

impl UploadRoots {
    /// Files below these.
    pub fn below(folders: Vec<PathBuf>) -> Self {
        UploadRoots(folders)
    }

    /// Judges a path. One that isn't absolute is looked for below each folder.
    /// Whether a file outside exists is not told.
    pub fn allow(&self, said: &str) -> Result<AllowedFile, BrowserError> {
        if self.0.is_empty() {
            return Err(BrowserError::NoUploads);
        }
        let outside = || BrowserError::OutsideUploads {
            path: said.to_owned(),
            roots: self.0.iter().map(|root| root.display().to_string()).collect(),
        };
        let roots: Vec<PathBuf> =
            self.0.iter().filter_map(|root| root.canonicalize().ok()).collect();
        let is_inside = |path: &Path| roots.iter().any(|root| path.starts_with(root));
        let candidates: Vec<PathBuf> = if Path::new(said).is_absolute() {
            vec![said.into()]
        } else {
            roots.iter().map(|root| root.join(said)).collect()
        };
        let mut missing = false;
        for candidate in candidates {
            match candidate.canonicalize() {
                Ok(path) if is_inside(&path) && path.is_file() => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    return Ok(AllowedFile { path, name });
                }
                Ok(path) => missing |= is_inside(&path),
                Err(_) => {
                    let folder = candidate.parent().and_then(|folder| folder.canonicalize().ok());
                    missing |= folder.is_some_and(|folder| is_inside(&folder));
                }
            }
        }
        Err(if missing { BrowserError::NoSuchFile(said.to_owned()) } else { outside() })
    }
}

impl AllowedFile {
    /// Where it is.
    pub fn path(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// What the page sees of where it is.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is in it, `most` bytes at the most.
    pub fn read(&self, most: usize) -> Result<Vec<u8>, BrowserError> {
        let unreadable = || BrowserError::NoSuchFile(self.name.clone());
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&self.path).map_err(|_| unreadable())?;
        let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
        file.take(limit).read_to_end(&mut bytes).map_err(|_| unreadable())?;
        if bytes.len() > most { Err(BrowserError::UploadTooLarge) } else { Ok(bytes) }
    }

    /// A media type by the name's ending, as a browser would tell the page.
    pub fn mime(&self) -> &'static str {
        let ending = Path::new(&self.name).extension().and_then(|ending| ending.to_str());
        match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
            "csv" => "text/csv",
            "gif" => "image/gif",
            "htm" | "html" => "text/html",
            "jpeg" | "jpg" => "image/jpeg",
            "json" => "application/json",
            "md" => "text/markdown",
            "mp3" => "audio/mpeg",
            "mp4" => "video/mp4",
            "pdf" => "application/pdf",
            "png" => "image/png",
            "svg" => "image/svg+xml",
            "txt" => "text/plain",
            "webp" => "image/webp",
            "xml" => "text/xml",
            "zip" => "application/zip",
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrigger_protocol::ErrorCode;

    fn code(roots: &UploadRoots, said: &str) -> ErrorCode {
        roots.allow(said).unwrap_err().code()
    }

    #[test]
    fn only_files_below_a_named_folder_are_allowed_and_links_are_followed() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let secret = outside.path().join("secret.txt");
        std::fs::write(&secret, "no").unwrap();
        std::fs::write(inside.path().join("tea.txt"), "yes").unwrap();
        std::os::unix::fs::symlink(&secret, inside.path().join("link.txt")).unwrap();
        std::os::unix::fs::symlink(outside.path(), inside.path().join("folder")).unwrap();
        let roots = UploadRoots::below(vec![inside.path().to_owned()]);
        let tea = roots.allow("tea.txt").unwrap();
        assert_eq!((tea.name(), tea.mime()), ("tea.txt", "text/plain"));
        assert_eq!(tea.read(3).unwrap(), b"yes");
        assert_eq!(tea.read(2).unwrap_err().code(), ErrorCode::TooLarge);
        let absolute = inside.path().join("tea.txt");
        assert_eq!(roots.allow(absolute.to_str().unwrap()), Ok(tea));
        for said in [
            secret.to_str().unwrap(),
            "link.txt",
            "folder/secret.txt",
            "../secret.txt",
            "/etc/passwd",
            "/no/such/file",
        ] {
            assert_eq!(code(&roots, said), ErrorCode::NotAllowed, "{said}");
        }
        assert_eq!(code(&roots, "coffee.txt"), ErrorCode::NotFound);
        assert_eq!(code(&roots, "."), ErrorCode::NotFound, "a folder is no file");
    }

    #[test]
    fn a_folder_of_a_like_name_is_another_one() {
        let home = tempfile::tempdir().unwrap();
        let (named, like) = (home.path().join("up"), home.path().join("upper"));
        for folder in [&named, &like] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("a.txt"), "a").unwrap();
        }
        let roots = UploadRoots::below(vec![named]);
        assert_eq!(code(&roots, like.join("a.txt").to_str().unwrap()), ErrorCode::NotAllowed);
    }

    #[test]
    fn without_a_folder_nothing_is_allowed_and_the_error_says_how() {
        let error = UploadRoots::default().allow("/etc/hostname").unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotAllowed);
        assert!(error.to_string().contains("upload_roots"), "{error}");
    }
}
