import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { type RefusalRule, refusalMessage } from "../../../services/domain/url/refusals.ts";
import {
  type FetchedPage,
  type FetchOptions,
  fetchPage,
} from "../../../services/scraper/fetch/fetch-page.ts";
import { fakeDns } from "../../support/dns.ts";
import { type Handler, type Site, startSite } from "../../support/http-site.ts";
import { selfSigned } from "../../support/self-signed.ts";

const megabyte = 1024 ** 2;
const redirect = (location: string, status = 302, cookie: string[] = []) => ({
  status,
  headers: { location, "set-cookie": cookie },
});
const endless: Handler = (_request, response) => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
};

let site: Site;
let other: Site;
let egress: Egress;

beforeAll(async () => {
  site = await startSite({
    "/": "<p>home",
    "/echo": (request, response) => response.end(JSON.stringify(request.headers)),
    "/missing": { status: 404, headers: { "content-type": "text/plain", "x-a": ["1", "2"] }, body: "gone" },
    "/untyped": (_request, response) => response.end("bare"),
    "/301": redirect("/302", 301),
    "/302": redirect("303", 302),
    "/303": redirect("/307#there", 303),
    "/307": redirect("/308", 307),
    "/308": redirect("/", 308),
    "/unicode": redirect("/caf\u00c3\u00a9"),
    "/caf%C3%A9": "café",
    "/no-location": { status: 302, body: "stay" },
    "/self": redirect("/self"),
    "/ping": redirect("/pong"),
    "/pong": redirect("/ping"),
    "/down": (request, response) => {
      const left = Number(new URL(request.url ?? "", "http://a").searchParams.get("n"));
      const location = left > 1 ? `/down?n=${left - 1}` : "/";
      response.writeHead(302, { location }).end();
    },
    "/gate": (request, response) => {
      if (request.headers.cookie?.includes("seen=1")) return response.end("inside");
      response.writeHead(302, { location: "/gate", "set-cookie": "seen=1" }).end();
    },
    "/leads": (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html", "set-cookie": "seen=1" })
        .end("<meta http-equiv=refresh content='0;url=/gate'>"),
    "/circles": (_request, response) => response.writeHead(302, { location: "/circle" }).end(),
    "/circle": (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<meta http-equiv=refresh content='0;url=/circles'><p>round</p>"),
    "/to-private": redirect("http://10.0.0.1/"),
    "/to-metadata": redirect("http://169.254.169.254/latest"),
    "/to-file": redirect("file:///etc/passwd"),
    "/to-decimal": redirect("http://167772161/"),
    "/to-inner-name": redirect("http://inner.example/"),
    "/to-credentials": redirect("http://user:password@a.example/"),
    "/to-nowhere": redirect("http://[broken/"),
    "/to-long": redirect(`/${"a".repeat(3000)}`),
    "/gzip": { headers: { "content-encoding": "gzip" }, body: gzipSync("packed") },
    "/x-gzip": { headers: { "content-encoding": "x-gzip" }, body: gzipSync("packed") },
    "/br": { headers: { "content-encoding": "br" }, body: brotliCompressSync("packed") },
    "/zstd": { headers: { "content-encoding": "zstd" }, body: zstdCompressSync("packed") },
    "/deflate": { headers: { "content-encoding": "deflate" }, body: deflateSync("packed") },
    "/deflate-raw": { headers: { "content-encoding": "deflate" }, body: deflateRawSync("packed") },
    "/twice": { headers: { "content-encoding": "gzip, br" }, body: brotliCompressSync(gzipSync("packed")) },
    "/unknown-coding": { headers: { "content-encoding": "utf-8" }, body: "packed" },
    "/empty-gzip": { headers: { "content-encoding": "gzip" }, body: "" },
    "/cut-gzip": {
      headers: { "content-encoding": "gzip" },
      body: gzipSync("packed".repeat(99)).subarray(0, -6),
    },
    "/not-gzip": { headers: { "content-encoding": "gzip" }, body: "no gzip at all" },
    "/five-codings": { headers: { "content-encoding": "gzip,gzip,gzip,gzip,gzip" }, body: "x" },
    "/bomb-gzip": { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(50 * megabyte)) },
    "/bomb-br": {
      headers: { "content-encoding": "br" },
      body: brotliCompressSync(Buffer.alloc(50 * megabyte)),
    },
    "/bomb-zstd": {
      headers: { "content-encoding": "zstd" },
      body: zstdCompressSync(Buffer.alloc(50 * megabyte)),
    },
    "/bomb-nested": {
      headers: { "content-encoding": "gzip, gzip" },
      body: gzipSync(gzipSync(Buffer.alloc(50 * megabyte))),
    },
    "/exact": { body: Buffer.alloc(megabyte, "x") },
    "/one-more": (_request, response) => response.end(Buffer.alloc(megabyte + 1, "x")),
    "/gigabyte": (_request, response) => {
      response.writeHead(200, { "content-length": 1024 ** 3 });
      response.write("a");
    },
    "/endless": endless,
    "/silent": () => undefined,
    "/drip": (_request, response) => {
      const timer = setInterval(() => response.write("."), 5);
      response.on("close", () => clearInterval(timer));
    },
    "/half": (_request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half", () => response.destroy());
    },
    "/set-and-go": (_request, response) => {
      const cookies = [
        "a=1",
        "b=2; Domain=a.example",
        "c=3; Secure",
        "d=4; Path=/elsewhere",
        "e=5; Domain=other.example",
      ];
      response.writeHead(302, { location: "/echo", "set-cookie": cookies }).end();
    },
    "/set-and-leave": (_request, response) => {
      const location = `http://www.a.example:${site.port}/echo`;
      response.writeHead(302, { location, "set-cookie": ["a=1", "b=2; Domain=a.example"] }).end();
    },
    "/leave": (_request, response) => response.writeHead(302, { location: `${other.url}/echo` }).end(),
    "/leave-and-return": (_request, response) =>
      response.writeHead(302, { location: `${other.url}/return` }).end(),
  });
  other = await startSite({
    "/echo": (request, response) => response.end(JSON.stringify(request.headers)),
    "/return": (_request, response) => response.writeHead(302, { location: `${site.url}/echo` }).end(),
  });
  const { lookup } = fakeDns({
    "a.example": ["127.0.0.1"],
    "www.a.example": ["127.0.0.1"],
    "inner.example": ["10.1.2.3"],
  });
  egress = createEgress({ allow: ["127.0.0.1/32"], lookup });
});

afterAll(async () => {
  await egress.close();
  await Promise.all([site.close(), other.close()]);
});

const get = (url: string, options: Partial<FetchOptions> = {}): Promise<FetchedPage> =>
  fetchPage(url.startsWith("/") ? site.url + url : url, {
    egress,
    headers: {},
    signal: AbortSignal.timeout(60_000),
    maxBytes: megabyte,
    skipTlsVerification: false,
    ...options,
  });
const codeFrom = (url: string, options?: Partial<FetchOptions>): Promise<string | undefined> =>
  get(url, options).then(
    page => `status ${page.status}`,
    (error: unknown) => codeOf(error) ?? String(error),
  );
const echoed = (page: FetchedPage) => JSON.parse(page.body.toString()) as Record<string, string>;

describe("an answer", () => {
  test("comes with status, type, headers and bytes", async () => {
    expect(await get("/missing")).toEqual({
      status: 404,
      finalUrl: `${site.url}/missing`,
      permanentUrl: `${site.url}/missing`,
      redirects: [],
      headers: expect.objectContaining({ "content-type": "text/plain", "x-a": "1, 2" }),
      contentType: "text/plain",
      body: Buffer.from("gone"),
      setCookies: [],
    });
  });

  test("may lack a type", async () => expect((await get("/untyped")).contentType).toBe(""));

  test("by name is fetched from the address that was vetted", async () => {
    const page = await get(`http://a.example:${site.port}/echo`);
    expect(echoed(page).host).toBe(`a.example:${site.port}`);
  });

  test("connections are kept alive", async () => {
    const ports = new Set<number | undefined>();
    const local = await startSite((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("x");
    });
    for (let i = 0; i < 5; i++) await get(`${local.url}/`);
    expect(ports.size).toBeLessThan(5);
    await local.close();
  });
});

describe("redirects", () => {
  test("of every kind are followed, and the fragment with them", async () => {
    const page = await get("/301");
    expect(page.finalUrl).toBe(`${site.url}/#there`);
    expect(page.redirects).toEqual(
      ["/301", "/302", "/303", "/307#there", "/308#there"].map(path => site.url + path),
    );
    expect(page.body.toString()).toBe("<p>home");
  });

  test.each([
    ["in raw UTF-8", "/unicode", "/caf%C3%A9"],
    ["without a location", "/no-location", "/no-location"],
    ["to itself once a cookie is set", "/gate", "/gate"],
    ["ten of them", "/down?n=10", "/"],
    ["by the page itself, which sets a cookie", "/leads", "/gate"],
    ["by a page in a circle, which is the page then", "/circles", "/circle"],
  ])("%s", async (_, from, to) => expect((await get(from)).finalUrl).toBe(site.url + to));

  test.each([
    ["to itself", "/self", "upstream_error"],
    ["in a circle", "/ping", "upstream_error"],
    ["eleven of them", "/down?n=11", "upstream_error"],
    ["to no URL", "/to-nowhere", "upstream_error"],
    ["to a URL without an end", "/to-long", "upstream_error"],
    ["to a private address", "/to-private", "url_not_allowed"],
    ["to cloud metadata", "/to-metadata", "url_not_allowed"],
    ["to a file", "/to-file", "url_not_allowed"],
    ["to a decimal address", "/to-decimal", "url_not_allowed"],
    ["to a name with a private address", "/to-inner-name", "url_not_allowed"],
    ["to a URL with credentials", "/to-credentials", "url_not_allowed"],
  ])("%s: %s is %s", async (_, path, code) => expect(await codeFrom(path)).toBe(code));

  test.each([
    ["/to-private", "private_address"],
    ["/to-metadata", "link_local_address"],
    ["/to-file", "scheme"],
    ["/to-inner-name", "resolved_address"],
    ["/to-credentials", "credentials"],
  ])("%s is refused by the rule %s, and the message says that it is a redirect", async (path, rule) => {
    await expect(get(path)).rejects.toMatchObject({
      message: refusalMessage([rule as RefusalRule], "redirect"),
      data: { rules: [rule] },
    });
  });
});

describe("headers and cookies", () => {
  const headers = {
    Authorization: "Bearer secret",
    Cookie: "own=1",
    "X-Custom": "mine",
    "User-Agent": "Tester/1",
    "Accept-Language": "de",
    "Accept-Encoding": "identity",
  };
  const everywhere = { "user-agent": "Tester/1", "accept-language": "de" };

  test("all go to the page's own origin", async () => {
    expect(echoed(await get("/echo", { headers }))).toMatchObject({
      ...everywhere,
      authorization: "Bearer secret",
      cookie: "own=1",
      "x-custom": "mine",
      "accept-encoding": "gzip, deflate, br, zstd",
    });
  });

  test("the user's own do not go to another origin", async () => {
    const seen = echoed(await get("/leave", { headers }));
    expect(seen).toMatchObject(everywhere);
    for (const name of ["authorization", "cookie", "x-custom"]) expect(seen).not.toHaveProperty([name]);
  });

  test("back home they are sent again", async () => {
    const page = await get("/leave-and-return", { headers });
    expect(echoed(page)).toMatchObject({ authorization: "Bearer secret", cookie: "own=1" });
    const atOther = other.hits.findLast(hit => hit.url === "/return");
    expect(atOther?.headers).not.toHaveProperty("authorization");
  });

  test("cookies set on the way are kept by domain, path and security", async () => {
    const page = await get(`http://a.example:${site.port}/set-and-go`, { cookies: { given: "0" } });
    expect(echoed(page).cookie?.split("; ").toSorted()).toEqual(["a=1", "b=2", "given=0"]);
    expect(page.setCookies.map(({ value }) => value[0])).toEqual(["a", "b", "c", "d", "e"]);
    expect(page.setCookies[0]?.url).toBe(`http://a.example:${site.port}/set-and-go`);
    expect(page.headers).not.toHaveProperty("set-cookie");
  });

  test("cookies of a domain go to its subdomains, those of a host do not", async () => {
    const cookies = [
      { name: "wide", value: "1", domain: ".a.example" },
      { name: "narrow", value: "1" },
      { name: "theirs", value: "1", domain: "www.a.example" },
      { name: "foreign", value: "1", domain: "b.example" },
      { name: "sealed", value: "1", secure: true },
      { name: "stale", value: "1", expires: 1 },
    ];
    const page = await get(`http://a.example:${site.port}/set-and-leave`, { cookies });
    expect(page.finalUrl).toBe(`http://www.a.example:${site.port}/echo`);
    expect(echoed(page).cookie?.split("; ").toSorted()).toEqual(["b=2", "theirs=1", "wide=1"]);
    const first = site.hits.findLast(hit => hit.url === "/set-and-leave");
    expect(first?.headers.cookie?.split("; ").toSorted()).toEqual(["narrow=1", "wide=1"]);
  });
});

describe("bodies", () => {
  test.each(["/gzip", "/x-gzip", "/br", "/zstd", "/deflate", "/deflate-raw", "/twice", "/unknown-coding"])(
    "%s unfolds",
    async path => expect((await get(path)).body.toString()).toBe("packed"),
  );

  test("an empty one needs no decoding", async () => expect((await get("/empty-gzip")).body.length).toBe(0));
  test("a stream that breaks off yields what it held", async () =>
    expect((await get("/cut-gzip")).body.toString()).toContain("packed"));
  test("the bound itself is within", async () => expect((await get("/exact")).body.length).toBe(megabyte));

  test.each([
    "/one-more",
    "/gigabyte",
    "/endless",
    "/bomb-gzip",
    "/bomb-br",
    "/bomb-zstd",
    "/bomb-nested",
    "/not-gzip",
    "/five-codings",
  ])("%s is an error of the site", async path => expect(await codeFrom(path)).toBe("upstream_error"));

  test.each(["/endless", "/gigabyte"])("%s is left at once", async path => {
    const left = Promise.withResolvers<void>();
    const local = await startSite((request, response) => {
      response.on("close", left.resolve);
      if (path === "/endless") return endless(request, response);
      response.writeHead(200, { "content-length": 1024 ** 3 }).write("a");
    });
    await codeFrom(`${local.url}/`);
    await left.promise;
    await local.close();
  });

  test.each(["/drip", "/silent", "/endless"])(
    "%s ends with the signal, for the signal's reason",
    async path => {
      const reason = new Error("enough");
      const deadline = new AbortController();
      const hits = site.hits.length;
      const page = get(path, { signal: deadline.signal, maxBytes: Number.MAX_SAFE_INTEGER });
      while (site.hits.length === hits) await new Promise(setImmediate);
      deadline.abort(reason);
      await expect(page).rejects.toBe(reason);
    },
  );

  test("an aborted signal sends nothing", async () => {
    const hits = site.hits.length;
    await expect(get("/", { signal: AbortSignal.abort("gone") })).rejects.toBe("gone");
    expect(site.hits.length).toBe(hits);
  });
});

describe("what cannot be reached", () => {
  const tcp = async (onSocket: (socket: Socket) => void): Promise<{ url: string; server: Server }> => {
    const server = createServer(socket => onSocket(socket.on("error", () => socket.destroy())));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
  };

  test.each<[string, (socket: Socket) => void]>([
    ["resets", socket => socket.resetAndDestroy()],
    ["hangs up", socket => socket.end()],
    ["speaks no HTTP", socket => socket.end("220 smtp ready\r\n")],
  ])("a server that %s", async (_, onSocket) => {
    const { url, server } = await tcp(onSocket);
    expect(await codeFrom(url)).toBe("target_unreachable");
    server.close();
  });

  test("a body that breaks off", async () => expect(await codeFrom("/half")).toBe("target_unreachable"));
  test("a name that does not exist", async () =>
    expect(await codeFrom("http://nowhere.example/")).toBe("target_unreachable"));

  test("a closed port", async () => {
    const { url, server } = await tcp(() => undefined);
    server.close();
    await once(server, "close");
    expect(await codeFrom(url)).toBe("target_unreachable");
  });

  test("plain HTTP where TLS is spoken to", async () =>
    expect(await codeFrom(`https://127.0.0.1:${site.port}/`)).toBe("tls_error"));

  test("a kept-alive connection that the server closes as it is used again is replaced", async () => {
    let broken = false;
    const { url, server } = await tcp(socket => {
      let requests = 0;
      socket.on("data", () => {
        requests += 1;
        if (requests < 2 || broken) return socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        broken = true;
        return socket.destroy();
      });
    });
    const local = createEgress({ allow: ["127.0.0.1/32"] });
    while (!broken) expect((await get(url, { egress: local })).body.toString()).toBe("ok");
    await local.close();
    server.close();
  });
});

describe("the guard", () => {
  test.each([
    ["file:///etc/passwd", "url_not_allowed"],
    ["http://localhost/", "url_not_allowed"],
    ["http://10.0.0.1/", "url_not_allowed"],
    ["http://[::ffff:10.0.0.1]/", "url_not_allowed"],
    ["http://inner.example/", "url_not_allowed"],
    ["not a url", "invalid_url"],
  ])("%s is %s", async (url, code) => expect(await codeFrom(url)).toBe(code));

  test("a name with a private address is refused without a word on the address", async () => {
    const error = await get("http://inner.example/").catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      message: refusalMessage(["resolved_address"]),
      data: { rules: ["resolved_address"] },
    });
  });

  test("a name that rebinds reaches nothing that was not vetted", async () => {
    const canary = await startSite({ "/": "secret" });
    const dns = fakeDns({ "rebind.example": [["203.0.113.9", "127.0.0.1"], ["127.0.0.1"]] });
    const strict = createEgress({ allow: [], lookup: dns.lookup });
    const url = `http://rebind.example:${canary.port}/`;
    for (let turn = 0; turn < 3; turn++)
      expect(await codeFrom(url, { egress: strict })).toBe("url_not_allowed");
    expect(canary.hits).toEqual([]);
    expect(dns.asked.length).toBe(3);
    await Promise.all([strict.close(), canary.close()]);
  });

  test("one lookup a connection: the second answer is never connected to", async () => {
    const honest = await startSite({ "/": "honest" });
    // The vetted answer is an address that this machine may use; the later ones lead elsewhere.
    const dns = fakeDns({ "rebind.example": [["127.0.0.1"], ["10.0.0.1"]] });
    const local = createEgress({ allow: ["127.0.0.1/32"], lookup: dns.lookup });
    const page = await get(`http://rebind.example:${honest.port}/`, { egress: local });
    expect(page.body.toString()).toBe("honest");
    expect(dns.asked).toEqual(["rebind.example"]);
    await Promise.all([local.close(), honest.close()]);
  });
});

describe("certificates", () => {
  let secure: Site;

  beforeAll(async () => {
    secure = await startSite({ "/": "sealed" }, selfSigned());
  });
  afterAll(() => secure.close());

  test.each(["127.0.0.1", "a.example"])("one that nobody signed is refused: %s", async host =>
    expect(await codeFrom(`https://${host}:${secure.port}/`)).toBe("tls_error"),
  );

  test.each(["127.0.0.1", "a.example"])(
    "a certificate is taken where verification is skipped: %s",
    async host => {
      const page = await get(`https://${host}:${secure.port}/`, { skipTlsVerification: true });
      expect(page.body.toString()).toBe("sealed");
    },
  );

  test("a connection that skipped verification does not serve one that asks for it", async () => {
    await get(`https://a.example:${secure.port}/`, { skipTlsVerification: true });
    expect(await codeFrom(`https://a.example:${secure.port}/`)).toBe("tls_error");
  });
});
