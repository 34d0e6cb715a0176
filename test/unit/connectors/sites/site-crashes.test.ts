import {
  openSiteWorld,
  origin,
  pageOf,
  type SiteWorld,
  sitemapOf,
  type TrackedView,
} from "../../../support/site-world.ts";

const hour = 3_600_000;
const names = ["/a", "/b", "/c", "/d", "/e", "/f", "/g"];

function fill(world: SiteWorld, pages: Record<string, string>): void {
  world.answers.clear();
  const paths = Object.keys(pages);
  world.answers.set("/robots.txt", `User-agent: *\nSitemap: ${origin}/sitemap.xml\n`);
  world.answers.set(
    "/sitemap.xml",
    sitemapOf(Object.fromEntries(paths.map((path, n) => [path, world.now - n - 1]))),
  );
  for (const path of paths) world.answers.set(path, pages[path] ?? "");
}

const before = Object.fromEntries(["/", ...names].map(path => [path, pageOf(`Page ${path}`)]));

/** A page is edited, one is new, one has moved, one is gone; and there is a banner everywhere. */
function after(): Record<string, string> {
  const banner = "We move to larch on 1 May.";
  const kept = ["/", "/a", "/b", "/e", "/f", "/g"];
  const pages = Object.fromEntries(kept.map(path => [path, pageOf(`Page ${path}`, { banner })]));
  pages["/a"] = pageOf("Page /a", { banner, text: "The larch boxes cost 20 euros from today." });
  return { ...pages, "/new": pageOf("New", { banner }), "/c-new": pageOf("Page /c", { banner }) };
}

/** Polls, and begins anew from what the tracker has stored, after each crash. */
async function polledThrough(world: SiteWorld, site: TrackedView, ms: number): Promise<void> {
  for (const until = world.now + ms; world.now < until; ) {
    const stored = { ...site, state: { ...site.state } };
    try {
      await world.pass(until - world.now, site);
    } catch {
      Object.assign(site, stored);
      delete world.onWrite;
    }
  }
}

async function toldAfterCrash(
  write: number,
  isDone: boolean,
): Promise<{ told: string[]; hasCrashed: boolean }> {
  const world = openSiteWorld();
  const site = world.track();
  fill(world, before);
  await world.settle(site);
  world.now += hour;
  fill(world, after());
  world.answers.set("/c", { to: "/c-new" });
  let [seen, hasCrashed] = [0, false];
  world.onWrite = isAfter => {
    if (isAfter !== isDone) return;
    seen += 1;
    if (seen !== write) return;
    hasCrashed = true;
    throw new Error("the process died");
  };
  await polledThrough(world, site, 3 * hour);
  const events = new Map(world.posts.map(post => [`${post.postId} ${post.revision}`, post]));
  await world.close();
  const told = [...events.values()].map(({ type, postId }) => `${type} ${postId.replace(origin, "")}`);
  return { told: told.sort(), hasCrashed };
}

const wanted = [
  "site.changed site",
  "site.page.added /new",
  "site.page.changed /a",
  "site.page.moved /c",
  "site.page.removed /d",
];

test("without a crash each event is made once", async () => {
  expect(await toldAfterCrash(0, false)).toEqual({ told: wanted, hasCrashed: false });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 10, 12])(
  "a crash at write %p loses nothing and tells nothing twice",
  async write => {
    expect(await toldAfterCrash(write, write % 2 === 0)).toEqual({ told: wanted, hasCrashed: true });
  },
);
