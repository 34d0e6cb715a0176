import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { isAlive, render, testBrowser, testPool } from "../../support/browser.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";

let egress: Egress;
let pool: BrowserPool;
let site: Site;
const faults: unknown[] = [];

const endless = (chunk: string) => (_: unknown, response: import("node:http").ServerResponse) => {
  response.setHeader("content-type", "text/html");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
};

beforeAll(async () => {
  site = await startSite({
    "/ok": "<body><p>fine</p>",
    "/loop": "<body><script>for (;;);</script>",
    "/late-loop": "<body><p>text</p><script>onload = () => { for (;;); }</script>",
    "/endless": endless("<p>more</p>".repeat(10_000)),
    "/big-script": "<body><script src=/endless></script>",
    "/nodes": "<body><script>document.body.innerHTML = '<i>x</i>'.repeat(1e6)</script>",
    "/heap": "<body><script>const a = []; for (;;) a.push(new Array(1e6).fill(1.5))</script>",
    "/redirects": (request, response) =>
      void response
        .writeHead(302, { location: `/redirects?${Number(request.url?.split("?")[1] ?? 0) + 1}` })
        .end(),
    "/dialogs":
      "<body><p>after dialogs</p><script>alert(1); confirm(2); prompt(3); onbeforeunload = () => 'stay'</script>",
    "/popups": "<body><p>no popups</p><script>for (let i = 0; i < 20; i++) open('/ok?' + i)</script>",
    "/download": {
      headers: {
        "content-disposition": "attachment; filename=x.bin",
        "content-type": "application/octet-stream",
      },
      body: "x",
    },
    "/history":
      "<body><p>history</p><script>for (let i = 0; i < 1e5; i++) history.pushState(i, '', '#' + i)</script>",
    "/reload": "<script>location.reload()</script>",
    "/worker": "<body><p>worker</p><script>new Worker(URL.createObjectURL(new Blob(['for(;;);'])))</script>",
    "/print": "<body><p>print</p><script>print()</script>",
    "/hang": () => undefined,
    "/odd-frame": `<body><p>${"read ".repeat(60)}</p><iframe src="http://a b/"></iframe>`,
    "/odd-location": `<body><p>${"read ".repeat(60)}</p><script>location.href = "http://a b/"</script>`,
    "/odd-form": `<body><p>${"read ".repeat(60)}</p><form id=f action="http://a b/"></form><script>f.submit()</script>`,
    "/odd-refresh": `<body><p>${"read ".repeat(60)}</p><meta http-equiv=refresh content="0;url=http://a b/">`,
    "/drip": (_, response) => {
      response.setHeader("content-type", "text/html");
      const timer = setInterval(() => response.write("."), 100);
      response.on("close", () => clearInterval(timer));
    },
  });
  egress = createEgress({ allow: [`127.0.0.1:${site.port}`] });
  pool = await testPool(egress, { onError: error => faults.push(error) });
});

afterAll(async () => {
  const pids = pool.pids();
  await pool.close();
  await until("no process of the browser is left", () => !pids.some(isAlive));
  await egress.close();
  await site.close();
});

describe("a hostile page costs its own job only", () => {
  test.each([
    "/loop",
    "/late-loop",
    "/endless",
    "/big-script",
    "/nodes",
    "/heap",
    "/redirects",
    "/dialogs",
    "/popups",
    "/download",
    "/history",
    "/reload",
    "/worker",
    "/print",
    "/drip",
  ])("%s", async path => {
    const hostile = render(pool, site.url + path, { timeoutMs: 2000, maxBytes: 4 * 1024 * 1024 }).then(
      page => page.html.length,
      error => codeOf(error) ?? error.name,
    );
    const beside = await render(pool, `${site.url}/ok`, { tenant: "other" });
    expect(beside.html).toContain("fine");
    const outcome = await hostile;
    if (typeof outcome === "string") expect(["TimeoutError", "upstream_error"]).toContain(outcome);
    const after = await render(pool, `${site.url}/ok`);
    expect(after.html).toContain("fine");
  });

  test.each(["/odd-frame", "/odd-location", "/odd-form", "/odd-refresh"])(
    "%s: a host that the browser asks for and the URL standard refuses",
    async path => {
      const before = faults.length;
      expect((await render(pool, site.url + path)).html).toContain("read");
      expect(faults.slice(before)).toEqual([]);
    },
  );

  test("what a listener throws over a page ends its job, and is told", async () => {
    const lease = { tenant: "t", skipTlsVerification: true };
    const fault = new Error("of our listener");
    const job = pool.run(lease, AbortSignal.timeout(60_000), async session => {
      session.decide = () => {
        throw fault;
      };
      await session.cdp.send("Page.navigate", { url: `${site.url}/ok` });
      await new Promise(() => undefined);
    });
    await expect(job).rejects.toMatchObject({ type: "upstream_error", cause: fault });
    expect(faults).toContain(fault);
    expect((await render(pool, `${site.url}/ok`, { tenant: "t" })).html).toContain("fine");
  });

  test("what Puppeteer's own listeners throw costs no job: the browser takes no more pages", async () => {
    const lease = { tenant: "t", skipTlsVerification: true };
    const fault = new Error("of Puppeteer's listener");
    const [before] = pool.pids();
    await pool.run(lease, AbortSignal.timeout(60_000), async ({ cdp }) => {
      const loaded = new Promise<void>(resolve => {
        cdp.once("Page.loadEventFired", () => {
          resolve();
          throw fault;
        });
      });
      await Promise.all([cdp.send("Page.navigate", { url: "about:blank" }), loaded]);
    });
    expect(faults).toContain(fault);
    expect((await render(pool, `${site.url}/ok`, { tenant: "t" })).html).toContain("fine");
    await until("the browser was replaced", () => pool.pids()[0] !== before);
  });

  test("a crashed tab", async () => {
    const crash = pool.run(
      { tenant: "t", skipTlsVerification: true },
      AbortSignal.timeout(60_000),
      async ({ cdp }) => {
        await cdp.send("Page.navigate", { url: "chrome://crash" });
        await new Promise(() => undefined);
      },
    );
    await expect(crash).rejects.toThrow();
    expect((await render(pool, `${site.url}/ok`)).html).toContain("fine");
  });

  test("a browser that answers nothing: its pages start again in another one", async () => {
    const [stuck] = pool.pids();
    if (stuck === undefined) throw new Error("there is no browser");
    process.kill(stuck, "SIGSTOP");
    expect((await render(pool, `${site.url}/ok`, { tenant: "new" })).html).toContain("fine");
    await until("the stuck browser has gone", () => !isAlive(stuck));
  });

  test("a browser that is killed under its pages", async () => {
    const running = [1, 2, 3].map(() =>
      render(pool, `${site.url}/hang`, { timeoutMs: 3000 }).catch(error => error),
    );
    await until("there is a browser", () => pool.pids().length > 0);
    const [pid] = pool.pids();
    if (pid === undefined) throw new Error("there is no browser");
    process.kill(-pid, "SIGKILL");
    expect((await render(pool, `${site.url}/ok`)).html).toContain("fine");
    await Promise.all(running);
    await until("the killed browser has gone", () => !isAlive(pid));
  });
});

describe("a page that uses what others need", () => {
  let flood: Site;
  let guarded: Egress;
  let small: BrowserPool;

  beforeAll(async () => {
    const worker = "new Worker(URL.createObjectURL(new Blob(['for(;;);'])))";
    const forever = (script: string) => `<body><p>x</p><script>${script}</script>`;
    flood = await startSite({
      "/ok": "<body><p>fine</p><script>1</script>",
      "/workers": forever(`for (let i = 0; i < 100; i++) ${worker}`),
      "/arrays": forever("const a = []; for (;;) a.push(new Uint8Array(6.4e7).fill(1))"),
      "/iframes": forever(
        "for (let i = 0; i < 1e4; i++) document.body.append(Object.assign(document.createElement('iframe'), { src: '/ok?' + i }))",
      ),
      "/itself": `<body>${"<iframe src=/itself></iframe>".repeat(3)}`,
      "/history": forever(
        "setInterval(() => { for (let i = 0; i < 1e4; i++) { history.pushState(i, '', '#' + i); console.log('x'.repeat(1e4)) } }, 1)",
      ),
      "/fetches": forever(
        "setInterval(() => { location.hash = Math.random(); for (let i = 0; i < 100; i++) fetch('/ok?' + Math.random()) }, 5)",
      ),
      "/channels": forever("navigator.serviceWorker.register('/channels.js')"),
      "/channels.js": {
        headers: { "content-type": "text/javascript" },
        body: "setInterval(() => { for (let i = 0; i < 100; i++) new BroadcastChannel('c').postMessage('x') }, 1)",
      },
      "/loop": forever("for (;;);"),
      "/work": forever("for (const begun = performance.now(); performance.now() - begun < 400; );"),
      "/text": forever(
        "setInterval(() => { for (let i = 0; i < 1e4; i++) document.body.append('text '.repeat(100)) }, 1)",
      ),
    });
    guarded = createEgress({ allow: [`127.0.0.1:${flood.port}`] });
    small = await testPool(guarded, { maxMemoryMb: 1024, maxPageCpuMs: 2000 });
  });

  afterAll(async () => {
    await small.close();
    await guarded.close();
    await flood.close();
  });

  test.each(["/workers", "/arrays", "/iframes", "/itself", "/history", "/fetches", "/text", "/channels"])(
    "%s: the page of another key beside it ends as ever",
    async path => {
      const hostile = [1, 2, 3, 4].map(() =>
        render(small, flood.url + path, { tenant: "hostile", timeoutMs: 4000 }).catch(() => undefined),
      );
      const show = (tenant: string) => render(small, `${flood.url}/ok`, { tenant, timeoutMs: 60_000 });
      await until("it is being shown", () => small.load().running > 0);
      expect((await show("beside")).html).toContain("fine");
      await Promise.all(hostile);
      expect((await show("hostile")).html).toContain("fine");
      await until("its memory is back", () => small.memoryMb() < 1024);
    },
  );

  test("pages of one key that compute for long together each have most of the time", async () => {
    for (let page = 0; page < 8; page += 1)
      expect((await render(small, `${flood.url}/work`, { tenant: "busy" })).status).toBe(200);
  });

  test("what a page uses too much of ends it, and its job says so", async () => {
    await expect(render(small, `${flood.url}/arrays`)).rejects.toMatchObject({
      type: "upstream_error",
      message: "The page uses more memory than a page may.",
    });
    await expect(render(small, `${flood.url}/loop`, { timeoutMs: 60_000 })).rejects.toMatchObject({
      type: "upstream_error",
      message: "The page computes for longer than a page may.",
    });
  });
});

test("what a frame stores is not there for the next page of the same key", async () => {
  const frame = await startSite({
    "/store": "<script>sessionStorage.k = 'kept'; parent.postMessage('stored', '*')</script>",
    "/look": "<script>parent.postMessage('found ' + sessionStorage.length, '*')</script>",
  });
  const shows = (path: string) =>
    `<body><script>onmessage = ({ data }) => { document.body.append(data + ' '.repeat(9) + 'x'.repeat(300)) }</script><iframe src="${frame.url}${path}"></iframe>`;
  const page = await startSite({ "/store": shows("/store"), "/look": shows("/look") });
  const both = createEgress({ allow: [`127.0.0.1:${frame.port}`, `127.0.0.1:${page.port}`] });
  const own = await testPool(both);
  expect((await render(own, `${page.url}/store`)).html).toContain("stored");
  const [browser] = own.pids();
  expect((await render(own, `${page.url}/look`)).html).toContain("found 0");
  expect(own.pids()).toEqual([browser]);
  await own.close();
  await both.close();
  await Promise.all([frame.close(), page.close()]);
});

test("a browser that is missing for a while is waited for by no one and used when it is back", async () => {
  let binary: Awaited<ReturnType<typeof testBrowser>> | undefined;
  const late = await testPool(egress, { findBinary: async () => binary });
  await expect(render(late, `${site.url}/ok`)).rejects.toMatchObject({ type: "overloaded", code: 503 });
  expect(late.problem()).toBeDefined();
  binary = await testBrowser();
  expect((await render(late, `${site.url}/ok`)).html).toContain("fine");
  expect(late.problem()).toBeUndefined();
  await late.close();
});

test("a browser is replaced after the configured number of pages, and no process stays", async () => {
  const reasons: string[] = [];
  const onReplaced = (reason: string) => reasons.push(reason);
  const short = await testPool(egress, { recycleAfterPages: 3, onReplaced });
  const seen = new Set<number>();
  for (let i = 0; i < 10; i++) {
    await render(short, `${site.url}/ok`, { tenant: `t${i % 2}` });
    for (const pid of short.pids()) seen.add(pid);
  }
  expect(seen.size).toBeGreaterThanOrEqual(3);
  await until("those before the last are counted", () => reasons.length >= 2);
  expect(new Set(reasons)).toEqual(new Set(["worn"]));
  await render(short, `${site.url}/ok`);
  process.kill(short.pids().at(-1) as number, "SIGKILL");
  await until("the last one is counted as failed", () => reasons.includes("failed"));
  await short.close();
  await until("every browser has gone", () => ![...seen].some(isAlive));
});

test("a browser without pages ends, and the next page starts one", async () => {
  const replaced: string[] = [];
  const brief = await testPool(egress, { idleMs: 100, onReplaced: reason => replaced.push(reason) });
  await brief.prepare();
  expect(brief.pids()).toEqual([]);
  await render(brief, `${site.url}/ok`);
  const pids = brief.pids();
  expect(pids).toHaveLength(1);
  await until("the browser has gone", () => brief.pids().length === 0 && !pids.some(isAlive));
  expect((await render(brief, `${site.url}/ok`)).html).toContain("fine");
  await brief.close();
  expect(replaced).toEqual([]);
});

test("a full pool says so at once", async () => {
  const small = await testPool(egress, { pages: 1, queue: 1 });
  const busy = [0, 1].map(() =>
    render(small, `${site.url}/loop`, { timeoutMs: 2000 }).catch(error => error.name),
  );
  await expect(render(small, `${site.url}/ok`)).rejects.toMatchObject({
    type: "overloaded",
    data: { retry_after: expect.any(Number) },
  });
  expect(await Promise.all(busy)).toEqual(["TimeoutError", "TimeoutError"]);
  expect((await render(small, `${site.url}/ok`)).html).toContain("fine");
  await small.close();
});

test("nothing in a page reaches a machine that the guard does not allow", async () => {
  let reached = 0;
  const canary = createServer(socket => {
    reached += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(canary, "listening");
  const { port } = canary.address() as AddressInfo;
  const hosts = [
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "[::ffff:127.0.0.1]",
    "[::1]",
    "0.0.0.0",
    "[::]",
  ];
  const probes = hosts
    .map(host => `${host}:${port}`)
    .map(
      target => `<img src="http://${target}/img"><script src="http://${target}/js"></script><link rel=stylesheet href="http://${target}/css">
      <link rel=prefetch href="http://${target}/pre"><link rel=preconnect href="http://${target}/"><iframe src="http://${target}/frame"></iframe>
      <object data="http://${target}/object"></object><video src="http://${target}/video"></video><script>
      fetch("http://${target}/fetch", {mode: "no-cors"}).catch(() => 0); navigator.sendBeacon("http://${target}/beacon", "x");
      try { new WebSocket("ws://${target}/ws"); new EventSource("http://${target}/es"); } catch (e) {}
      new Worker(URL.createObjectURL(new Blob(['fetch("http://${target}/worker", {mode:"no-cors"})'])));
      fetch("/to?http://${target}/redirected", {mode: "no-cors"}).catch(() => 0);
      try { const rtc = new RTCPeerConnection({iceServers: [{urls: "stun:${target}"}, {urls: "turn:${target}?transport=tcp", username: "u", credential: "c"}]}); rtc.createDataChannel("x"); rtc.createOffer().then(o => rtc.setLocalDescription(o)); } catch (e) {}
      </script>`,
    );
  const page = await startSite({
    "/": `<body>${probes.join("")}<iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe><p>${"probed ".repeat(60)}</p>`,
    "/to": (request, response) => void response.writeHead(302, { location: request.url?.slice(4) }).end(),
    "/away": (_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
    "/script-away": `<script>location = "http://127.0.0.1:${port}/"</script>`,
  });
  const guarded = createEgress({ allow: [`127.0.0.1:${page.port}`] });
  const guardedPool = await testPool(guarded);
  const shown = await render(guardedPool, `${page.url}/`);
  expect(shown.html).toContain("probed");
  expect(shown.html).not.toContain("root:x:0");
  await expect(render(guardedPool, `${page.url}/away`)).rejects.toMatchObject({ type: "url_not_allowed" });
  await render(guardedPool, `${page.url}/script-away`).catch(error =>
    expect(codeOf(error)).toBe("url_not_allowed"),
  );
  expect(page.hits.some(({ url }) => url.startsWith("/to?"))).toBe(true);
  expect(reached).toBe(0);
  await guardedPool.close();
  await guarded.close();
  await page.close();
  canary.close();
});
