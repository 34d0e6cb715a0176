import fc from "fast-check";
import { WatchedPage } from "./watched-page.ts";

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const pick = (list: readonly string[], n: number) => list[n % list.length] ?? "";
const names = ["Anna", "Bo", "Cem", "Dora", "Eve", "Finn", "Gus"];
const towns = ["Graz", "Linz", "Rome", "Lyon", "Bonn"];

/** What shops and portals count, at the n-th fetch; in the main content, and around it. */
const none = () => "";
const counters: [string, (n: number) => string, (n: number) => string][] = [
  ["bookings", n => `<p>Booked ${3 + (n % 17)} times in the last ${24 + n} hours</p>`, none],
  ["a session", n => `<p>Your session ends in ${7 + (n % 9)}:${10 + ((n * 7) % 50)}</p>`, none],
  ["a queue", n => `<p>Queue position: ${398 - n}</p>`, none],
  ["applicants", n => `<div class="meta"><span>${22 + n} applicants</span></div>`, none],
  ["reviews", n => `<p>★ 4.6 (${1202 + n} reviews)</p>`, none],
  ["shares", n => `<p><b>${506 + n}</b> shares</p>`, none],
  ["an instant", n => `<p>Printed on ${new Date(1.76e12 + n * 3.7e6).toISOString()}</p>`, none],
  ["a link", n => `<p><a href="/apply?session=${(n * 7919 + 4241).toString(36)}">Apply now</a></p>`, none],
  [
    "a toast",
    n =>
      `<div role="status" class="toast">${pick(names, n * 3 + 1)} from ${pick(towns, n)} bought this ${n} minutes ago</div>`,
    none,
  ],
  [
    "a chat",
    none,
    n =>
      `<div id="chat-widget"><p>${pick(names, n)} is here to help you</p><p>Usually answers in ${n % 10} minutes</p></div>`,
  ],
];

const page = (edition: number, inside: string, around = "") => `<header><a href="/">Portal</a></header>
  <main><h1>Room 12 in the old harbour</h1><p>A room for two with a view of the boats and the market.</p>
  <p class="stock">Edition ${"abcdefghijklmnopqrstuvwxyz".repeat(3).slice(0, edition + 1)}</p>${inside}
  <p>Breakfast is served from seven to ten in the hall.</p><ul><li>Balcony</li><li>Bath</li><li>Desk</li></ul></main>
  <footer><p>Harbour rooms, Quay 3</p></footer>${around}`;

/** Checks at which something real changes, not in a row: what changes all the time is restless, too. */
const schedule = fc.array(fc.integer({ min: 2, max: 12 }), { maxLength: 18 }).map(gaps =>
  gaps
    .map(
      (
        (at = 0) =>
        gap =>
          (at += gap)
      )(),
    )
    .filter(at => at < 52),
);

test.each(counters)(
  "52 checks of a page with %s: at most 3 events of it, and every real change",
  (_, inside, around) =>
    fc.assert(
      fc.property(schedule, changes => {
        const watch = new WatchedPage();
        let [fetched, edition, noise] = [0, 0, 0];
        for (let check = 0; check < 52; check += 1) {
          const isReal = changes.includes(check);
          if (isReal) edition += 1;
          const told = watch.check(() => {
            fetched += 1;
            return page(edition, inside(fetched), around(fetched));
          });
          const real = `Edition ${"abcdefghijklmnopqrstuvwxyz".repeat(3).slice(0, edition + 1)}`;
          if (isReal) expect(told).toContain(real);
          else if (told.length > 0) noise += 1;
        }
        expect(noise).toBeLessThanOrEqual(3);
      }),
      { numRuns: 8 },
    ),
);

test.each([
  ["one after the other", times(60, n => n)],
  ["and rests for a while", times(60, n => (n % 12 < 6 ? n : n - (n % 12) + 6))],
])("a counter that counts %s: what it says when it rests is told", (_, counts) => {
  const watch = new WatchedPage();
  for (const count of counts) watch.check(() => page(0, `<p>${count} applicants</p>`));
  const told = times(6, () => watch.check(() => page(0, "<p>777 applicants</p>")));
  expect(told.flat().filter(each => each === "777 applicants")).toHaveLength(1);
});

test.each([
  ["div.ad-banner", (ad: string) => `<div class="ad-banner advertisement"><p>${ad}</p></div>`],
  ["div#google_ads_1", (ad: string) => `<div id="google_ads_1"><p>${ad}</p></div>`],
  ["ins.adsbygoogle", (ad: string) => `<ins class="adsbygoogle"><span>${ad}</span></ins>`],
  ["aria-label", (ad: string) => `<div aria-label="Advertisement"><p>${ad}</p></div>`],
  ["div.sponsored", (ad: string) => `<div class="sponsored"><span>Advertisement</span><p>${ad}</p></div>`],
  ["aside.ad", (ad: string) => `<aside class="ad"><p>${ad}</p></aside>`],
])("an advertisement in the main content makes no event: %s", (_, ad) => {
  const watch = new WatchedPage();
  for (let n = 0; n < 10; n += 1)
    watch.check(() => page(0, ad(`${pick(names, n)} sails to ${pick(towns, n)} for ${n * 7 + 90} euros`)));
  expect(watch.events).toBe(0);
});

test("teasers that rotate in a sidebar make no event", () => {
  const watch = new WatchedPage();
  let fetched = 0;
  for (let check = 0; check < 30; check += 1)
    watch.check(() => {
      fetched += 1;
      const teasers = times(
        3,
        n =>
          `<li><a href="/s/${fetched * 3 + n}">${pick(names, fetched + n)} visits ${pick(towns, fetched * 2 + n)}</a></li>`,
      );
      return page(0, "", `<aside><h2>From the town</h2><ul>${teasers.join("")}</ul></aside>`);
    });
  expect(watch.events).toBe(0);
});

test("a notice above the header arrives with the second check", () => {
  const watch = new WatchedPage();
  watch.check(() => page(0, ""));
  const notice = () =>
    `<div class="alert" role="alert">Closed today because of the storm</div>${page(0, "")}`;
  expect(watch.check(notice)).toEqual(["Closed today because of the storm"]);
  expect(watch.verdicts.slice(-2).map(({ outcome }) => outcome)).toEqual(["held", "changed"]);
});

test("variants of a page, in turn or at random: at most 3 events in 20 checks, but where one stays for long", () => {
  const eventsOf = (variants: boolean[]) => {
    const watch = new WatchedPage();
    for (const isOther of variants)
      watch.check(() =>
        page(0, `<p>${isOther ? "Stay longer, pay less" : "Book two nights, get one free"}</p>`),
      );
    return watch.events;
  };
  expect(eventsOf(times(20, n => n % 2 === 0))).toBeLessThanOrEqual(3);
  expect(eventsOf(times(20, n => n % 4 < 2))).toBeLessThanOrEqual(3);
  const atRandom = times(60, seed => eventsOf(times(20, n => Math.sin((seed + 1) * (n + 1) * 12.9898) > 0)));
  expect(atRandom.filter(events => events <= 3).length).toBeGreaterThanOrEqual(48);
});

test("results in random order: at most 3 events in 20 checks", () =>
  fc.assert(
    fc.property(
      fc.array(fc.shuffledSubarray(names, { minLength: 7 }), { minLength: 20, maxLength: 20 }),
      orders => {
        const watch = new WatchedPage();
        for (const order of orders)
          watch.check(() =>
            page(0, `<ol>${order.map(name => `<li>${name} of the harbour</li>`).join("")}</ol>`),
          );
        expect(watch.events).toBeLessThanOrEqual(3);
      },
    ),
    { numRuns: 20 },
  ));
