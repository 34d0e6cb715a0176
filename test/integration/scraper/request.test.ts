import { randomBytes } from "node:crypto";
import { RequestError, Server } from "proxy-chain";
import { type Site, startSite } from "../../support/http-site.ts";
import { selfSigned } from "../../support/self-signed.ts";
import { type Job, pngSize, type Scraper, startScraper } from "./scraper.ts";

const proxyPassword = randomBytes(8).toString("hex");
const look = `<!doctype html><title>look</title><body><pre id=p></pre><script>
p.textContent = JSON.stringify({ agent: navigator.userAgent, languages: navigator.languages, width: innerWidth,
  height: innerHeight, touch: navigator.maxTouchPoints > 0, cookie: document.cookie })
</script><script src="/own.js"></script>`;
/** Says when which part of it came. The parts that `?held=` names do not come. */
const slow = `<!doctype html><title>slow</title><body><p id=p>parsed</p><script>
const held = new URLSearchParams(location.search).get("held");
const say = text => { p.textContent += " " + text };
onload = async () => { say("loaded"); await fetch("/part?" + (held === "data" ? "held" : "")); say("data"); };
document.write("<img src='/part?" + (held === "image" ? "held" : "") + "'>");
</script>`;
const script = {
  headers: { "content-type": "text/javascript" },
  body: "document.body.append('from a script')",
};

let site: Site;
let other: Site;
let secure: Site;
let scraper: Scraper;
let forwarders: Forwarder[];
let held: { end(): unknown }[] = [];

beforeAll(async () => {
  secure = await startSite(
    { "/": "<p>sealed</p>", "/page": "<p>sealed</p><script src=/own.js></script>", "/own.js": script },
    selfSigned(),
  );
  other = await startSite({ "/third.js": script });
  site = await startSite({
    "/": "<title>t</title><p>plain</p>",
    "/look": look,
    "/own.js": script,
    "/slow": slow,
    "/part": (request, response) => (request.url?.endsWith("held") ? held.push(response) : response.end()),
    "/third": `<body><p>own</p><script src="${other.url}/third.js"></script><script src="/own.js"></script>`,
    "/secure-part": `<body><p>own</p><script src="${secure.url}/own.js"></script>`,
    "/gate": { status: 302, headers: { location: "/look", "set-cookie": ["gate=open; Path=/"] } },
  });
  forwarders = await Promise.all([1, 2, 3].map(startForwarder));
  const [first, second, open] = forwarders.map(({ port }) => port);
  const closed = await startForwarder();
  await closed.close();
  scraper = await startScraper(
    [site.port, other.port, secure.port, ...forwarders.map(({ port }) => port), closed.port],
    {
      proxies: {
        DE: [first, second].map(port => `http://user:${proxyPassword}@127.0.0.1:${port}`),
        AT: [`http://user:${proxyPassword}@127.0.0.1:${open}`],
        CH: [`http://user:wrong-${proxyPassword}@127.0.0.1:${open}`],
        FR: [`http://user:${proxyPassword}@127.0.0.1:${closed.port}`],
        GB: [closed.port, open].map(port => `http://user:${proxyPassword}@127.0.0.1:${port}`),
      },
    },
  );
});

afterAll(async () => {
  await scraper?.stop();
  await Promise.all([site, other, secure, ...(forwarders ?? [])].map(each => each?.close()));
});

afterEach(() => {
  for (const response of held) response.end();
  held = [];
});

const pageOf = async (path: string, body: Record<string, unknown> = {}): Promise<Job["data"]> =>
  (await scraper.job({ url: site.url + path, ...body })).data;
/** The headers of the last request for a path. */
const headersOf = (of: Site, path: string) => of.hits.findLast(({ url }) => url === path)?.headers ?? {};
const seen = ({ raw_html = "" }: Job["data"]) => JSON.parse(/\{"agent".*\}/.exec(raw_html)?.[0] ?? "{}");
const raw = { output: { formats: ["raw_html"] } };

describe("device, locale and viewport", () => {
  test.each([
    [{}, /X11; Linux.*Chrome\/\d+/, "en-US,en;q=0.9"],
    [{ device: "mobile", locale: "de-AT" }, /Android.*Mobile/, "de-AT,de;q=0.9,en;q=0.8"],
  ])("%j in what the site sees", async (request, agent, languages) => {
    await pageOf("/", { request });
    expect(headersOf(site, "/")).toMatchObject({
      "user-agent": expect.stringMatching(agent),
      "accept-language": languages,
    });
  });

  test.each([
    [{}, {}, /X11; Linux/, { languages: ["en-US", "en"], width: 1280, height: 800, touch: false }],
    [{ device: "mobile" }, {}, /Mobile/, { touch: true }],
    [{ locale: "pt_BR" }, {}, /X11/, { languages: ["pt-BR", "pt", "en"] }],
    [{}, { viewport: { width: 640, height: 480 } }, /X11/, { width: 640, height: 480 }],
  ])("%j %j in what its scripts see", async (request, js_render, agent, expected) => {
    const found = seen(await pageOf("/look", { ...raw, request, js_render }));
    expect(found).toMatchObject(expected);
    expect(found.agent).toMatch(agent);
    // The document and its parts come from one and the same visitor.
    expect(headersOf(site, "/own.js")["user-agent"]).toBe(found.agent);
    expect(headersOf(site, "/look")["user-agent"]).toBe(found.agent);
  });

  test("a picture has the size of the viewport", async () => {
    const js_render = { viewport: { width: 640, height: 480 } };
    const { screenshot } = await pageOf("/", { output: { formats: ["screenshot"] }, js_render });
    const png = await fetch(`${scraper.url}/web/screenshot/${screenshot}`, {
      headers: { "x-api-key": scraper.apiKey },
    });
    expect(pngSize(new Uint8Array(await png.arrayBuffer()))).toEqual([640, 480]);
  });
});

describe("cookies and headers", () => {
  test.each<[string, unknown]>([
    ["a map", { a: "1", b: "2" }],
    [
      "a list",
      [
        { name: "a", value: "1" },
        { name: "b", value: "2", path: "/", domain: "127.0.0.1" },
      ],
    ],
  ])("cookies as %s reach the site and the page's scripts", async (_, cookies) => {
    await pageOf("/", { request: { cookies } });
    expect(headersOf(site, "/").cookie).toBe("a=1; b=2");
    const data = await pageOf("/look", { ...raw, request: { cookies } });
    expect(seen(data).cookie).toBe("a=1; b=2");
    expect(headersOf(site, "/own.js").cookie).toBe("a=1; b=2");
  });

  test("a cookie keeps to its path, and httpOnly from scripts", async () => {
    const cookies = [
      { name: "deep", value: "1", path: "/deep" },
      { name: "hidden", value: "2", httpOnly: true },
    ];
    const data = await pageOf("/look", { ...raw, request: { cookies } });
    expect(seen(data).cookie).toBe("");
    expect(headersOf(site, "/look").cookie).toBe("hidden=2");
  });

  test("a cookie that is set on the way is there in the browser", async () => {
    const data = await pageOf("/gate", raw);
    expect(data.metadata.final_url).toBe(`${site.url}/look`);
    expect(seen(data).cookie).toBe("gate=open");
  });

  test("headers reach the site, for the page and its parts, and no other site", async () => {
    const headers = { Authorization: "Bearer of-the-user", "x-trace": "ü".normalize() };
    await pageOf("/third", { request: { headers } });
    for (const path of ["/third", "/own.js"])
      expect(headersOf(site, path)).toMatchObject({ authorization: "Bearer of-the-user" });
    expect(headersOf(site, "/third")["x-trace"]).toBe("ü");
    expect(other.hits.length).toBeGreaterThan(0);
    expect(other.hits.filter(hit => hit.headers.authorization)).toEqual([]);
  });

  test("a cookie header is a header like any other", async () => {
    await pageOf("/look", { request: { headers: { Cookie: "session=s1" }, cookies: { a: "1" } } });
    for (const path of ["/look", "/own.js"])
      expect(headersOf(site, path).cookie?.split("; ").sort()).toEqual(["a=1", "session=s1"]);
  });

  test("of two scrapes with one key, the second does not have what the first sent or was given", async () => {
    await pageOf("/gate", { request: { cookies: { a: "1" }, headers: { "x-first": "1" } } });
    expect(seen(await pageOf("/look", raw)).cookie).toBe("");
    for (const path of ["/look", "/own.js"]) {
      expect(headersOf(site, path).cookie).toBeUndefined();
      expect(headersOf(site, path)["x-first"]).toBeUndefined();
    }
  });
});

describe("wait_until", () => {
  test.each([
    ["domcontentloaded", "?held=image", "parsed"],
    ["load", "?held=data", "parsed loaded"],
    ["networkidle", "", "parsed loaded data"],
    [undefined, "", "parsed loaded data"],
  ])("%s on /slow%s reads %j", async (wait_until, query, text) => {
    const { markdown } = await pageOf(`/slow${query}`, { js_render: { wait_until } });
    expect(markdown).toContain(text);
    expect(markdown?.includes("loaded")).toBe(text.includes("loaded"));
    expect(markdown?.includes("data")).toBe(text.includes("data"));
  });
});

describe("skip_tls_verification", () => {
  const picture = { output: { formats: ["screenshot"] } };

  test.each([
    ["plain", "/", {}],
    ["rendered", "/page", {}],
    ["for a picture", "/", picture],
  ])("by default a bad certificate is taken; with false it is a tls_error: %s", async (_, path, extras) => {
    const url = secure.url + path;
    expect((await scraper.job({ url, ...extras })).data.metadata.status_code).toBe(200);
    const [status, code] = await scraper.refusal({
      url,
      ...extras,
      request: { skip_tls_verification: false },
    });
    expect([status, code]).toEqual([502, "tls_error"]);
  });

  test.each([true, false])("it holds for the parts of a page too: %j", async skip_tls_verification => {
    const { markdown } = await pageOf("/secure-part", { request: { skip_tls_verification } });
    expect(markdown?.includes("from a script")).toBe(skip_tls_verification);
  });
});

describe("proxy", () => {
  const used = () => forwarders.map(({ targets }) => targets.length);

  test.each(["AT", "at"])("location %s: page and parts go through that country's proxy", async location => {
    const [, , at] = forwarders;
    const before = at?.targets.length ?? 0;
    const plain = await pageOf("/", { proxy: { location } });
    expect(plain.metadata).toMatchObject({ proxy_location: "AT", engine: "http" });
    const rendered = await pageOf("/third", { proxy: { location } });
    expect(rendered.metadata).toMatchObject({ proxy_location: "AT", engine: "browser" });
    expect(rendered.markdown).toContain("from a script");
    const sealed = await scraper.job({ url: `${secure.url}/page`, proxy: { location } });
    expect(sealed.data.markdown).toContain("from a script");
    const targets = [site, other, secure].map(({ port }) => `127.0.0.1:${port}`);
    expect(new Set(at?.targets.slice(before))).toEqual(new Set(targets));
  });

  test.each([{}, { location: "US" }, { location: "JP" }])(
    "%j has no proxy: directly, and null",
    async proxy => {
      const before = used();
      expect((await pageOf("/", { proxy })).metadata.proxy_location).toBeNull();
      expect((await pageOf("/look", { proxy })).metadata.proxy_location).toBeNull();
      expect(used()).toEqual(before);
    },
  );

  test("a sticky session keeps to one proxy, plain and rendered", async () => {
    const before = used();
    const proxy = { location: "DE", sticky_session: "basket-1" };
    for (const path of ["/", "/look", "/", "/look", "/"])
      expect((await pageOf(path, { proxy })).metadata.proxy_location).toBe("DE");
    const grown = used().filter((count, at) => count > (before[at] ?? 0));
    expect(grown).toHaveLength(1);
  });

  test("sticky sessions of different names are spread", async () => {
    const before = used();
    for (let name = 0; name < 16; name++)
      await pageOf("/", { proxy: { location: "DE", sticky_session: `name-${name}` } });
    const grown = used().filter((count, at) => count > (before[at] ?? 0));
    expect(grown).toHaveLength(2);
  });

  test("a proxy that does not serve costs no scrape where the country has another", async () => {
    for (let n = 0; n < 8; n += 1)
      expect((await pageOf("/", { proxy: { location: "GB" } })).metadata.proxy_location).toBe("GB");
    const { text } = await scraper.request("GET", "/metrics");
    expect(text).toContain('magpie_proxies{country="GB",state="resting"} 1');
  });

  test.each(["FR", "CH"])(
    "a proxy that does not serve (%s) fails the scrape, and reveals no secret",
    async location => {
      const before = site.hits.length;
      const reply = await scraper.scrape({ url: `${site.url}/`, proxy: { location } });
      expect([reply.status, reply.json().code]).toEqual([502, "target_unreachable"]);
      expect(reply.text).not.toContain(proxyPassword);
      expect(site.hits).toHaveLength(before);
    },
  );
});

interface Forwarder {
  port: number;
  /** `host:port` of every connection and request that it was asked for. */
  targets: string[];
  close(): Promise<void>;
}

/** A forward proxy that wants its password. */
async function startForwarder(): Promise<Forwarder> {
  const targets: string[] = [];
  const server = new Server({
    host: "127.0.0.1",
    port: 0,
    prepareRequestFunction: ({ hostname, port, password }) => {
      if (password !== proxyPassword) throw new RequestError("Proxy credentials required", 407);
      targets.push(`${hostname}:${port}`);
      return {};
    },
  });
  await server.listen();
  return { port: server.port, targets, close: () => server.close(true) };
}
