import { PassThrough } from "node:stream";
import type { ParseRequest } from "../../../services/contracts/parse.contract.ts";
import type { PageTools, ScraperContext } from "../../../services/scraper/context.ts";
import { parseDocument } from "../../../services/scraper/parse-document.ts";

const text = Buffer.from("<p>It turns.</p>");
const caller = { keyId: "k", owner: "o", limits: { concurrentScrapes: 1 } };

/** A service whose reading ends with its signal only. */
function setUp() {
  const begun = Promise.withResolvers<void>();
  let held = 0;
  const context = {
    now: () => 0,
    quotas: { has: async () => false },
    limiter: {
      acquire: async () => {
        held++;
        return () => held--;
      },
    },
  } as unknown as ScraperContext;
  const run = (_task: string, _input: unknown, { signal }: { signal: AbortSignal }) => {
    begun.resolve();
    return new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    );
  };
  const tools = { extraction: { run } } as unknown as PageTools;
  const body = new PassThrough();
  const parse = (output: object) => {
    const options = { timeout: 600_000, output, request: {}, breakdown: false };
    const request = { file: { name: "a.html", type: "text/html", size: text.length }, options };
    const sent = { caller, requestId: "r", body } as unknown as Parameters<typeof parseDocument>[3];
    return parseDocument(context, tools, request as unknown as ParseRequest, sent);
  };
  return { parse, body, begun: begun.promise, held: () => held };
}

test("a client that leaves ends the reading of what it sent, and its slot is free", async () => {
  const { parse, body, begun, held } = setUp();
  const answer = parse({ formats: ["markdown"] }).catch((error: unknown) => error);
  body.write(text);
  await begun;
  expect(held()).toBe(1);
  body.emit("error", new Error("The client has gone."));
  expect(await answer).toMatchObject({ type: "overloaded" });
  expect(held()).toBe(0);
});

test("the stream of a document that is refused takes no more bytes", async () => {
  const { parse, body } = setUp();
  await expect(parse({ formats: ["json"] })).rejects.toMatchObject({ code: 400 });
  expect(body.destroyed).toBe(true);
});
