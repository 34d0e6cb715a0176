import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import type { Session } from "../../../mixins/browser/session.ts";
import { createEgress } from "../../../mixins/egress/egress.ts";
import { evaluateApart } from "../../../services/scraper/render/find-element.ts";
import { testPool } from "../../support/browser.ts";
import { until } from "../../support/until.ts";

let pool: BrowserPool;
afterEach(() => pool?.close());

test("a page of another key has a place at once, however many one key shows and has waiting", async () => {
  pool = await testPool(createEgress({ allow: [] }), { pages: 1 });
  const held = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const leaseOf = (tenant: string) => ({ tenant, skipTlsVerification: true });
  const ended: string[] = [];
  const busy = ["first", "second"].map(name =>
    pool.run(leaseOf("one"), signal, () => held.promise).then(() => ended.push(name)),
  );
  await pool.run(leaseOf("another"), signal, async () => ended.push("another"));
  expect(ended).toEqual(["another"]);
  held.resolve();
  await Promise.all(busy);
});

test("a key's first page is shown in a context that was open before, and the next key's in another", async () => {
  pool = await testPool(createEgress({ allow: [] }));
  const { signal } = new AbortController();
  const run = <T>(tenant: string, task: (session: Session) => Promise<T>) =>
    pool.run({ tenant, skipTlsVerification: true }, signal, task);
  const contextsIn = async (session: Session) => session.process.browser.browserContexts();
  const contextOf = async ({ target }: Session) => target.browserContext();
  const own = await run("one", contextOf);
  await pool.prepareRoom();
  const open = await run("one", contextsIn);
  const second = await run("two", contextOf);
  expect(second).not.toBe(own);
  expect(open).toContain(second);
  await until("the next one is open", async () => (await run("two", contextsIn)).length > open.length);
  const openNow = await run("two", contextsIn);
  const third = await run("three", contextOf);
  expect(open).not.toContain(third);
  expect(openNow).toContain(third);
});

test("a browser starts in a folder whose path is longer than that of a socket may be, and leaves nothing", async () => {
  const top = mkdtempSync(join(tmpdir(), "magpie-test-places-"));
  const scratchRoot = join(top, "a-folder-of-the-data".repeat(6));
  mkdirSync(scratchRoot);
  const isLink = (name: string) => {
    const path = join(tmpdir(), name, "browser");
    return existsSync(path) && readlinkSync(path).startsWith(scratchRoot);
  };
  const links = () => readdirSync(tmpdir()).filter(name => /^magpie-browser-/.test(name) && isLink(name));
  pool = await testPool(createEgress({ allow: [] }), { scratchRoot });
  const lease = { tenant: "one", skipTlsVerification: true };
  const run = pool.run(lease, AbortSignal.timeout(60_000), session => evaluateApart(session, "6 * 7"));
  expect(await run).toBe(42);
  const own = links();
  await pool.close();
  const isLeft = () =>
    readdirSync(scratchRoot).length > 0 || own.some(name => existsSync(join(tmpdir(), name)));
  await until("its files are gone", () => !isLeft());
  rmSync(top, { recursive: true });
});
