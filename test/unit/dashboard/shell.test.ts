import { jest } from "@jest/globals";

/* The parts of the shell that need a browser get as much of one as they use. */
const listeners = new Map<string, () => void>();
const browser = {
  location: new URL("http://localhost/dashboard/keys?key=K1&query=a"),
  document: {
    hidden: false,
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
  },
  history: {
    entries: 1,
    state: null as unknown,
    pushState(state: unknown, _: string, url: URL) {
      browser.history.entries += 1;
      browser.history.replaceState(state, _, url);
    },
    replaceState(state: unknown, _: string, url: URL) {
      browser.history.state = state;
      browser.location.href = url.href;
    },
  },
};

Object.assign(globalThis, browser);
const { link, navigate, path, query, setQuery, cursorsBefore } = await import(
  "../../../dashboard/shell/address.ts"
);
const { whileVisible } = await import("../../../dashboard/shell/live.ts");

test("the address holds the path, the filters and the acting key", () => {
  expect([path.value, query("query"), query("key"), query("none")]).toEqual(["/keys", "a", "K1", ""]);
});

test.each([
  ["/sources", {}, "/dashboard/sources?key=K1"],
  ["/", {}, "/dashboard?key=K1"],
  ["/sources", { health: "failing" }, "/dashboard/sources?key=K1&health=failing"],
  ["/sources", { key: null, health: "" }, "/dashboard/sources"],
])("a link to %s with %j leads to %s", (to, parameters, href) => {
  expect(link(to, parameters)).toBe(href);
});

test("a filter replaces the address, and the next page of a list adds one that knows the way back", () => {
  setQuery({ query: "b c" });
  expect([browser.location.search, browser.history.entries]).toEqual(["?key=K1&query=b+c", 1]);
  setQuery({ cursor: "c2" }, { keep: true, before: ["c1"] });
  expect([query("cursor"), cursorsBefore(), browser.history.entries]).toEqual(["c2", ["c1"], 2]);
  setQuery({ cursor: "c2" }, { keep: true });
  expect(browser.history.entries).toBe(2);
});

test("another page keeps the acting key and drops the filters", () => {
  navigate("/usage");
  expect([path.value, browser.location.search, query("cursor")]).toEqual(["/usage", "?key=K1", ""]);
});

describe("a page that asks again", () => {
  beforeEach(() => {
    jest.useFakeTimers();
    browser.document.hidden = false;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const counter = () => {
    const asked = { times: 0 };
    const ask = async () => {
      asked.times += 1;
    };
    return { asked, ask };
  };

  test("it asks at once and after each pause until it ends", async () => {
    const { asked, ask } = counter();
    const stop = whileVisible(ask, 5000);
    expect(asked.times).toBe(1);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(asked.times).toBe(3);
    stop();
    await jest.advanceTimersByTimeAsync(20_000);
    expect([asked.times, listeners.size]).toEqual([3, 0]);
  });

  test("it does not ask while the page is hidden, and asks at once when the page is shown", async () => {
    const { asked, ask } = counter();
    const stop = whileVisible(ask, 5000);
    browser.document.hidden = true;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked.times).toBe(1);
    browser.document.hidden = false;
    listeners.get("visibilitychange")?.();
    expect(asked.times).toBe(2);
    stop();
  });

  test("it does not ask again before the answer arrives", async () => {
    let asked = 0;
    let answer: () => void = () => undefined;
    const stop = whileVisible(() => {
      asked += 1;
      return new Promise<void>(resolve => {
        answer = resolve;
      });
    }, 5000);
    listeners.get("visibilitychange")?.();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(1);
    answer();
    await jest.advanceTimersByTimeAsync(5000);
    expect(asked).toBe(2);
    stop();
  });
});
