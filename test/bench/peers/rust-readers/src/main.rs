//! Readers of main content beside Magpie. Takes a page a line as JSON (`html`, `url`), answers with what is read of it
//! (`result`, null where the reader fails) and the CPU time that it took (`ms`). Argument: the reader's name.

use std::io::{stdin, stdout, BufRead, Write};
use std::panic::catch_unwind;
use std::thread::Builder;

use cpu_time::ProcessTime;
use dom_smoothie::{Config, Readability, TextMode};
use rs_trafilatura::{extract_with_options, Options};
use serde_json::{json, Value};

type Reader = fn(&str, &str) -> Option<String>;

/// Pages are nested deeply, and both readers call themselves for each level.
const STACK: usize = 1 << 29;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let reader: Reader = match name.as_str() {
        "rs-trafilatura" => rs_trafilatura,
        "dom_smoothie" => dom_smoothie,
        _ => panic!("There is no reader {name}."),
    };
    std::panic::set_hook(Box::new(|_| ()));
    let answers = move || answer_all(reader);
    let thread = Builder::new().stack_size(STACK).spawn(answers).expect("A thread starts.");
    thread.join().expect("All pages are answered.");
}

fn answer_all(reader: Reader) {
    say(&json!("ready"));
    for line in stdin().lock().lines() {
        let page: Value = serde_json::from_str(&line.expect("A line is text.")).expect("A line is JSON.");
        let text = |name: &str| page[name].as_str().unwrap_or_default().to_owned();
        let (html, url) = (text("html"), text("url"));
        let start = ProcessTime::now();
        let result = catch_unwind(|| reader(&html, &url)).unwrap_or(None);
        say(&json!({ "result": result, "ms": start.elapsed().as_secs_f64() * 1000.0 }));
    }
}

fn say(answer: &Value) {
    let mut out = stdout().lock();
    writeln!(out, "{answer}").and_then(|()| out.flush()).expect("The bench listens.");
}

/// Its Markdown, which it makes on the way to its text.
fn rs_trafilatura(html: &str, url: &str) -> Option<String> {
    let options = Options { url: Some(url.to_owned()), output_markdown: true, ..Options::default() };
    let read = extract_with_options(html, &options).ok()?;
    Some(read.content_markdown.unwrap_or(read.content_text))
}

/// Its HTML; it makes Markdown of it, too.
fn dom_smoothie(html: &str, url: &str) -> Option<String> {
    let config = Config { text_mode: TextMode::Markdown, ..Config::default() };
    let article = Readability::new(html, Some(url), Some(config)).ok()?.parse().ok()?;
    Some(article.content.to_string())
}
