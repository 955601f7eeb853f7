use std::process::ExitCode;

fn main() -> ExitCode {
    match server::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kinstead: {error:#}");
            ExitCode::FAILURE
        }
    }
}
