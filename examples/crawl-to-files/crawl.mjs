/** Crawls a site and writes each page as a Markdown file: `node crawl.mjs https://example.com/docs/ pages`. Needs Node 18 or later. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const server = process.env.MAGPIE_URL ?? "http://localhost:3000";
const headers = { "x-api-key": process.env.MAGPIE_API_KEY ?? "", "content-type": "application/json" };
const [url, folder = "pages"] = process.argv.slice(2);
if (!url) {
  console.error("Usage: node crawl.mjs <url> [folder]");
  process.exit(1);
}

await mkdir(folder, { recursive: true });
const { crawl_id } = await ask("POST", "/web/crawl", { url, crawler: { limit: 100 } });

// Pages come in the order in which they ended. The cursor of the last answer neither skips nor repeats a page.
let crawl = { next_cursor: "0" };
while (crawl.next_cursor !== null) {
  crawl = await ask("GET", `/web/crawl/${crawl_id}?limit=20&cursor=${crawl.next_cursor}`);
  for (const page of crawl.data) await write(page);
  if (crawl.status === "crawling" && crawl.data.length === 0) await sleep(1_000);
}
const { completed, failed, skipped } = crawl.progress;
console.log(`${crawl.status}: ${completed} pages, ${failed} failed, ${skipped} skipped`);
if (crawl.error) console.error(`${crawl.error.code}: ${crawl.error.message}`);
process.exitCode = crawl.status === "completed" ? 0 : 1;

async function write({ markdown, metadata }) {
  const { host, pathname, search } = new URL(metadata.final_url);
  const name = `${host}${pathname}${search}`.replace(/[^a-z0-9.]+/gi, "-").replace(/^-|-$/g, "");
  await writeFile(join(folder, `${name}.md`), `<!-- ${metadata.final_url} -->\n\n${markdown}\n`);
  console.log(`${metadata.status_code} ${metadata.final_url}`);
}

async function ask(method, path, body) {
  const response = await fetch(server + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer;
}
