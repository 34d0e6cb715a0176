import type { Candidate } from "../../../../mixins/frontier/frontier.ts";
import { JudgedLinks, OfferedPages, type Place } from "../../../../services/crawler/pages/known-links.ts";

const { signal } = new AbortController();

function page(key: string, depth: number): Candidate {
  return { key, url: `http://${key}`, depth, hops: 0, from: null, external: false };
}

function counting() {
  const asked: string[] = [];
  const judged = new JudgedLinks(async urls => {
    asked.push(...urls);
    return urls.map((url): Place | null =>
      url.includes("out") ? null : { key: url, url: `${url}/`, external: false },
    );
  });
  return { asked, judged };
}

test("each URL is judged once, whatever came of it", async () => {
  const { asked, judged } = counting();
  const first = await judged.of(["a", "out", "b"], signal);
  const second = await judged.of(["b", "c", "out", "a"], signal);
  expect(first.map(place => place?.url)).toEqual(["a/", undefined, "b/"]);
  expect(second.map(place => place?.url)).toEqual(["b/", "c/", undefined, "a/"]);
  expect(asked).toEqual(["a", "out", "b", "c"]);
});

test("a judgement that fails is made again", async () => {
  let fails = true;
  const judged = new JudgedLinks(async urls => {
    if (fails) throw new Error("busy");
    return urls.map(url => ({ key: url, url, external: false }));
  });
  await expect(judged.of(["a"], signal)).rejects.toThrow("busy");
  fails = false;
  expect(await judged.of(["a"], signal)).toHaveLength(1);
});

test("two pages that ask at once both get all their places, also while the places are forgotten", async () => {
  const many = Array.from({ length: 15_000 }, (_, n) => `u${n}`);
  const { judged } = counting();
  const [one, other] = await Promise.all([
    judged.of(many, signal),
    judged.of(
      many.map(url => `${url}x`),
      signal,
    ),
  ]);
  const later = await judged.of([...many.slice(0, 3), "new"], signal);
  expect([...one, ...other, ...later]).not.toContain(null);
});

test("a page is offered again only from a smaller depth, and only where the frontier has it", () => {
  const offered = new OfferedPages();
  const [deep, middle, top] = [page("a", 3), page("a", 2), page("a", 1)];
  expect(offered.unknown([deep])).toEqual([deep]);
  // The offer failed.
  expect(offered.unknown([deep])).toEqual([deep]);
  offered.keep([middle]);
  expect(offered.unknown([deep, middle, top, page("b", 9)])).toEqual([top, page("b", 9)]);
  offered.keep([deep, top]);
  expect(offered.unknown([middle, top])).toEqual([]);
});
