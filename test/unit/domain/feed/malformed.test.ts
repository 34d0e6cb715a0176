import { readFeed } from "../../../../services/domain/feed/parse-feed.ts";
import { malformed } from "./malformed.cases.ts";

test.each(malformed)("$name", ({ body, feed }) => {
  const read = readFeed(Buffer.from(body), "", "http://feeds.example/feed");
  expect(read).toMatchObject(feed === undefined ? { ok: false } : { ok: true, feed });
});
