import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { type RenderJob, renderPage } from "../../../services/scraper/render/render-page.ts";

/** A browser that is not there before the time is over. */
const starting = {
  run: (_: unknown, signal: AbortSignal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
} as unknown as BrowserPool;

const render = (isPutOff: boolean) => {
  const over = new AbortController();
  const job = { url: "https://x.example/", jsRender: {}, isPutOff } as unknown as RenderJob;
  const rendering = renderPage(starting, job, over.signal).catch((error: Error) => error);
  over.abort(new DOMException("The time is over.", "TimeoutError"));
  return rendering;
};

test("a page that can be read later is put off, and its site is not to blame", async () => {
  const error = await render(true);
  expect(codeOf(error)).toBe("overloaded");
  expect(error).toMatchObject({
    message: expect.stringMatching(/^No browser was ready/),
    data: { retry_after: 5 },
  });
});

test("any other page ends with its deadline", async () => {
  expect(await render(false)).toMatchObject({ name: "TimeoutError" });
});
