//! Crawls a site with spider, the whole of each page to Markdown by spider_transformations: what that takes for main content
//! is nothing for some pages. Takes a job a line as JSON (`url`, `pages`, `concurrency`, `times` that the site is crawled),
//! answers with pages per second.

use std::io::{stdin, stdout, BufRead, Write};
use std::time::Instant;

use serde_json::{json, Value};
use spider::page::Page;
use spider::website::Website;
use spider_transformations::transformation::content::{transform_content, ReturnFormat, TransformConfig};
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;

/// As its guide advises.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() {
    let config = TransformConfig { return_format: ReturnFormat::Markdown, ..TransformConfig::default() };
    say(&json!("ready"));
    for line in stdin().lock().lines() {
        let job: Value = serde_json::from_str(&line.expect("A line is text.")).expect("A line is JSON.");
        let number = |name: &str| job[name].as_u64().expect("A job has its numbers.") as usize;
        let (pages, times) = (number("pages"), number("times"));
        let start = Instant::now();
        for _ in 0..times {
            let url = job["url"].as_str().expect("A job has an address.");
            let kept = crawl(url, pages, number("concurrency"), config).await;
            let empty = kept.iter().filter(|markdown| markdown.len() < 1000).count();
            assert!(kept.len() == pages && empty == 0, "{} pages of {pages}, {empty} of them empty", kept.len());
        }
        say(&json!((pages * times) as f64 / start.elapsed().as_secs_f64()));
    }
}

async fn crawl(url: &str, pages: usize, concurrency: usize, config: TransformConfig) -> Vec<String> {
    let mut website = Website::new(url);
    website.with_concurrency_limit(Some(concurrency));
    // A page that is not received in time would be lost.
    let mut received = website.subscribe(pages + 1);
    let reading = tokio::spawn(async move {
        let mut read = JoinSet::new();
        loop {
            match received.recv().await {
                Ok(page) => read.spawn(async move { to_markdown(&page, &config) }),
                Err(RecvError::Closed) => return read.join_all().await,
                Err(RecvError::Lagged(lost)) => panic!("{lost} pages were lost"),
            };
        }
    });
    website.crawl().await;
    website.unsubscribe();
    reading.await.expect("All pages are read.")
}

fn to_markdown(page: &Page, config: &TransformConfig) -> String {
    transform_content(page, config, &None, &None, &None)
}

fn say(answer: &Value) {
    let mut out = stdout().lock();
    writeln!(out, "{answer}").and_then(|()| out.flush()).expect("The bench listens.");
}
