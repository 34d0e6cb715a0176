import {
  openSiteWorld,
  origin,
  pageOf,
  type SiteWorld,
  sitemapOf,
  type TrackedView,
} from "../../../support/site-world.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
let world: SiteWorld;
let tracked: TrackedView;

beforeEach(() => {
  world = openSiteWorld();
});
afterEach(() => world.close());

const names = Array.from({ length: 12 }, (_, n) => `/docs/${String.fromCharCode(97 + n)}`);
const lastmods: Record<string, number | null> = {};

/** A site of an entry page and twelve others, with a sitemap. */
function build(parts: Parameters<typeof pageOf>[1] = {}): void {
  for (const path of Object.keys(lastmods)) delete lastmods[path];
  world.answers.set("/robots.txt", `User-agent: *\nDisallow: /private/\nSitemap: ${origin}/sitemap.xml\n`);
  put("/", { ...parts, links: names });
  for (const path of names) put(path, parts);
}

/** Writes a page, and says so in the sitemap. */
function put(path: string, parts: Parameters<typeof pageOf>[1] = {}, name = path): void {
  lastmods[path] = world.now - 1000 * (Object.keys(lastmods).length + 1);
  world.answers.set(path, pageOf(`Page ${name}`, parts));
  list();
}

function list(): void {
  world.answers.set("/sitemap.xml", sitemapOf(lastmods));
}

function unlist(path: string): void {
  delete lastmods[path];
  list();
}

/** What was told, in short. */
function told(posts = world.posts): string[] {
  return posts.map(({ type, data }) => {
    const { page, from, to, change } = data as {
      page?: { url: string };
      from?: string;
      to?: string;
      change?: { kind?: string; added: string[]; removed: string[] };
    };
    const short = (url = "") => url.replace(origin, "");
    if (type === "site.page.moved") return `moved ${short(from)} to ${short(to)}`;
    if (page) return `${type.replace("site.page.", "")} ${short(page.url)}`;
    return `${change?.kind} +${change?.added.join()} -${change?.removed.join()}`;
  });
}

describe("the baseline", () => {
  test("reads each page once, and tells nothing", async () => {
    build();
    const site = world.track();
    expect(await world.settle(site)).toEqual([]);
    expect([...world.bodies.values()]).toEqual(Array(13).fill(1));
    expect((await world.pages.counts("site-1")).states).toMatchObject({ there: 13, new: 0 });
  });

  test("finds pages by links where there is no sitemap, within the limit, the depth and the patterns", async () => {
    world.answers.set("/", pageOf("Start", { links: ["/a", "/b", "/private/x", "https://other.example/"] }));
    world.answers.set("/robots.txt", "User-agent: *\nDisallow: /private/\n");
    world.answers.set("/a", pageOf("A", { links: ["/c"] }));
    world.answers.set("/b", pageOf("B"));
    world.answers.set("/c", pageOf("C", { links: ["/d"] }));
    world.answers.set("/d", pageOf("D"));
    world.answers.set("/private/x", pageOf("Private"));
    await world.settle(world.track({ max_depth: 2, exclude: ["/b"] }));
    expect([...world.asked.keys()].sort()).toEqual(["/", "/a", "/c"]);
    world.asked.clear();
    await world.settle(world.track({ limit: 2 }));
    expect(world.asked.size).toBe(2);
  });

  test("takes the canonical page in place of its other addresses, and leaves out what is not there", async () => {
    build();
    put("/docs/copy", { head: `<link rel="canonical" href="${origin}/docs/a">` });
    world.answers.set("/docs/b", { to: "/docs/c" });
    world.answers.set("/docs/d", { status: 404 });
    const site = world.track();
    await world.settle(site);
    expect((await world.pages.counts("site-1")).states).toMatchObject({ there: 11, alias: 2, removed: 1 });
    expect(world.posts).toEqual([]);
  });
});

describe("a page that fails in the baseline", () => {
  beforeEach(() => {
    build();
    world.answers.delete("/sitemap.xml");
    world.answers.set("/docs/a", pageOf("A", { links: ["/docs/a/one", "/docs/a/two"] }));
    world.answers.set("/docs/a/one", pageOf("One", { links: ["/docs/a/one/deep"] }));
    for (const path of ["/docs/a/two", "/docs/a/one/deep"]) world.answers.set(path, pageOf(`Page ${path}`));
  });

  test.each(["/", "/docs/a", "/docs/a/one"])("makes no news of what it links to: %s", async path => {
    const usual = world.answers.get(path) ?? "";
    world.answers.set(path, { status: 503 });
    const site = world.track({ interval: "1h" });
    await world.pass(10 * minute, site);
    world.answers.set(path, usual);
    await world.pass(day, site);
    expect((await world.pages.counts("site-1")).states).toMatchObject({ there: 16, new: 0 });
    expect(told()).toEqual([]);
    put("/docs/later");
    world.answers.set("/docs/a/one", pageOf("One", { links: ["/docs/a/one/deep", "/docs/later"] }));
    world.answers.delete("/sitemap.xml");
    expect(told(await world.pass(3 * day, site)).sort()).toEqual(["added /docs/later"]);
  });
});

describe("a round", () => {
  test("asks for little where nothing has changed", async () => {
    build();
    const site = world.track();
    await world.settle(site);
    world.bodies.clear();
    await world.pass(2 * day, site);
    expect(world.bodies.size).toBe(0);
    expect(told()).toEqual([]);
  });

  test("tells a change once, and what is new, where the sitemap says so", async () => {
    build();
    const site = world.track();
    await world.settle(site);
    world.now += hour;
    put("/docs/c", { text: "The larch boxes cost 20 euros from today." });
    put("/docs/new");
    expect(told(await world.pass(hour, site)).sort()).toEqual(["added /docs/new", "changed /docs/c"]);
    expect(told(await world.pass(day, site))).toEqual([]);
  });

  test("finds changes and new pages without a sitemap, each page at its own pace", async () => {
    build();
    world.answers.delete("/sitemap.xml");
    const site = world.track({ interval: "1h" });
    await world.settle(site);
    world.answers.set(
      "/docs/c",
      pageOf("Page /docs/c", { text: "It costs 20 euros.", links: ["/docs/new"] }),
    );
    world.answers.set("/docs/new", pageOf("New"));
    await world.pass(day, site);
    expect(told().sort()).toEqual(["added /docs/new", "changed /docs/c"]);
  });
});

describe("a site at rest", () => {
  /** Has nothing to do but to visit a page each second, for twelve seconds from the next one on. */
  const rest = async () => {
    build();
    tracked = world.track();
    await world.settle(tracked);
    world.now += 10 * minute;
    const marks = names.map((path, n) => ({ key: `site.example${path}`, dueBy: world.now + 1000 * (n + 1) }));
    await world.pages.mark("site-1", 1_000_000, marks);
    world.asked.clear();
  };
  const poll = async () => {
    const [result] = await world.poll(tracked);
    return result?.ok ? result.nextInMs : 0;
  };

  test("visits pages together that fall due one by one", async () => {
    await rest();
    world.now += await poll();
    expect(world.asked.size).toBe(0);
    await poll();
    expect([...world.asked.keys()].sort()).toEqual(names);
  });

  test("does not wait where a page is to be confirmed, or more is to be told", async () => {
    await rest();
    world.answers.set("/docs/a", { status: 404 });
    world.now += 1000;
    const confirmsInMs = await poll();
    expect([...world.asked.keys()]).toContain("/docs/a");
    expect(confirmsInMs).toBeLessThan(minute);
    put("/docs/b", { text: "The larch boxes cost 20 euros from today." });
    world.now += 1000;
    expect(await poll()).toBeLessThan(1000);
    expect(told()).toEqual(["changed /docs/b"]);
  });
});

describe("a page that is not there any more", () => {
  beforeEach(async () => {
    build();
    tracked = world.track();
    await world.settle(tracked);
    world.now += hour;
  });
  const site = () => tracked;

  test.each([404, 410])("is removed where it answers %p twice", async status => {
    world.answers.set("/docs/d", { status });
    unlist("/docs/d");
    expect(told(await world.pass(hour, site()))).toEqual(["removed /docs/d"]);
    expect(told(await world.pass(day, site()))).toEqual([]);
  });

  test("is there again where only one visit missed it", async () => {
    world.answers.set("/docs/d", { status: 404 });
    unlist("/docs/d");
    await world.poll(site());
    put("/docs/d");
    expect(told(await world.pass(day, site()))).toEqual([]);
  });

  test("has not moved to the entry page, whose address other pages lead to as well", async () => {
    world.answers.set("/docs/d", { to: "/" });
    unlist("/docs/d");
    expect(told(await world.pass(30 * minute, site()))).toEqual([]);
    expect(told(await world.pass(3 * hour, site()))).toEqual(["removed /docs/d"]);
  });

  test("is not removed by failures", async () => {
    world.answers.set("/docs/d", { code: "target_unreachable" });
    world.answers.set("/docs/e", { status: 503 });
    unlist("/docs/d");
    expect(told(await world.pass(2 * day, site()))).toEqual([]);
  });

  test("is told as one where it says so with status 200", async () => {
    world.answers.set(
      "/docs/d",
      "<title>Page not found</title><main><h1>404</h1><p>Sorry, this page could not be found.</p></main>",
    );
    unlist("/docs/d");
    expect(told(await world.pass(30 * minute, site()))).toEqual([]);
    expect(told(await world.pass(3 * hour, site()))).toEqual(["removed /docs/d"]);
  });

  test("is not told where the whole site answers so", async () => {
    for (const path of names) world.answers.set(path, { status: 404 });
    world.answers.set("/sitemap.xml", sitemapOf({}));
    expect(told(await world.pass(30 * minute, site()))).toEqual([]);
    for (const path of names) put(path);
    expect(told(await world.pass(day, site()))).toEqual([]);
  });
});

test("pages are not removed where most of the site answers 404 for hours", async () => {
  build();
  const site = world.track();
  await world.settle(site);
  for (const path of names) world.answers.set(path, { status: 404 });
  await world.pass(30 * hour, site);
  for (const path of names) world.answers.set(path, pageOf(`Page ${path}`));
  await world.pass(2 * day, site);
  expect(told()).toEqual([]);
});

describe("a page that has moved", () => {
  beforeEach(async () => {
    build();
    tracked = world.track();
    await world.settle(tracked);
    world.now += hour;
  });
  const site = () => tracked;

  test("by a redirect for good is told at once", async () => {
    world.answers.set("/docs/d", { to: "/docs/d-new" });
    unlist("/docs/d");
    put("/docs/d-new", {}, "/docs/d");
    expect(told(await world.pass(hour, site()))).toEqual(["moved /docs/d to /docs/d-new"]);
  });

  test("by a redirect for now is told an hour later", async () => {
    world.answers.set("/docs/d", { to: "/docs/d-new", status: 302 });
    unlist("/docs/d");
    world.answers.set("/docs/d-new", pageOf("Page /docs/d"));
    expect(told(await world.pass(30 * minute, site()))).toEqual([]);
    expect(told(await world.pass(3 * hour, site()))).toEqual(["moved /docs/d to /docs/d-new"]);
  });

  test("by its canonical address is told", async () => {
    put("/docs/d", { head: `<link rel="canonical" href="${origin}/docs/d-new">` });
    put("/docs/d-new", { head: `<link rel="canonical" href="${origin}/docs/d-new">` }, "/docs/d");
    expect(told(await world.pass(hour, site()))).toEqual(["moved /docs/d to /docs/d-new"]);
  });

  test("is known by its content", async () => {
    world.answers.set("/docs/d", { status: 404 });
    unlist("/docs/d");
    put("/docs/d-new", {}, "/docs/d");
    expect(told(await world.pass(hour, site()))).toEqual(["moved /docs/d to /docs/d-new"]);
    const [row] = await world.pages.get("site-1", ["site.example/docs/d"]);
    expect(row).toMatchObject({ state: "moved", movedTo: `${origin}/docs/d-new` });
  });

  test("is no copy that is there as well", async () => {
    put("/docs/copy", {}, "/docs/d");
    expect(told(await world.pass(hour, site()))).toEqual(["added /docs/copy"]);
  });
});

describe("a page that was not there and is back", () => {
  let site: TrackedView;
  beforeEach(async () => {
    build();
    site = world.track({ interval: "1h" });
    await world.settle(site);
    world.now += hour;
  });

  test.each<[string, Parameters<typeof world.answers.set>[1]]>([
    ["removed", { status: 404 }],
    ["moved", { to: "/docs/d-new" }],
  ])("is found within eight rounds, without a word of the sitemap: %s", async (was, answer) => {
    world.answers.set("/docs/d-new", pageOf("Page /docs/d"));
    world.answers.set("/docs/d", answer);
    expect(told(await world.pass(2 * hour, site))).toEqual([expect.stringContaining(`${was} /docs/d`)]);
    world.answers.set("/docs/d", pageOf("Page /docs/d again"));
    expect(told(await world.pass(9 * hour, site))).toEqual(["added /docs/d"]);
  });

  test("is found at once where a page that has changed links to it", async () => {
    world.answers.set("/docs/d", { status: 404 });
    expect(told(await world.pass(2 * hour, site))).toEqual(["removed /docs/d"]);
    world.answers.set("/docs/d", pageOf("Page /docs/d again"));
    world.answers.set("/", pageOf("Page /", { links: names, text: "The page is back." }));
    expect(told(await world.pass(1.5 * hour, site)).sort()).toEqual(["added /docs/d", "changed /"]);
  });
});

test("a round visits the entry page where it has moved to", async () => {
  build();
  const site = world.track({ interval: "1h" });
  await world.settle(site);
  world.now += hour;
  world.answers.set("/", { to: "/start" });
  world.answers.set("/start", pageOf("Page /", { links: names }));
  await world.pass(3 * hour, site);
  world.asked.clear();
  await world.pass(4 * hour, site);
  expect(world.asked.get("/start")).toBeGreaterThanOrEqual(3);
  expect(world.asked.get("/") ?? 0).toBeLessThanOrEqual(1);
});

describe("a page that leads elsewhere has not moved", () => {
  beforeEach(async () => {
    build();
    tracked = world.track();
    await world.settle(tracked);
    world.now += hour;
  });
  const canonical = (path: string) => ({ head: `<link rel="canonical" href="${origin}${path}">` });

  test.each([
    ["/login", (_: string) => "/login"],
    ["/login with the page in its query", (path: string) => `/login?next=${path}`],
  ])("where all pages lead to %s for a while", async (_, login) => {
    for (const path of names) {
      world.answers.set(login(path), pageOf("Log in"));
      world.answers.set(path, { to: login(path) });
    }
    expect(told(await world.pass(30 * hour, tracked))).toEqual([]);
    const [failed] = await world.poll(tracked);
    expect(failed).toMatchObject({ ok: false, reason: expect.stringContaining("Most pages of the site") });
    for (const path of names) world.answers.set(path, pageOf(`Page ${path}`));
    expect(told(await world.pass(2 * day, tracked))).toEqual([]);
  });

  test("where its canonical address is not there, and it is visited as before", async () => {
    put("/docs/d", { ...canonical("/docs/none"), text: "A word more is said here." });
    expect(told(await world.pass(day, tracked))).toEqual(["changed /docs/d"]);
    world.now += hour;
    put("/docs/d", { ...canonical("/docs/none"), text: "Two words more are said here." });
    expect(told(await world.pass(day, tracked))).toEqual(["changed /docs/d"]);
  });

  test("where the other page leads back", async () => {
    put("/docs/d", canonical("/docs/e"));
    put("/docs/e", canonical("/docs/d"));
    await world.pass(day, tracked);
    const rows = await world.pages.get("site-1", ["site.example/docs/d", "site.example/docs/e"]);
    expect(rows.map(({ state }) => state)).toEqual(["there", "there"]);
    expect(told().filter(each => each.startsWith("moved"))).toEqual([]);
  });
});

test("pages whose canonical addresses are dead or lead back are pages of their own from the beginning", async () => {
  build();
  const canonical = (path: string) => ({ head: `<link rel="canonical" href="${origin}${path}">` });
  put("/docs/a", canonical("/docs/none"));
  put("/docs/b", canonical("/docs/c"));
  put("/docs/c", canonical("/docs/b"));
  await world.settle(world.track());
  expect((await world.pages.counts("site-1")).states).toMatchObject({ there: 13, alias: 0 });
});

describe("what is on every page", () => {
  test("is one event of the site, and pages tell what is their own", async () => {
    build();
    tracked = world.track();
    await world.settle(tracked);
    world.now += hour;
    const banner = "We move to larch on 1 May.";
    for (const path of names) world.answers.set(path, pageOf(`Page ${path}`, { banner }));
    put("/docs/c", { banner, text: "The larch boxes cost 20 euros from today." });
    await world.pass(10 * day, tracked);
    expect(told().sort()).toEqual(["changed /docs/c", `everywhere +${banner} -`]);
    const [change] = world.posts.filter(({ type }) => type === "site.page.changed");
    expect(change?.data.change).toMatchObject({
      added: ["The larch boxes cost 20 euros from today."],
      removed: [],
    });
  });

  test("a footer that rotates is told once at the most, and no page with it", async () => {
    build();
    let served = 0;
    tracked = world.track({ interval: "1h" });
    const words = "larch oak pine beech birch maple ash elm willow cedar".split(" ");
    const shuffle = () => {
      for (const path of ["/", ...names]) {
        served += 1;
        const footer = `Thought of the moment: a box of ${words[served % 10]} beats one of ${words[(served * 7) % 10]}.`;
        world.answers.set(path, pageOf(`Page ${path}`, { footer, ...(path === "/" && { links: names }) }));
      }
    };
    shuffle();
    await world.settle(tracked);
    for (let n = 0; n < 40; n += 1) {
      shuffle();
      await world.pass(hour, tracked);
    }
    const all = told();
    expect(all.filter(each => !each.startsWith("rotating"))).toEqual([]);
    expect(all.length).toBeLessThan(2);
  });
});

test("two views cost one visit, and each has its own news", async () => {
  build();
  const views = [world.track(), world.track({ remove: ["nav"], exclude: ["/docs/a"] })];
  await world.settle(...views);
  expect([...world.bodies.values()]).toEqual(Array(13).fill(1));
  world.now += hour;
  put("/docs/c", { text: "It costs 20 euros now." });
  world.bodies.clear();
  expect(told(await world.pass(10 * minute, ...views))).toEqual(["changed /docs/c", "changed /docs/c"]);
  expect(world.bodies).toEqual(new Map([["/docs/c", 1]]));
});

test("a poll that is repeated makes the same posts", async () => {
  build();
  const site = world.track();
  await world.settle(site);
  world.now += hour;
  put("/docs/c", { text: "It costs 20 euros now." });
  const before = { ...site };
  const [first] = await world.poll(site);
  // The tracker died before it wrote the state.
  const [again] = await world.poll({ ...before });
  expect(told()).toEqual(["changed /docs/c", "changed /docs/c"]);
  expect(again).toMatchObject({ posts: (first as { posts?: unknown }).posts });
});

test("one page that fails is no failure of the site; a site of which nothing can be read is", async () => {
  build();
  const site = world.track({ interval: "1h" });
  await world.settle(site);
  world.answers.set("/docs/e", { status: 503 });
  const failed: string[] = [];
  const checks = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const [result] = await world.poll(site);
      if (result && !result.ok) failed.push(result.reason);
      world.now += result?.ok ? result.nextInMs : hour;
    }
  };
  await checks(60);
  expect(failed).toEqual([]);
  for (const path of ["/", ...names]) world.answers.set(path, { status: 503 });
  await checks(20);
  expect(failed.length).toBeGreaterThan(5);
  expect(failed[0]).toBe("The site answered with status 503.");
  expect(told()).toEqual([]);
});

describe("a host that refuses requests for a limit", () => {
  test.each([
    [429, "600"],
    [503, "600"],
  ])("is asked for nothing in the pause that it names: %p", async (status, retryAfter) => {
    build();
    for (const path of ["/", ...names]) world.answers.set(path, { status, retryAfter });
    const site = world.track();
    const begun = world.now;
    const [result] = await world.poll(site);
    const asked = [...world.asked.values()].reduce((sum, each) => sum + each, 0);
    expect(asked).toBeLessThanOrEqual(2);
    expect(result).toMatchObject({ ok: true, nextInMs: 600_000 });
    world.asked.clear();
    world.now += 9 * minute;
    expect(await world.poll(site)).toMatchObject([{ ok: true, nextInMs: minute }]);
    expect(world.asked.size).toBe(0);
    build();
    await world.pass(hour, site);
    expect((await world.pages.counts("site-1")).states).toMatchObject({ there: 13, new: 0 });
    expect(told()).toEqual([]);
    expect(world.now - begun).toBe(hour + 9 * minute);
  });

  test("is asked with longer and longer pauses where it names none, and cannot be read after some of them", async () => {
    build();
    const site = world.track();
    await world.settle(site);
    for (const path of ["/", ...names]) world.answers.set(path, { status: 429 });
    world.asked.clear();
    const reasons: string[] = [];
    for (const until = world.now + 2 * hour; world.now < until; ) {
      const [result] = await world.poll(site);
      if (result && !result.ok) reasons.push(result.reason);
      world.now += result?.nextInMs ?? minute;
    }
    expect([...world.asked.values()].reduce((sum, each) => sum + each, 0)).toBeLessThan(150);
    expect(reasons[0]).toBe("The site answered with status 429: it takes fewer requests.");
  });

  test("takes the other pages where it refuses one", async () => {
    build();
    world.answers.set("/docs/a", { status: 429 });
    const site = world.track();
    await world.pass(hour, site);
    expect((await world.pages.counts("site-1")).states).toMatchObject({ there: 12, new: 1 });
    expect(world.asked.get("/docs/a")).toBeLessThan(20);
  });
});

test("a site of which nothing can be read stays so until a visit succeeds, and delays no page", async () => {
  build();
  const site = world.track({ interval: "1h" });
  await world.settle(site);
  for (const path of ["/", ...names]) world.answers.set(path, { status: 500 });
  await world.pass(3 * hour, site);
  for (let n = 0; n < 10; n += 1) {
    const [result] = await world.poll(site);
    expect(result).toMatchObject({ ok: false, reason: "The site answered with status 500." });
    expect(result?.nextInMs).toBeLessThanOrEqual(hour);
    world.now += 1000;
  }
  build();
  await world.pass(3 * hour, site);
  expect(await world.poll(site)).toMatchObject([{ ok: true }]);
  expect(told()).toEqual([]);
});

test("an entry page that fails alone is no failure of the site", async () => {
  build();
  const site = world.track({ interval: "1h" });
  await world.settle(site);
  world.answers.set("/", { status: 500 });
  for (const until = world.now + 2 * day; world.now < until; ) {
    const [result] = await world.poll(site);
    expect(result).toMatchObject({ ok: true });
    world.now += result?.nextInMs ?? minute;
  }
});
