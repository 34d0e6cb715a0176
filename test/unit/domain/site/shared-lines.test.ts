import type { Area, Line } from "../../../../services/domain/watch/line.ts";
import { type Random, seeded } from "../../../faults/random.ts";
import { seeds } from "../../../support/long-run.ts";
import { line } from "../watch/watched-lines.ts";
import { type ModelPage, TrackedSite } from "./tracked-site.ts";

/** What the pages of a site show: each its own text, and around it what the site shows. */
interface World {
  banner: ((path: string, n: number) => string) | null;
  bannerArea: Area;
  footer: (path: string) => string;
  section: Map<string, string>;
  own: Map<string, Line[]>;
}

function worldOf(paths: readonly string[]): World {
  return {
    ...{ banner: null, bannerArea: "header", footer: () => "Written by people.", section: new Map() },
    own: new Map(
      paths.map((path, n) => [
        path,
        [0, 1, 2, 3].map(at =>
          line(`Text ${at} of page ${words(n)}.`, `main>p${at === 0 ? "" : `:${at + 1}`}`),
        ),
      ]),
    ),
  };
}

const letters = "abcdefghij";
const words = (n: number) => [...String(n)].map(digit => letters[Number(digit)]?.repeat(3)).join("");

function pagesOf(world: World): ModelPage[] {
  return [...world.own.keys()].map((path, n) => ({ path, lines: () => linesOf(world, path, n) }));
}

function linesOf({ banner, bannerArea, footer, section, own }: World, path: string, n: number): Line[] {
  const note = section.get(path.split("/")[1] ?? "");
  return [
    line("# The site", "title", "header"),
    ...(banner ? [line(banner(path, n), "body>div.banner>p", bannerArea)] : []),
    ...(note === undefined ? [] : [line(note, "main>div.note>p")]),
    ...(own.get(path) ?? []),
    line(footer(path), "body>footer>p", "footer"),
    line("All rights reserved.", "body>footer>p:2", "footer"),
  ];
}

const pathsOf = (count: number, sections = 4) =>
  Array.from({ length: count }, (_, n) => `/s${n % sections}/p${String(n).padStart(3, "0")}`).sort();

function siteOf(count: number, first: Partial<World> = {}) {
  const world = { ...worldOf(pathsOf(count)), ...first };
  const site = new TrackedSite(pagesOf(world));
  const edit = (path: string, text: string, at = 1) => {
    const lines = world.own.get(path) ?? [];
    world.own.set(path, lines.with(at, line(text, lines[at]?.place ?? "")));
  };
  return { world, site, edit, paths: [...world.own.keys()] };
}

const textsOf = (site: TrackedSite) =>
  site.told.map(({ path, change }) => [path, change.added, change.removed]);
const siteTexts = (site: TrackedSite) => site.site.map(({ kind, added, removed }) => [kind, added, removed]);

describe.each(["header", "main", "footer"] as const)("a banner in the area %s", area => {
  test("that comes, changes and goes is one event each time, and none of any page", () => {
    const { world, site } = siteOf(40);
    world.bannerArea = area;
    world.banner = () => "A sale begins.";
    site.round();
    site.round();
    world.banner = () => "The sale ends soon.";
    site.round();
    world.banner = null;
    site.round();
    site.round();
    expect(siteTexts(site)).toEqual([
      ["everywhere", ["A sale begins."], []],
      ["everywhere", ["The sale ends soon."], ["A sale begins."]],
      ["everywhere", [], ["The sale ends soon."]],
    ]);
    expect(textsOf(site)).toEqual([]);
    expect(new Set(site.ids).size).toBe(3);
  });

  test("does not hide what changes on a page at the same time, and is not in its event", () => {
    const { world, site, edit, paths } = siteOf(40);
    world.bannerArea = area;
    world.banner = () => "A sale begins.";
    edit(paths[7] ?? "", "Another text is here.");
    edit(paths[30] ?? "", "Prices are lower.");
    site.round();
    expect(siteTexts(site)).toEqual([["everywhere", ["A sale begins."], []]]);
    expect(textsOf(site).sort()).toEqual([
      [paths[7], ["Another text is here."], [expect.stringMatching(/^Text 1/)]],
      [paths[30], ["Prices are lower."], [expect.stringMatching(/^Text 1/)]],
    ]);
    expect(site.told[0]?.change.diff).not.toContain("+A sale begins");
  });

  test("is passed over on a page that is visited days later", () => {
    const { world, site, paths } = siteOf(40);
    world.bannerArea = area;
    world.banner = () => "A sale begins.";
    site.round([]);
    for (let rounds = 0; rounds < 50; rounds += 1) site.round([]);
    const late = site.pages.find(({ path }) => path === paths[20]);
    site.round(late ? [late] : []);
    expect(site.site).toHaveLength(1);
    expect(site.told).toEqual([]);
  });

  test("that comes back is told again", () => {
    const { world, site } = siteOf(40);
    world.bannerArea = area;
    for (const text of ["A sale begins.", null, "A sale begins."]) {
      world.banner = text === null ? null : () => text;
      for (let rounds = 0; rounds < 5; rounds += 1) site.round();
    }
    expect(siteTexts(site).map(([, added]) => added)).toEqual([["A sale begins."], [], ["A sale begins."]]);
    expect(site.told).toEqual([]);
  });
});

test("a banner that names the page is one event, though no two pages show the same line", () => {
  const { world, site } = siteOf(40);
  world.banner = path => `Tell us what you think of ${path}.`;
  site.round();
  site.round();
  expect(site.site.map(({ kind }) => kind)).toEqual(["everywhere"]);
  expect(site.told).toEqual([]);
});

test("a footer that says something else at each visit is told once, and muted", () => {
  const random = seeded(5);
  const footer = () => `Thought: ${words(Math.floor(random() * 1e6))}.`;
  const { site, edit, paths } = siteOf(40, { footer });
  for (let rounds = 0; rounds < 8; rounds += 1) {
    if (rounds === 4) edit(paths[3] ?? "", "Another text is here.");
    site.round();
  }
  expect(site.site.map(({ kind }) => kind)).toEqual(["rotating"]);
  expect(textsOf(site)).toEqual([[paths[3], ["Another text is here."], [expect.stringMatching(/^Text 1/)]]]);
});

test("a footer of few texts that take turns is told at most twice, and muted", () => {
  const random = seeded(5);
  const footer = () => `Thought: ${words(Math.floor(random() * 4))}.`;
  const { site, edit, paths } = siteOf(40, { footer });
  for (let rounds = 0; rounds < 8; rounds += 1) {
    if (rounds === 4) edit(paths[3] ?? "", "Another text is here.");
    site.round();
  }
  expect(site.site.length).toBeLessThanOrEqual(2);
  expect(site.site.at(-1)?.kind).toBe("rotating");
  expect(textsOf(site)).toEqual([[paths[3], ["Another text is here."], [expect.stringMatching(/^Text 1/)]]]);
});

test("a number of the build in all footers is told, and muted when it never rests", () => {
  const { world, site } = siteOf(40);
  for (let rounds = 0; rounds < 8; rounds += 1) {
    world.footer = () => `Build ${words(rounds)} of the site.`;
    site.round();
  }
  const kinds = site.site.map(({ kind }) => kind);
  expect(kinds.filter(kind => kind === "rotating")).toHaveLength(1);
  expect(kinds.length).toBeLessThanOrEqual(4);
  expect(site.told).toEqual([]);
});

test("a note on the pages of one section is one event; the same edit elsewhere later is the page's", () => {
  const { world, site, edit, paths } = siteOf(40);
  world.section.set("s1", "Sold out.");
  site.round();
  expect(siteTexts(site)).toEqual([["everywhere", ["Sold out."], []]]);
  expect(site.told).toEqual([]);
  for (let rounds = 0; rounds < 4; rounds += 1) site.round();
  const other = paths.find(path => path.startsWith("/s2/")) ?? "";
  edit(other, "Sold out.");
  site.round();
  expect(site.site).toHaveLength(1);
  expect(textsOf(site)).toEqual([[other, ["Sold out."], [expect.stringMatching(/^Text 1/)]]]);
});

test("the same edit on five pages of a section is told once, as one", () => {
  const { site, edit, paths } = siteOf(60);
  for (const path of paths.slice(10, 15)) edit(path, "The price is lower from today on.");
  site.round();
  site.round();
  expect(site.site).toHaveLength(1);
  expect(site.site[0]?.added).toEqual(["The price is lower from today on."]);
  const removed = site.told.flatMap(({ change }) => change.added);
  expect(removed).toEqual([]);
});

test("pages that are neighbours and change at the same place in other words are told each", () => {
  const { site, edit, paths } = siteOf(60);
  const changed = paths.slice(10, 18);
  for (const [n, path] of changed.entries()) edit(path, `A new story ${words(n)} is here.`);
  site.round();
  site.round();
  expect(site.site).toEqual([]);
  expect(site.told.map(({ path }) => path).sort()).toEqual(changed);
});

test("pages that change again and again at the same place of their content are told each time", () => {
  const { site, edit, paths } = siteOf(40);
  const lively = paths.filter((_, n) => n % 9 === 0);
  for (let rounds = 0; rounds < 2; rounds += 1) {
    for (const [n, path] of lively.entries()) edit(path, `The news ${words(10 * rounds + n)} is here.`);
    site.round();
  }
  expect(site.site).toEqual([]);
  expect(site.told.map(({ path }) => path).sort()).toEqual(lively.flatMap(path => [path, path]));
});

test("a counter in the content of all pages is muted, and hides nothing else", () => {
  let visits = 0;
  const { world, site, edit, paths } = siteOf(40);
  const pages = site.pages.map(({ path, lines }) => ({
    path,
    lines: () => {
      visits += 1;
      return [...lines(), line(`Sold ${visits} times so far.`, "main>div.sold>p")];
    },
  }));
  expect(world.own.size).toBe(pages.length);
  const tracked = new TrackedSite(pages);
  for (let rounds = 0; rounds < 5; rounds += 1) {
    if (rounds === 3) edit(paths[3] ?? "", "Another text is here.");
    tracked.round();
  }
  expect(tracked.site.map(({ kind }) => kind)).toEqual(["rotating"]);
  expect(textsOf(tracked)).toEqual([
    [paths[3], ["Another text is here."], [expect.stringMatching(/^Text 1/)]],
  ]);
});

test.each([1, 2, 3, 4, 5])("a site of %i pages tells edits of pages, and a banner once", count => {
  const { world, site, edit, paths } = siteOf(count);
  edit(paths[0] ?? "", "Another text is here.");
  site.round();
  expect(textsOf(site)).toEqual([[paths[0], ["Another text is here."], [expect.stringMatching(/^Text 1/)]]]);
  world.banner = () => "A sale begins.";
  site.round();
  site.round();
  const told = site.site.length + site.told.length;
  expect(told).toBe(2);
});

test("edits that differ by a number alone are each page's own, beside a banner, too", () => {
  const { world, site, edit, paths } = siteOf(120);
  const edited = paths.filter((_, n) => n % 6 === 1);
  for (const [n, path] of edited.entries()) edit(path, `The new text of this part is number ${n} of all.`);
  world.banner = () => "A sale begins.";
  for (const some of [edited.slice(0, 6), edited.slice(0, 12), edited])
    site.round(site.pages.filter(({ path }) => some.includes(path)));
  site.round();
  expect(siteTexts(site)).toEqual([["everywhere", ["A sale begins."], []]]);
  expect(new Set(site.told.map(({ path }) => path))).toEqual(new Set(edited));
  expect(site.told).toHaveLength(edited.length);
});

describe("random sites", () => {
  test.each(seeds(40, 2000))(
    "tell each edit once with its own lines, and each change of all pages once: seed %i",
    seed => {
      const random = seeded(seed);
      const { world, site, edit, paths } = siteOf(6 + Math.floor(random() * 60));
      world.bannerArea = pick(["header", "main", "aside"] as const, random);
      let [banners, bannerRound] = [0, -2];
      const due: string[] = [];
      for (let round = 0; round < 12; round += 1) {
        // What changes in nearly each round would be a rotation.
        if (random() < 0.4 && round > bannerRound + 1) {
          bannerRound = round;
          const text = random() < 0.3 ? null : `Banner ${words(round)}.`;
          if (text !== null || world.banner !== null) banners += 1;
          world.banner = text === null ? null : () => text;
        }
        for (let edits = Math.floor(random() * 3); edits > 0; edits -= 1) {
          const path = pick(paths, random);
          const name = `Edit ${words(round)} of ${path}.`;
          if (due.some(each => each.endsWith(name))) continue;
          edit(path, name, Math.floor(random() * 4));
          due.push(`${path} ${name}`);
        }
        site.round(shuffled(site.pages, random));
      }
      const told = site.told.map(({ path, change }) => `${path} ${change.added.join()}`);
      expect(told.sort()).toEqual(due.sort());
      expect(site.site.every(({ kind }) => kind === "everywhere")).toBe(true);
      expect(site.site).toHaveLength(banners);
    },
  );
});

function pick<Each>(list: readonly Each[], random: Random): Each {
  return list[Math.floor(random() * list.length)] as Each;
}

function shuffled<Each>(list: readonly Each[], random: Random): Each[] {
  return list
    .map(each => ({ each, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
}
