import { line, listed, WatchedLines } from "./watched-lines.ts";

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const text = times(12, n => line(`A sentence about boots, number ${"abcdefghijkl"[n]}.`, `main>p:${n + 1}`));
const teaser = (of: string) => line(`Read more: ${of}`, "aside>p", "aside");
const storm = line("Closed today because of the storm", "body>div.alert", "header");
const hours = (of: string) => line(`Open until ${of}`, "footer>p", "footer");

test("a notice outside the main content arrives with the second check, half a minute later", () => {
  const watch = new WatchedLines();
  expect(watch.check([...text, hours("18:00")]).confirm).toBe(true);
  expect(watch.check([...text, hours("18:00")])).toMatchObject({ outcome: "same", confirm: false });
  const first = watch.check([storm, ...text, hours("18:00")]);
  expect(first).toMatchObject({
    outcome: "held",
    why: "Only what is outside the main content has changed; it counts if the next check finds it again.",
    confirm: true,
  });
  const second = watch.check([storm, ...text, hours("18:00")]);
  expect(second).toMatchObject({
    outcome: "changed",
    confirm: false,
    change: { added: [storm.text], removed: [] },
  });
  expect(watch.check([storm, ...text, hours("18:00")]).outcome).toBe("same");
  watch.check([...text, hours("17:00")]);
  expect(watch.check([...text, hours("17:00")]).change).toMatchObject({
    added: ["Open until 17:00"],
    removed: [storm.text, "Open until 18:00"],
  });
});

test("a change between the first two checks of a page is confirmed as any other", () => {
  const watch = new WatchedLines();
  watch.check([...text, hours("18:00")]);
  expect(watch.check([storm, ...text, hours("18:00")])).toMatchObject({ outcome: "held", confirm: true });
  expect(watch.check([storm, ...text, hours("18:00")]).change).toMatchObject({ added: [storm.text] });
});

test("a change in the main content is told at once, with what is outside of it", () => {
  const watch = new WatchedLines();
  watch.check([...text, hours("18:00")]);
  watch.check([...text, hours("18:00")]);
  const verdict = watch.check([line("Sold out", "main>p:1"), ...text.slice(1), hours("17:00")]);
  expect(verdict).toMatchObject({ outcome: "changed", confirm: false });
  expect(verdict.change?.added).toEqual(["Sold out", "Open until 17:00"]);
});

test("a teaser that rotates outside the main content never makes an event", () => {
  const watch = new WatchedLines();
  let n = 0;
  for (let check = 0; check < 40; check += 1)
    watch.checkConfirmed(() => {
      n += 1;
      return [...text, teaser(`story ${"abcdefghijklmnopqrstuvwxyz"[(n * 7) % 26]} of the town`)];
    });
  expect(watch.told).toEqual([]);
  // The second check finds that it changes, the third one that it has changed once more.
  expect(watch.verdicts.map(({ confirm }) => confirm).lastIndexOf(true)).toBe(1);
  expect(watch.verdicts.at(-1)?.muted).toHaveLength(1);
});

test("a teaser that begins to rotate later makes none either", () => {
  const watch = new WatchedLines();
  for (let check = 0; check < 5; check += 1) watch.checkConfirmed(() => text);
  let n = 0;
  for (let check = 0; check < 40; check += 1)
    watch.checkConfirmed(() => {
      n += 1;
      return [
        ...text,
        ...listed(
          times(3, at => `Story ${(n * 3 + at) * 17} of the town`),
          "aside>ul",
          "aside",
        ),
      ];
    });
  expect(watch.told).toEqual([]);
});

test("a box that opens and closes outside the main content makes none", () => {
  const watch = new WatchedLines();
  let n = 0;
  for (let check = 0; check < 40; check += 1)
    watch.checkConfirmed(() => {
      n += 1;
      const toast = line(
        `${["Anna", "Bo", "Cem"][n % 3]} from ${["Graz", "Linz"][n % 2]} bought boots`,
        "#toast>p",
        "dialog",
      );
      return n % 2 === 0 ? [...text, toast] : text;
    });
  expect(watch.told).toEqual([]);
});

test("a list outside the main content that grows tells every line, a check later at most", () => {
  const watch = new WatchedLines();
  const items = times(30, n => `Event ${"abcdefghijklmnopqrstuvwxyz0123"[n]} in the hall`);
  for (let n = 0; n < 20; n += 1)
    watch.checkConfirmed(() => [...text, ...listed(items.slice(0, n + 3).reverse(), "aside>ul", "aside")]);
  expect(watch.added).toEqual(items.slice(3, 22).map(each => each));
});

test("a change that waits is told by the next check, however long that takes, also after other words on the page", () => {
  const watch = new WatchedLines();
  watch.checkConfirmed(() => text);
  expect(watch.check([storm, ...text]).confirm).toBe(true);
  // A schedule or an outage came in between.
  expect(watch.check([storm, ...text], 9 * 3_600_000).change).toMatchObject({ added: [storm.text] });
});

test("a change that is over by the second check is none, and its place is restless", () => {
  const watch = new WatchedLines();
  watch.checkConfirmed(() => text);
  watch.check([storm, ...text]);
  expect(watch.check(text)).toMatchObject({ outcome: "muted", confirm: false });
  for (let n = 0; n < 4; n += 1) watch.check(text);
  expect(watch.verdicts.at(-1)?.muted).toHaveLength(1);
  watch.check(text);
  expect(watch.verdicts.at(-1)?.muted).toEqual([]);
});

test("what is restless and rests is told outside the main content, too", () => {
  const watch = new WatchedLines();
  let n = 0;
  for (let check = 0; check < 6; check += 1)
    watch.checkConfirmed(() => {
      n += 1;
      return [...text, teaser(`story ${"abcdefghijklmnopqrstuvwxyz"[n % 26]}`)];
    });
  for (let check = 0; check < 7; check += 1) watch.check([...text, teaser("the storm of Friday")]);
  expect(watch.added).toEqual(["Read more: the storm of Friday"]);
});

test.each([{ select: ["aside"] }, { json: { recipe: {} } }, { when: { value: { below: 3 } } }])(
  "what is pointed at, and a number, needs no second check: %j",
  view => {
    const watch = new WatchedLines(view);
    expect(watch.check([...text, storm]).confirm).toBe(false);
    expect(watch.check(text).confirm).toBe(false);
  },
);

test("pages that change at new places each time are not asked twice for ever", () => {
  const watch = new WatchedLines();
  let n = 0;
  const page = () => {
    n += 1;
    return [...text, ...times(3, at => line(`Story ${n} ${at}`, `#story-${n}-${at}`, "aside"))];
  };
  for (let check = 0; check < 30; check += 1) watch.checkConfirmed(page);
  expect(watch.told).toEqual([]);
  expect(watch.verdicts.filter(({ confirm }) => confirm).length).toBeLessThan(6);
});
