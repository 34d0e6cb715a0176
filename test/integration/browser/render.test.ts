import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";
import { render, testPool } from "../../support/browser.ts";
import { type Site, startSite } from "../../support/http-site.ts";

let egress: Egress;
let pool: BrowserPool;
let site: Site;

const json = (body: unknown) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

beforeAll(async () => {
  site = await startSite({
    "/script": "<body><main id=m></main><script>m.textContent = 'written by a script '.repeat(20)</script>",
    "/data":
      "<body><p id=p></p><script>onload = () => fetch('/items').then(r => r.json()).then(a => p.textContent = a.join(' ').repeat(50))</script>",
    "/work":
      "<body><p id=p></p><script>new Worker('/worker.js').onmessage = ({ data }) => { p.textContent = data.join(' ').repeat(50) }</script>",
    "/worker.js": {
      headers: { "content-type": "text/javascript" },
      body: "fetch('/later').then(r => r.json()).then(postMessage)",
    },
    "/later": (_, response) =>
      void setTimeout(
        () => response.setHeader("content-type", "application/json").end('["late","items"]'),
        900,
      ),
    "/items": (_, response) =>
      void setTimeout(
        () => response.setHeader("content-type", "application/json").end('["late","items"]'),
        300,
      ),
    "/leave": "<script>setTimeout(() => location.replace('/script'), 20)</script>",
    "/refresh": "<meta http-equiv=refresh content='0;url=/script'>",
    "/hang": "<body><p>Readable before its picture comes</p><img src=/never>",
    "/never": () => undefined,
    "/echo": (request, response) => void response.end(JSON.stringify(request.headers)),
    "/look":
      "<meta name=viewport content='width=device-width'><body><script>document.write(JSON.stringify({ua: navigator.userAgent, lang: navigator.languages, w: innerWidth, h: innerHeight, dpr: devicePixelRatio, touch: navigator.maxTouchPoints, date: new Intl.DateTimeFormat().resolvedOptions().locale, mobile: navigator.userAgentData?.mobile}))</script>",
    "/third": `<body><p>own</p><script src="THIRD/third.js"></script><script src="/own.js"></script>`,
    "/own.js": "1",
    "/tall": "<body style='margin:0;background:red'><div style='height:3000px'></div>",
    "/": "<body><p id=p></p><script>p.textContent = 'the root '.repeat(40)</script>",
    "/missing": { status: 404, body: "<body><h1>Nothing here</h1>" },
    "/api": json({ plain: true }),
  });
  egress = createEgress({ allow: ["127.0.0.1/32"] });
  pool = await testPool(egress);
});

afterAll(async () => {
  await pool.close();
  await egress.close();
  await site.close();
});

test.each([
  ["what a script writes", "/script", "written by a script"],
  ["what a script fetches after load", "/data", "late items"],
  ["what a worker fetches", "/work", "late items"],
  ["where a script goes", "/leave", "written by a script"],
  ["where a meta refresh goes", "/refresh", "written by a script"],
  ["the target's own 404", "/missing", "Nothing here"],
])("reads %s", async (_, path, text) => {
  const page = await render(pool, site.url + path);
  expect(page.html).toContain(text);
  expect(page.status).toBe(path === "/missing" ? 404 : 200);
});

test("a subresource that never ends costs the wait, not the page", async () => {
  const page = await render(pool, `${site.url}/hang`, { timeoutMs: 15_000 });
  expect(page.html).toContain("Readable before its picture comes");
});

test("presents itself as the device, in the locale and the viewport that were asked for", async () => {
  const read = async (options: Parameters<typeof render>[2]) => {
    const { html } = await render(pool, `${site.url}/look`, options);
    return JSON.parse(/\{"ua".*\}/.exec(html)?.[0] ?? "{}");
  };
  const phone = await read({ request: { device: "mobile", locale: "de-AT" } });
  expect(phone).toMatchObject({ lang: ["de-AT", "de", "en"], w: 412, dpr: 2, date: "de-AT", mobile: true });
  expect(phone.touch).toBeGreaterThan(0);
  const desktop = await read({ jsRender: { enabled: true, viewport: { width: 700, height: 500 } } });
  expect(desktop).toMatchObject({ w: 700, h: 500, dpr: 1, touch: 0, mobile: false, date: "en-US" });
  expect(desktop.ua).not.toMatch(/headless/i);
});

test("sends headers to the page's own origin and cookies to the page", async () => {
  const other = await startSite({ "/third.js": "1" });
  const page = await startSite({
    "/": `<body>own<script src="${other.url}/third.js"></script><script src="/own.js"></script>`,
    "/own.js": "1",
  });
  const authorization = "Bearer secret";
  await render(pool, `${page.url}/`, {
    headers: { authorization },
    cookies: [{ url: page.url, name: "a", value: "1" }],
  });
  const seen = Object.fromEntries([...page.hits, ...other.hits].map(hit => [hit.url, hit.headers]));
  expect(seen["/"]).toMatchObject({ authorization, cookie: "a=1" });
  expect(seen["/own.js"]).toMatchObject({ authorization, cookie: "a=1" });
  expect(seen["/third.js"]?.authorization).toBeUndefined();
  await other.close();
  await page.close();
});

test("shows the browser what was fetched already, and the site is asked once", async () => {
  const before = site.hits.length;
  const seed = {
    status: 203,
    finalUrl: `${site.url}/script`,
    redirects: [],
    headers: { "content-type": "text/html", "x-seed": "1", "content-encoding": "gzip" },
    contentType: "text/html",
    body: Buffer.from("<body><p id=p></p><script>p.textContent = 'from the seed '.repeat(30)</script>"),
    setCookies: [],
  };
  const page = await render(pool, seed.finalUrl, { seed });
  expect(page).toMatchObject({ status: 203, finalUrl: seed.finalUrl });
  expect(page.html).toContain("from the seed");
  expect(site.hits.slice(before).filter(({ url }) => url === "/script")).toEqual([]);
});

test("takes pictures of the viewport and of the whole page", async () => {
  const size = (png: Uint8Array = new Uint8Array(24)) => [
    Buffer.from(png).readUInt32BE(16),
    Buffer.from(png).readUInt32BE(20),
  ];
  const viewport = await render(pool, `${site.url}/tall`, { screenshot: "viewport" });
  expect(size(viewport.screenshot)).toEqual([1280, 800]);
  const whole = await render(pool, `${site.url}/tall`, { screenshot: "full_page" });
  expect(size(whole.screenshot)).toEqual([1280, 3000]);
});

test("with scripts disabled the page stays as it was sent", async () => {
  const page = await render(pool, `${site.url}/script`, { jsRender: { enabled: false } });
  expect(page.html).not.toContain("written by a script written");
  const again = await render(pool, `${site.url}/script`);
  expect(again.html).toContain("written by a script written");
});

test("an address with a fragment is loaded where the tab has just shown the same page", async () => {
  for (const path of ["/script", "/script#a", "/#b", "/", "/#c", "/#c"]) {
    const { html, finalUrl } = await render(pool, site.url + path, { tenant: "fragments" });
    expect(finalUrl).toBe(site.url + path);
    expect(html).toContain(path.startsWith("/script") ? "written by a script" : "the root");
  }
});

describe("what one job leaves", () => {
  const leave = `<body><p>left</p><script>
    document.cookie = 'left=1; path=/'; localStorage.left = '1'; sessionStorage.left = '1'; window.name = 'left';
    indexedDB.open('left'); caches.open('left'); navigator.serviceWorker?.register('/worker.js');</script>`;
  const find = `<body><pre id=found></pre><script>(async () => {
    const found = [document.cookie, localStorage.left, sessionStorage.left, window.name,
      (await indexedDB.databases()).length, (await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length];
    document.getElementById('found').textContent = JSON.stringify(found) + ' '.repeat(10); document.body.append('x'.repeat(300)); })()</script>`;

  test.each([
    ["another tenant", "a", "b"],
    ["the same tenant's next job", "c", "c"],
  ])("%s does not find", async (_, first, second) => {
    const state = await startSite({
      "/leave": leave,
      "/find": find,
      "/worker.js": {
        headers: { "content-type": "text/javascript" },
        body: "onfetch = e => e.respondWith(new Response('from the worker'))",
      },
    });
    await render(pool, `${state.url}/leave`, { tenant: first });
    const { html } = await render(pool, `${state.url}/find`, { tenant: second });
    expect(/\[.*\]/.exec(html)?.[0]).toBe('["",null,null,"",0,0,0]');
    expect(state.hits.find(({ url }) => url === "/find")?.headers.cookie).toBeUndefined();
    await state.close();
  });

  // Without shared and service workers, with which the context would end.
  const ghosts = (head: string) =>
    `${head}<body><p>haunts</p><form><input name=typed></form><script src="/ghosts.js"></script>`;
  const ghostScript = `
    const write = () => {
      document.cookie = 'late=1; path=/'; localStorage.late = '1'; sessionStorage.late = '1'; window.name = 'late';
      document.querySelector('input').value = 'late'; indexedDB.open('page'); caches.open('page');
      channel.postMessage('page'); history.pushState({ late: 1 }, '', '/late');
    };
    const channel = new BroadcastChannel('ghosts');
    setInterval(write, 100);
    const again = work => work().catch(() => 0).then(() => { write(); setTimeout(() => again(work), 50); });
    again(() => fetch('/none'));
    for (const event of ['beforeunload', 'pagehide', 'unload', 'visibilitychange', 'freeze'])
      for (const target of [window, document])
        target.addEventListener(event, () => { write(); navigator.sendBeacon('/beacon'); fetch('/last', { keepalive: true }); });
    navigation?.addEventListener('navigate', event => { if (event.destination.url.endsWith('/find')) event.preventDefault(); });
    const ghost = "const write = () => { indexedDB.open(self.name); caches.open(self.name); channel.postMessage(self.name) };"
      + "const channel = new BroadcastChannel('ghosts'); write(); setInterval(write, 100)";
    new Worker(URL.createObjectURL(new Blob([ghost], { type: 'text/javascript' })), { name: 'worker' });
    const leaveAt = new URLSearchParams(location.search).get('leave');
    if (leaveAt) setTimeout(() => { location.href = '/slow' }, leaveAt);
    onload = () => fetch('/hold');`;
  const findGhosts = `<body><form><input name=typed></form><pre id=found></pre><script>(async () => {
    const heard = new Set();
    new BroadcastChannel('ghosts').onmessage = ({ data }) => heard.add(data);
    const held = await (await fetch('/hold')).text();
    const found = [held, document.cookie, localStorage.late, sessionStorage.late, window.name, [...heard],
      await indexedDB.databases(), await caches.keys(), history.state, document.querySelector('input').value,
      navigation.entries().filter(({ url }) => /late|ghost/.test(url)).length];
    document.getElementById('found').textContent = JSON.stringify(found) + ' '.repeat(10) + 'x'.repeat(300); })()</script>`;

  test.each([
    ["a plain page", "", {}],
    [
      "one that forbids inline scripts",
      "<meta http-equiv=Content-Security-Policy content=\"script-src 'self'; worker-src blob:\">",
      {},
    ],
    ["one with trusted types", "", { "content-security-policy": "require-trusted-types-for 'script'" }],
    [
      "one in a sandbox of its origin",
      "",
      { "content-security-policy": "sandbox allow-scripts allow-same-origin" },
    ],
    [
      "one that names elements as what is called",
      "<a id=addEventListener></a><a id=location></a><form name=createElement></form>",
      {},
    ],
  ])("whatever still runs in %s writes nothing for the next page of its key", async (_, head, headers) => {
    const state = await startSite({
      "/ghosts": { headers: { "content-type": "text/html", ...headers }, body: ghosts(head) },
      "/ghosts.js": { headers: { "content-type": "text/javascript" }, body: ghostScript },
      "/hold": (_, response) => void setTimeout(() => response.end("held"), 300),
      "/slow": (_, response) =>
        void setTimeout(() => response.setHeader("content-type", "text/html").end(ghosts(head)), 400),
      "/find": findGhosts,
    });
    for (const path of ["/ghosts", "/ghosts?leave=350"]) {
      await render(pool, `${state.url}${path}`, { tenant: "ghosts" });
      const { html } = await render(pool, `${state.url}/find`, { tenant: "ghosts" });
      expect(/\[.*\]/.exec(html)?.[0]).toBe('["held","",null,null,"",[],[],[],null,"",0]');
    }
    const next = state.hits.filter(({ url }) => url === "/find");
    expect(next.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
    await state.close();
  });

  test.each([
    [
      "has written its history 250 times",
      "for (let n = 0; n < 250; n++) history.replaceState(null, '', '?' + n)",
    ],
    ["computes without end when it is left", "onpagehide = onunload = () => { for (;;); }"],
    ["asks whether it may be left", "onbeforeunload = event => event.preventDefault()"],
  ])("a page that %s keeps its context for the next one of its key", async (_, script) => {
    const state = await startSite({ "/left": `<body><p>left</p><script>${script}</script>` });
    const lease = { tenant: "context", skipTlsVerification: true };
    const contextNow = () =>
      pool.run(lease, AbortSignal.timeout(60_000), async ({ target }) => target.browserContext());
    const before = await contextNow();
    await render(pool, `${state.url}/left`, { tenant: "context" });
    expect(await contextNow()).toBe(before);
    await state.close();
  });

  test("no handler of a page asks for anything when it is left", async () => {
    const state = await startSite({
      "/left": `<body><p>left</p><script>
        for (const event of ['beforeunload', 'pagehide', 'unload', 'visibilitychange', 'freeze', 'pageswap'])
          for (const target of [window, document])
            target.addEventListener(event, () => {
              navigator.serviceWorker.register('/worker.js?' + event); navigator.sendBeacon('/beacon?' + event);
              fetch('/last?' + event, { keepalive: true }); new Image().src = '/image?' + event;
            }, true);
      </script>`,
      "/next": "<body><p>next</p><script>onload = () => fetch('/hold')</script>",
      "/hold": (_, response) => void setTimeout(() => response.end("held"), 500),
    });
    for (const path of ["/left", "/next", "/left", "/next"])
      await render(pool, state.url + path, { tenant: "left" });
    const own = ["/left", "/next", "/hold"];
    expect(state.hits.map(({ url }) => url)).toEqual([...own, ...own]);
    await state.close();
  });

  test("whatever still runs in a page writes nothing for the next one of its key, and says nothing to it", async () => {
    const state = await startSite({
      "/haunt": `<body><p>haunts</p><script>
        const write = () => {
          document.cookie = 'late=1; path=/'; localStorage.late = '1'; sessionStorage.late = '1'; window.name = 'late';
          indexedDB.open('page'); caches.open('page'); channel.postMessage('page');
        };
        const channel = new BroadcastChannel('ghosts');
        // Often enough to fall between any two steps, and seldom enough not to be ended for keeping the browser busy.
        setInterval(write, 100);
        const again = work => work().catch(() => 0).then(() => { write(); setTimeout(() => again(work), 50); });
        again(() => fetch('/none'));
        for (const event of ['beforeunload', 'pagehide', 'unload', 'visibilitychange', 'freeze'])
          for (const target of [window, document])
            target.addEventListener(event, () => { write(); navigator.sendBeacon('/beacon'); fetch('/last', { keepalive: true }); });
        navigation?.addEventListener('navigate', event => event.preventDefault());
        const ghost = "const write = () => { indexedDB.open(self.name); caches.open(self.name); channel.postMessage(self.name) };"
          + "const channel = new BroadcastChannel('ghosts'); write(); setInterval(write, 100)";
        const url = URL.createObjectURL(new Blob([ghost], { type: 'text/javascript' }));
        new Worker(url, { name: 'worker' });
        new SharedWorker(url, { name: 'shared' });
        navigator.serviceWorker?.register('/sw.js');
        onload = () => fetch('/hold');
      </script>`,
      "/sw.js": {
        headers: { "content-type": "text/javascript" },
        body: "onfetch = e => e.respondWith(new Response('from the worker')); setInterval(() => new BroadcastChannel('ghosts').postMessage('service'), 100)",
      },
      "/hold": (_, response) => void setTimeout(() => response.end("held"), 500),
      "/find": `<body><pre id=found></pre><script>(async () => {
        const heard = new Set();
        new BroadcastChannel('ghosts').onmessage = ({ data }) => heard.add(data);
        const held = await (await fetch('/hold')).text();
        const found = [held, document.cookie, localStorage.late, sessionStorage.late, window.name, [...heard],
          await indexedDB.databases(), await caches.keys(), (await navigator.serviceWorker?.getRegistrations() ?? []).length];
        document.getElementById('found').textContent = JSON.stringify(found) + ' '.repeat(10) + 'x'.repeat(300); })()</script>`,
    });
    for (let round = 0; round < 2; round++) {
      await render(pool, `${state.url}/haunt`, { tenant: "haunted" });
      const { html } = await render(pool, `${state.url}/find`, { tenant: "haunted" });
      expect(/\[.*\]/.exec(html)?.[0]).toBe('["held","",null,null,"",[],[],[],0]');
    }
    const next = state.hits.filter(({ url }) => url === "/find");
    expect(next.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
    await state.close();
  });
});
