import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFeed } from "../../../../services/domain/feed/read-feed.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "fixtures", "feeds");
const feeds = readdirSync(folder).filter(name => !name.endsWith(".golden.json"));

test("the corpus is there", () => expect(feeds.length).toBeGreaterThanOrEqual(25));

// The declared type is wrong on purpose: it decides nothing but the charset, and names none.
test.each(feeds)("%s is read as its golden says", name => {
  const body = readFileSync(join(folder, name));
  const golden: unknown = JSON.parse(readFileSync(join(folder, `${name}.golden.json`), "utf8"));
  expect(readFeed(body, "text/html", "https://feeds.example/dir/feed")).toEqual(golden);
});
