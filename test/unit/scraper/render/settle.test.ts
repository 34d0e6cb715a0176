import type { PageLoad } from "../../../../services/scraper/render/page-load.ts";
import type { Reading } from "../../../../services/scraper/render/read-tree.ts";
import { readWhenSettled } from "../../../../services/scraper/render/settle.ts";

const text: Reading = {
  textLength: 1000,
  framesLength: 0,
  isMainEmpty: false,
  isLive: true,
  hasTimers: false,
  html: "text",
};
const shell: Reading = {
  textLength: 10,
  framesLength: 0,
  isMainEmpty: false,
  isLive: true,
  hasTimers: false,
  html: "shell",
};

/** A page whose looks give these readings, the last one for ever; counts the looks. */
async function settle(readings: Reading[], load: Partial<PageLoad> = {}) {
  let looks = 0;
  const still = {
    isBusy: () => false,
    isConnected: () => false,
    documents: () => 1,
    heardAt: Date.now,
    change: async () => undefined,
  };
  const reading = await readWhenSettled(
    { ...still, ...load } as PageLoad,
    async () => readings[Math.min(looks++, readings.length - 1)] ?? shell,
    { deadline: Date.now() + 60_000, signal: new AbortController().signal },
  );
  return { looks, reading };
}

test("a page with text and nothing on its way is looked at once", async () => {
  expect(await settle([text])).toEqual({ looks: 1, reading: text });
});

test("a page without scripts is final, however short", async () => {
  const short = { ...shell, isLive: false };
  expect(await settle([short])).toEqual({ looks: 1, reading: short });
});

test("a shell that nothing can change any more is given up soon", async () => {
  expect(await settle([shell])).toEqual({ looks: 7, reading: shell });
});

test("a shell with timers is looked at for longer", async () => {
  const waiting = { ...shell, hasTimers: true };
  expect(await settle([...Array(12).fill(waiting), text])).toEqual({ looks: 13, reading: text });
});

test("a page with text whose main area is empty is looked at for longer where something may change", async () => {
  const menu = { ...text, isMainEmpty: true };
  expect(await settle([menu, text])).toEqual({ looks: 1, reading: menu });
  const waiting = { ...menu, hasTimers: true };
  expect(await settle([...Array(12).fill(waiting), text])).toEqual({ looks: 13, reading: text });
});

test("a page that begins to load while it is read is read again", async () => {
  const busy = [false, true, true, false, false];
  const load = { isBusy: () => busy.shift() ?? false };
  const { looks } = await settle([text], load);
  expect(looks).toBe(2);
});

test("the next document is read, not the one that led to it", async () => {
  let shown = 1;
  const next = { ...text, html: "next" };
  const load = {
    documents: () => shown,
    // The look at the first document ends in the second one.
    isBusy: () => {
      shown = 2;
      return false;
    },
  };
  expect(await settle([text, next], load)).toEqual({ looks: 2, reading: next });
});
