import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { retryAfterOf } from "../src/errors.ts";
import { Magpie, MagpieConnectionError, MagpieError } from "../src/index.ts";
import { type FakeService, failure, hangUp, json, startFake } from "./fake-service.ts";

const scraped = { scrape_id: "scr_1", status: "completed", data: { markdown: "# Boats" } };

async function withFake(
  answers: Parameters<typeof startFake>,
  run: (magpie: Magpie, fake: FakeService) => Promise<void>,
) {
  const fake = await startFake(...answers);
  try {
    await run(new Magpie({ url: `${fake.url}/`, apiKey: "mk_test" }), fake);
  } finally {
    await fake.close();
  }
}

test("a scrape sends the key and asks for a synchronous answer", () =>
  withFake([json(scraped)], async (magpie, { asked }) => {
    const { data } = await magpie.scrape({ url: "https://example.com" });
    assert.equal(data.markdown, "# Boats");
    assert.equal(asked[0]?.headers["x-api-key"], "mk_test");
    assert.deepEqual(JSON.parse(asked[0]?.body ?? ""), { url: "https://example.com", mode: "sync" });
  }));

test("a request is repeated as the same job after 429 and 503", () => {
  const wait = { "retry-after": "0" };
  const answers = [
    failure(429, "rate_limited", {}, wait),
    failure(503, "overloaded", {}, wait),
    json(scraped),
  ];
  return withFake(answers, async (magpie, { asked }) => {
    await magpie.scrape({ url: "https://example.com" });
    const keys = asked.map(({ headers }) => headers["idempotency-key"]);
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.match(String(keys[0]), /^[\w-]{36}$/);
    assert.equal(new Set(asked.map(({ body }) => body)).size, 1);
  });
});

test("a request is repeated after its connection breaks", () =>
  withFake([hangUp, json(scraped)], async (magpie, { asked }) => {
    await magpie.scrape({ url: "https://example.com" });
    assert.equal(asked.length, 2);
  }));

test("a request is repeated after its answer breaks off", () => {
  const half = (_: unknown, res: ServerResponse) => {
    res
      .writeHead(200, { "content-type": "application/json", "content-length": "1000" })
      .write('{"scrape_id":');
    setImmediate(() => res.destroy());
  };
  return withFake([half, json(scraped)], async (magpie, { asked }) => {
    await magpie.scrape({ url: "https://example.com" });
    assert.equal(asked.length, 2);
  });
});

test("a delete whose answer was lost is done when its repetition finds nothing", async () => {
  for (const lost of [hangUp, failure(503, "overloaded", {}, { "retry-after": "0" })])
    await withFake([lost, failure(404, "not_found")], async (magpie, { asked }) => {
      await magpie.webhooks.delete("w1");
      assert.equal(asked.length, 2);
    });
});

test("a 404 is an error where no delete can have been the cause", async () => {
  const missing = failure(404, "not_found");
  for (const before of [[], [failure(429, "rate_limited", {}, { "retry-after": "0" })]])
    await withFake([...before, missing], async magpie => {
      await assert.rejects(magpie.webhooks.delete("w1"), MagpieError);
    });
  await withFake([hangUp, missing], async magpie => {
    const params = { path: { crawl_id: "c1" } };
    const { response } = await magpie.raw.DELETE("/web/crawl/{crawl_id}", { params });
    assert.equal(response.status, 404);
  });
});

test("a request that may have begun something is not repeated without an idempotency key", () =>
  withFake(
    [failure(503, "overloaded", { retry_after: 7 }, { "retry-after": "7" })],
    async (magpie, { asked }) => {
      const { response } = await magpie.raw.POST("/webhook/test");
      assert.equal(response.status, 503);
      assert.equal(asked.length, 1);
    },
  ));

test("a change of the password is not repeated, as the first one ended the session that asks for it", () =>
  withFake([hangUp, failure(401, "unauthorized")], async (magpie, { asked }) => {
    const body = { current_password: "correct horse battery", new_password: "correct horse" };
    await assert.rejects(magpie.raw.PUT("/session/password", { body }), MagpieConnectionError);
    assert.equal(asked.length, 1);
  }));

test("a wait longer than the client waits is an error that says how long", () =>
  withFake(
    [failure(429, "rate_limited", { retry_after: 900 }, { "retry-after": "900" })],
    async (magpie, { asked }) => {
      await assert.rejects(magpie.scrape({ url: "https://example.com" }), (error: MagpieError) => {
        assert.equal(error.name, "MagpieError");
        assert.deepEqual(
          [error.status, error.code, error.retryAfter, error.requestId],
          [429, "rate_limited", 900, "r-1"],
        );
        return true;
      });
      assert.equal(asked.length, 1);
    },
  ));

test("an error has the fields of its body", () => {
  const details = [{ field: "url", code: "required", message: "`url` is required." }];
  return withFake([failure(400, "validation_failed", { details })], async magpie => {
    const error = await magpie.scrape({ url: "" }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof MagpieError);
    assert.deepEqual(
      [error.code, error.message, error.details],
      ["validation_failed", "It is validation_failed.", details],
    );
  });
});

test("a scrape that takes too long is an error with the id of the continuing scrape", () => {
  const answers = [
    failure(408, "scrape_timeout", { scrape_id: "scr_1" }),
    json({ status: "pending" }),
    json(scraped),
  ];
  return withFake(answers, async (magpie, { asked }) => {
    const error = await magpie.scrape({ url: "https://example.com" }).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof MagpieError);
    const { data } = await magpie.finishedScrape(String(error.scrapeId), { pollMs: 1 });
    assert.equal(data.markdown, "# Boats");
    assert.equal(asked.at(-1)?.url, "/web/scrape/scr_1");
  });
});

test("an answer of a proxy is an error", () =>
  withFake(
    [(_, res) => res.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>")],
    async magpie => {
      await assert.rejects(magpie.scrape({ url: "https://example.com" }), { status: 502, code: "http_502" });
    },
  ));

test("a missing answer is a MagpieConnectionError after all attempts", async () => {
  const fake = await startFake(hangUp);
  const magpie = new Magpie({ url: fake.url, retries: 1 });
  await assert.rejects(magpie.raw.GET("/webhook"), MagpieConnectionError);
  assert.equal(fake.asked.length, 2);
  await fake.close();
});

test("a late answer is a MagpieConnectionError", async () => {
  const fake = await startFake(() => undefined);
  const magpie = new Magpie({ url: fake.url, retries: 0, timeoutMs: 50 });
  await assert.rejects(magpie.raw.GET("/webhook"), MagpieConnectionError);
  await fake.close();
});

test("an abort ends a wait with its reason", () =>
  withFake([failure(429, "rate_limited", {}, { "retry-after": "30" })], async (magpie, { asked }) => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const scrape = magpie.scrape({ url: "https://example.com" }, { signal: stop.signal });
    const rejected = assert.rejects(scrape, reason);
    while (asked.length === 0) await new Promise(resolve => setImmediate(resolve));
    stop.abort(reason);
    await rejected;
  }));

test("an OPML document is sent as it is", () => {
  const opml = '<opml version="2.0"><body/></opml>';
  const answer = { mode: "sync", added: 1, entries: [] };
  return withFake([json({ data: answer, message: "Sources: 1 added." })], async (magpie, { asked }) => {
    assert.equal((await magpie.sources.importOpml(opml, { sync: true, dryRun: true })).added, 1);
    assert.equal(asked[0]?.body, opml);
    assert.equal(asked[0]?.headers["content-type"], "text/x-opml");
  });
});

for (const [value, seconds] of [
  ["30", 30],
  ["1.5", 1.5],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
  ["2199-01-01T00:00:00Z", undefined],
  ["soon", undefined],
] as const)
  test(`Retry-After: ${value} asks for ${seconds} s`, () => {
    assert.equal(retryAfterOf(new Headers({ "retry-after": value })), seconds);
  });
