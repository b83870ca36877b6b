//! The binary carries the built extension; without it there is nothing to embed.

fn main() {
    for build in ["full", "lite"] {
        let folder = format!("../../extension/dist/{build}");
        println!("cargo:rerun-if-changed={folder}");
        if !std::path::Path::new(&folder).join("manifest.json").exists() {
            println!(
                "cargo:warning=extension/dist/{build} is not built yet: run `make extension` first"
            );
            // An empty folder lets the rest be checked; tests notice what is missing.
            if let Err(error) = std::fs::create_dir_all(&folder) {
                println!("cargo:warning={folder} can't be made: {error}");
            }
        }
    }
}
