import { type Site, startSite } from "../support/http-site.ts";
import type { Reply } from "../support/magpie.ts";
import { until } from "../support/until.ts";
import type { WatchesWorld } from "./watches.suite.ts";

/** Of the installation. */
export const aimedIntervalMs = 1000;

interface WatchEvent {
  type: string;
  data: { source: { id: string; externalId: string }; change?: { added: string[]; removed: string[] } };
}

interface Row {
  id: string;
  externalId: string;
  problem: string | null;
  options?: Record<string, unknown>;
}

/** Watches that are polled all the time. */
export function aimedWatchesSuite(worldOf: () => WatchesWorld): void {
  let site: Site;
  let made = 0;
  /** What the shop page says of its price, and whether it says anything. */
  let price: string | undefined = "49 euros";
  let advert = "Lamps for everybody";

  /** Letters for a number: words, which no rule takes for a counter. */
  function word(n: number): string {
    return [...String(n)].map(digit => "abcdefghij"[Number(digit)]).join("");
  }

  let turns = 0;

  beforeAll(async () => {
    site = await startSite((request, response) => {
      const path = (request.url ?? "/").split("?")[0];
      const body = path === "/turns" ? turning() : path === "/feed" ? feed : shop();
      const type = path === "/feed" ? "application/rss+xml" : "text/html";
      response.writeHead(200, { "content-type": type }).end(body);
    });
  });

  afterAll(() => site.close());

  /** Another text at each request, the same in both parts. */
  function turning(): string {
    turns += 1;
    const name = `turn ${word(turns)} of the wheel`;
    return `<!doctype html><title>Wheel</title><main><h1>The wheel of the harbour</h1>
    <p class="left">On the left it says ${name} to all who pass by.</p>
    <p class="right">On the right it says ${name} to all who pass by.</p></main>`;
  }

  function shop(): string {
    return `<!doctype html><title>Lamp</title><main><h1>A brass lamp</h1>
    <p>It hangs in the window of the shop at the harbour, and is lit each evening.</p>
    <p class="teaser">${advert}</p>${price === undefined ? "" : `<p class="price">${price}</p>`}</main>`;
  }

  const feed = `<rss version="2.0"><channel><title>News</title><link>https://example.com/</link><description>d</description>
  <item><guid>1</guid><title>One</title></item></channel></rss>`;

  async function newKey(): Promise<string> {
    made += 1;
    const body = { owner: `w${made}`, name: "n" };
    const reply = await worldOf().magpie.request("POST", "/internal/keys", { admin: true, body });
    return reply.json<{ data: { key: string } }>().data.key;
  }

  function track(key: string, sid: string, options?: object, kind = "web"): Promise<Reply> {
    return worldOf().magpie.request("POST", `/track/${kind}`, {
      key,
      body: { sid, ...(options && { options }) },
    });
  }

  function change(key: string, iid: string, options: object): Promise<Reply> {
    return worldOf().magpie.request("PATCH", "/track/web", { key, body: { iid, options } });
  }

  async function eventsOf(key: string): Promise<WatchEvent[]> {
    const reply = await worldOf().magpie.request("GET", "/events?after=0&limit=100", { key });
    return reply.json<{ data: WatchEvent[] }>().data;
  }

  async function addedOf(key: string): Promise<string[]> {
    return (await eventsOf(key)).flatMap(({ data }) => data.change?.added ?? []);
  }

  async function rowOf(key: string): Promise<Row | undefined> {
    return (await worldOf().magpie.request("GET", "/track", { key })).json<{ data: Row[] }>().data[0];
  }

  const idOf = (reply: Reply) => reply.json<{ data: { id: string } }>().data.id;

  test("two keys with other selectors on one page: each hears of its own part, of the same looks", async () => {
    const [left, right] = [await newKey(), await newKey()];
    expect((await track(left, `${site.url}/turns`, { select: [".left"] })).status).toBe(201);
    expect((await track(right, `${site.url}/turns`, { select: ["//p[@class='right']"] })).status).toBe(201);
    const told = async (key: string) =>
      (await addedOf(key)).map(line => /turn (\w+) of/.exec(line)?.[1]).filter(name => name !== undefined);
    await until("both have heard of several turns", async () => {
      const counts = await Promise.all([left, right].map(async key => (await told(key)).length));
      return counts.every(count => count >= 4);
    });
    const [atLeft, atRight] = [await told(left), await told(right)];
    // Had each view its own request, no turn would be told to both.
    const both = atLeft.filter(name => atRight.includes(name));
    expect(both.length).toBeGreaterThanOrEqual(3);
    expect((await addedOf(left)).join()).not.toContain("On the right");
    expect((await addedOf(right)).join()).not.toContain("On the left");
  });

  test("keys with equal options share a source, others do not", async () => {
    const [a, b, c] = [await newKey(), await newKey(), await newKey()];
    const sid = `${site.url}/shop?equal`;
    const first = idOf(await track(a, sid, { select: [".price"], tags: ["lamps"] }));
    expect(idOf(await track(b, sid, { tags: ["other"], select: [".price"] }))).toBe(first);
    expect(idOf(await track(c, sid, { select: [".teaser"] }))).not.toBe(first);
    expect((await rowOf(a))?.options).toEqual({ select: [".price"], tags: ["lamps"] });
  });

  test("a change outside of what is watched is none; one inside is told once", async () => {
    const key = await newKey();
    await track(key, `${site.url}/shop?inside`, { select: [".price"], interval: undefined });
    advert = "Lamps for nobody";
    price = "45 euros";
    await until("the price is told", async () => (await eventsOf(key)).length > 0);
    expect(await eventsOf(key)).toMatchObject([
      { type: "web.page.changed", data: { change: { added: ["45 euros"], removed: ["49 euros"] } } },
    ]);
  });

  test("another view begins with what it shows then, and tells nothing twice", async () => {
    const key = await newKey();
    const id = idOf(await track(key, `${site.url}/shop?changed`));
    const reply = await change(key, id, { select: [".price"] });
    expect(reply.status).toBe(200);
    expect(idOf(reply)).not.toBe(id);
    price = "40 euros";
    await until("it is told", async () => (await eventsOf(key)).length > 0);
    const back = await change(key, idOf(reply), { select: null });
    expect(back.json()).toMatchObject({ data: { id: expect.any(String) } });
    expect((await rowOf(key))?.options).toBeUndefined();
    price = "39 euros";
    await until("the next price is told", async () => (await addedOf(key)).includes("39 euros"));
    const added = await addedOf(key);
    expect(added.filter(line => line === "40 euros")).toHaveLength(1);
    expect((await worldOf().magpie.request("GET", "/users/me", { key })).status).toBe(200);
  });

  test("a selection that finds nothing is a problem of the source, and no change", async () => {
    const key = await newKey();
    await track(key, `${site.url}/shop?empty`, { select: [".price"] });
    price = undefined;
    await until("the problem is named", async () => /\.price/.test((await rowOf(key))?.problem ?? ""));
    expect(await eventsOf(key)).toEqual([]);
    price = "39 euros";
    await until("it is well again", async () => (await rowOf(key))?.problem === null);
    expect(await eventsOf(key)).toEqual([]);
  });

  test("headers and cookies reach the site, are shown as dots, and are one key's alone", async () => {
    const [key, other] = [await newKey(), await newKey()];
    const sid = `${site.url}/shop?secret`;
    const options = { headers: { "x-shop": "s3cr3t-header" }, cookies: { session: "s3cr3t-cookie" } };
    const reply = await track(key, sid, options);
    expect(reply.status).toBe(201);
    expect(reply.text).not.toContain("s3cr3t");
    expect(await rowOf(key)).toMatchObject({
      options: { headers: { "x-shop": "•••" }, cookies: { session: "•••" } },
    });
    const hits = () => site.hits.filter(({ url }) => url === "/shop?secret");
    await until("they are sent", () => hits().some(({ headers }) => headers["x-shop"] === "s3cr3t-header"));
    expect(hits().some(({ headers }) => /session=s3cr3t-cookie/.test(headers.cookie ?? ""))).toBe(true);
    expect(idOf(await track(other, sid, options))).not.toBe(idOf(reply));
  });

  test.each<[string, object, string]>([
    ["web", { interval: "1x" }, "options.interval"],
    ["web", { interval: "400d" }, "options.interval"],
    ["web", { schedule: { time_zone: "Mars/Olympus" } }, "options.schedule.time_zone"],
    ["web", { select: ["p["] }, "options.select.0"],
    ["web", { remove: ["/p["] }, "options.remove.0"],
    ["web", { ignore: ["/(/"] }, "options.ignore.0"],
    ["web", { when: { value: { select: "p" } } }, "options.when.value"],
    ["web", { headers: { host: "other.example" } }, "options.headers.host"],
    ["web", { colour: "red" }, "options.colour"],
    ["rss", { select: ["p"] }, "options.select"],
    ["microblog", { interval: "1h" }, "options.interval"],
  ])("for %s, %j is refused by name", async (kind, options, field) => {
    const reply = await track(await newKey(), `${site.url}/feed`, options, kind);
    const { details } = reply.json<{ details?: { field: string }[] }>();
    expect([reply.status, details?.[0]?.field]).toEqual([400, field]);
  });

  test("a preview says what a watch sees, why it would not tell it, and where one may point", async () => {
    const key = await newKey();
    const preview = async (body: object) =>
      (await worldOf().magpie.request("POST", "/track/web/preview", { key, body })).json<{
        data: Record<string, unknown>;
      }>().data;
    const sid = `${site.url}/shop?preview`;
    expect(await preview({ sid, options: { select: [".price"] } })).toMatchObject({
      text: "39 euros",
      view: { text: "39 euros", would_fire: null },
      outline: null,
    });
    const nothing = await preview({ sid, options: { select: [".nowhere"] }, with_page: true });
    expect(nothing.view).toMatchObject({ would_fire: false, why: expect.stringContaining(".nowhere") });
    expect(nothing.outline).toContainEqual(expect.objectContaining({ text: "39 euros", selector: ".price" }));
    expect(await rowOf(key)).toBeUndefined();
  });

  test("a preview has a picture of the page, where its parts and what is chosen are marked", async () => {
    const key = await newKey();
    const sid = `${site.url}/shop?picture`;
    const body = { sid, options: { select: [".price"], remove: ["//h1"] }, with_picture: true };
    const reply = await worldOf().magpie.request("POST", "/track/web/preview", { key, body });
    const { data } = reply.json<{ data: { outline: { selector: string }[]; picture: PagePicture } }>();
    const { picture, outline } = data;
    const boxOf = (selector: string) => picture.boxes.find(box => box.selector === selector);
    const [price, heading] = [boxOf(".price"), boxOf("//h1")];
    expect([price, heading]).toEqual([expect.anything(), expect.anything()]);
    expect(price?.y).toBeGreaterThanOrEqual((heading?.y ?? 0) + (heading?.height ?? 0));
    expect(outline.filter(({ selector }) => !boxOf(selector))).toEqual([]);
    for (const { x, y, width, height } of picture.boxes)
      expect(x + width <= picture.width && y + height <= picture.height).toBe(true);
    const read = (of: string) =>
      worldOf().magpie.request("GET", `/web/screenshot/${picture.key}`, { key: of });
    expect((await read(key)).status).toBe(200);
    expect((await read(await newKey())).status).toBe(404);
  });
}

/** Written by hand: a change of the wire breaks the test. */
interface PagePicture {
  key: string;
  width: number;
  height: number;
  boxes: { selector: string; x: number; y: number; width: number; height: number }[];
}
