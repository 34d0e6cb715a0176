import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { type Handler, type Site, startSite } from "../../support/http-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const megabyte = 1024 ** 2;
const prose = "This is the sentence of an ordinary page that anyone may read. ".repeat(12);
const challenge = "<title>Just a moment...</title><p>Checking</p><script>window._cf_chl_opt = {}</script>";
const login =
  "<title>Sign in</title><form action=/login><input name=user><input type=password name=p><button>Sign in</button></form>";
const drip: Handler = (_, response) => {
  response.setHeader("content-type", "text/html");
  const timer = setInterval(() => response.write("<p>."), 20);
  response.on("close", () => clearInterval(timer));
};
const endless: Handler = (_, response) => {
  response.setHeader("content-type", "text/html");
  const chunk = "<p>more and more</p>".repeat(4000);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
};

let site: Site;
let scraper: Scraper;
let canary: Server;
let canaryPort: number;
let connections = 0;
let closedPort: number;

beforeAll(async () => {
  canary = createServer(socket => {
    connections += 1;
    socket.destroy();
  }).listen(0, "0.0.0.0");
  await once(canary, "listening");
  canaryPort = (canary.address() as AddressInfo).port;
  const closed = await startSite({});
  closedPort = closed.port;
  await closed.close();
  const visited = new Set<string | undefined>();
  site = await startSite({
    "/ok": `<title>t</title><p>${prose}</p>`,
    "/script": `<title>t</title><p>${prose}</p><script>document.body.append("shown")</script>`,
    "/silent": () => undefined,
    "/drip": drip,
    "/endless": endless,
    "/loop": "<p>text</p><script>for (;;);</script>",
    "/late-loop": "<p>text</p><script>onload = () => { for (;;); }</script>",
    "/slow-script": "<p>text</p><script src=/silent></script>",
    "/to-self": { status: 302, headers: { location: "/to-self" } },
    "/ping": { status: 307, headers: { location: "/pong" } },
    "/pong": { status: 307, headers: { location: "/ping" } },
    "/gigabyte": (_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": 1024 ** 3 });
      response.write("<p>the first of many");
    },
    "/bomb": {
      headers: { "content-encoding": "gzip" },
      body: gzipSync(Buffer.alloc(64 * megabyte, "<p>bomb</p>")),
    },
    "/heavy": `<title>t</title>${`<p>${prose}</p>`.repeat(40_000)}`,
    "/nodes": `<!doctype html><title>t</title><body>${"<i>x</i>".repeat(500_000)}`,
    "/deep": `<!doctype html><title>t</title><body>${"<div>".repeat(500_000)}x`,
    "/reset": (_, response) => void response.destroy(),
    "/half": (_, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": 1000 });
      response.write("<p>half", () => response.destroy());
    },
    "/broken-gzip": { headers: { "content-encoding": "gzip" }, body: "not gzip" },
    "/challenge": { status: 403, body: challenge },
    "/challenge-once": ({ url }, response) => {
      const isFirst = !visited.has(url);
      visited.add(url);
      response.writeHead(isFirst ? 403 : 200, { "content-type": "text/html" });
      response.end(isFirst ? challenge : `<p>${prose}</p>`);
    },
    "/login": login,
    "/members": login,
    "/private": { status: 302, headers: { location: "/login?next=/private" } },
    "/private-by-script": "<script>location = '/login?next=/private'</script>",
    "/members-by-script": `<body><script>document.body.innerHTML = ${JSON.stringify(login)}</script>`,
    "/to": (request, response) => {
      const location = new URL(request.url ?? "", site.url).searchParams.get("u") ?? "";
      response.writeHead(302, { location }).end();
    },
    "/refresh": (request, response) => {
      const to = new URL(request.url ?? "", site.url).searchParams.get("u") ?? "";
      response.setHeader("content-type", "text/html").end(`<meta http-equiv=refresh content="0;url=${to}">`);
    },
    "/parts": (_, response) =>
      response.setHeader("content-type", "text/html").end(partsOf(`http://127.0.0.1:${canaryPort}`)),
  });
  scraper = await startScraper([site.port, closedPort]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
  canary?.close();
});

/** After a failure the service goes on, plain and rendered. */
afterEach(async () => {
  expect((await scraper.job({ url: `${site.url}/ok` })).data.metadata.engine).toBe("http");
});

const codeOf = async (path: string, body: object = {}) =>
  (await scraper.refusal({ url: path.startsWith("/") ? site.url + path : path, ...body })).slice(0, 2);

describe("408 past the timeout, with the scrape's id", () => {
  test.each(["/silent", "/drip", "/loop", "/slow-script"])("%s", async path => {
    const [status, code, body] = await scraper.refusal({ url: site.url + path, timeout: 1000 });
    expect([status, code]).toEqual([408, "scrape_timeout"]);
    expect(body.scrape_id).toMatch(/^scr_\w{20,}$/);
    expect(body.error).toContain("1000 ms");
    expect((await scraper.job({ url: `${site.url}/script` })).data.markdown).toContain("shown");
  });

  test("a picture of an endless script", async () => {
    const output = { formats: ["screenshot"] };
    expect(await codeOf("/late-loop", { timeout: 1500, output })).toEqual([408, "scrape_timeout"]);
  });
});

describe("502 upstream_error", () => {
  test.each(["/to-self", "/ping", "/gigabyte", "/endless", "/bomb", "/heavy", "/broken-gzip"])(
    "%s",
    async path => {
      expect(await codeOf(path)).toEqual([502, "upstream_error"]);
    },
  );
});

test.each(["/nodes", "/deep"])(
  "a page of very many nodes (%s) is answered, or refused cleanly",
  async path => {
    const reply = await scraper.scrape({ url: site.url + path, timeout: 5000 });
    if (reply.status !== 200) expect([408, 502]).toContain(reply.status);
    else expect(reply.json<{ data: { markdown: string } }>().data.markdown).toContain("x");
  },
);

describe("502 target_unreachable", () => {
  test.each(["/reset", "/half"])("%s", async path => {
    expect(await codeOf(path)).toEqual([502, "target_unreachable"]);
  });

  test.each(["http", "https"])("nobody listens there, or where a page goes on to by %s", async scheme => {
    const nowhere = `${scheme}://127.0.0.1:${closedPort}/`;
    expect(await codeOf(nowhere)).toEqual([502, "target_unreachable"]);
    for (const path of ["/to", "/refresh"])
      expect([path, ...(await codeOf(`${path}?u=${nowhere}`))]).toEqual([path, 502, "target_unreachable"]);
  });
});

describe("502 target_blocked", () => {
  test.each([
    ["/challenge", /check that keeps programs out/],
    ["/members", /login form/],
    ["/private", /login form/],
    ["/members-by-script", /login form/],
    ["/private-by-script", /login form/],
  ])("%s", async (path, sentence) => {
    const [status, code, body] = await scraper.refusal({ url: site.url + path });
    expect([status, code]).toEqual([502, "target_blocked"]);
    expect(body.error).toMatch(sentence);
  });

  test.each(["markdown", "screenshot"])(
    "a site that challenges the plain fetch and lets a browser in is served: %s",
    async format => {
      const output = { formats: [...new Set(["markdown", format])] };
      const { data } = await scraper.job({ url: `${site.url}/challenge-once?${format}`, output });
      expect(data.metadata).toMatchObject({ engine: "browser", status_code: 200 });
      expect(data.markdown).toContain("ordinary page");
    },
  );

  test("a page that was asked for as a login page is no wall", async () => {
    expect((await scraper.job({ url: `${site.url}/login` })).data.metadata.title).toBe("Sign in");
  });
});

describe("400 url_not_allowed, and nothing is fetched", () => {
  const spellings = (port: number) =>
    [
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "0x7f.0.0.1",
      "127.0.0.1.",
      "①②⑦.0.0.1",
      "localhost",
      "LOCALHOST.",
      "a.localhost",
      "0.0.0.0",
      "0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "[fe80::1]",
      "[fd00::1]",
      "metadata.google.internal",
      "user:password@127.0.0.1",
      "user@a.example",
    ].map(host => `http://${host}:${port}/`);
  const schemes = [
    "file:///etc/passwd",
    "data:text/html,<p>x",
    "chrome://version/",
    "about:blank",
    "blob:http://a.example/1",
    "ftp://a.example/",
    "ws://a.example/",
    "view-source:http://a.example/",
    "javascript:alert(1)",
  ];

  afterEach(() => {
    expect(connections).toBe(0);
  });

  test("every spelling of what is not public, plain and for a picture", async () => {
    const output = { formats: ["screenshot"] };
    for (const url of spellings(canaryPort))
      for (const extras of [{}, { output }])
        expect([url, ...(await codeOf(url, extras))]).toEqual([url, 400, "url_not_allowed"]);
  });

  test("every scheme but http and https", async () => {
    for (const url of schemes)
      expect([url, ...(await scraper.refusal({ url })).slice(0, 2)]).toEqual([url, 400, "url_not_allowed"]);
  });

  test.each([
    ["http://127.0.0.1/", "loopback_address"],
    ["http://10.0.0.1/", "private_address"],
    ["file:///etc/passwd", "scheme"],
  ])("the answer for %s names the rule %s and the field", async (url, rule) => {
    const [, , body] = await scraper.refusal({ url });
    expect(body.rules).toEqual([rule]);
    expect(body.error).toMatch(/^This URL is not allowed: .*\.$/);
    // That page is no help for a scheme.
    expect(body.error.includes("/guide/your-own-network")).toBe(rule !== "scheme");
    expect(body.details).toEqual([{ field: "url", code: "url_not_allowed", message: body.error }]);
  });

  test.each([
    ["/to", "http://10.0.0.1/inner", "The page redirects to"],
    ["/refresh", "http://10.0.0.1/inner", "The page leads to"],
  ])(
    "the answer for a page that leads there by %s says so, and not where it leads",
    async (path, target, says) => {
      const [status, , body] = await scraper.refusal({
        url: `${site.url}${path}?u=${encodeURIComponent(target)}`,
      });
      expect([status, body.rules]).toEqual([400, ["private_address"]]);
      expect(body.error).toContain(
        `${says} a URL that is not allowed: its address belongs to a private network.`,
      );
      expect(JSON.stringify(body)).not.toContain("10.0.0.1");
    },
  );

  test.each(["/to", "/refresh"])("where %s leads", async path => {
    const targets = [
      ...[0, 2, 8, 13, 15, 22].flatMap(at => spellings(canaryPort)[at] ?? []),
      `https://127.0.0.1:${canaryPort}/`,
      ...(path === "/to" ? schemes.slice(0, 4) : []),
    ];
    for (const target of targets) {
      const url = `${site.url}${path}?u=${encodeURIComponent(target)}`;
      expect([target, ...(await codeOf(url))]).toEqual([target, 400, "url_not_allowed"]);
    }
  });

  test("the parts of a page that lie there are left out", async () => {
    const { data } = await scraper.job({
      url: `${site.url}/parts`,
      output: { formats: ["markdown", "screenshot"] },
    });
    expect(data.markdown).toContain("the page itself");
    expect(data.markdown).toContain("fetch failed");
  });
});

/** A page with everything that makes a browser connect somewhere. */
function partsOf(target: string): string {
  return `<!doctype html><title>t</title><link rel=stylesheet href="${target}/style">
  <link rel=preconnect href="${target}"><link rel=prefetch href="${target}/prefetch">
  <body><p>the page itself</p><img src="${target}/image"><iframe src="${target}/frame"></iframe>
  <video src="${target}/video"></video><object data="${target}/object"></object><p id=p></p>
  <script src="${target}/script"></script><script>
  fetch("${target}/fetch").then(() => p.append("fetch succeeded"), () => p.append("fetch failed"));
  navigator.sendBeacon("${target}/beacon"); new EventSource("${target}/events");
  new WebSocket("${target.replace("http", "ws")}/socket"); new Worker(URL.createObjectURL(new Blob(["fetch('${target}/worker')"])));
  </script>`;
}
