import { type Jar, type KeptCookie, merged, VisitJar } from "../../../../services/scraper/sessions/jar.ts";

const cookie = (name: string, value: string, more: Partial<KeptCookie> = {}): KeptCookie => ({
  ...{ name, value, domain: "shop.example", hostOnly: true, path: "/", secure: false, httpOnly: false },
  ...more,
});
const jarOf = (...cookies: KeptCookie[]): Jar => ({ cookies, storage: {} });
const valuesOf = ({ cookies }: Jar) => cookies.map(({ name, value }) => `${name}=${value}`).toSorted();
const now = Date.parse("2026-01-01T00:00:00Z");

function visit(kept: Jar, work: (jar: VisitJar) => void, yields = false) {
  const jar = new VisitJar("shop.example", kept, now);
  work(jar);
  return jar.changes(yields);
}
const receiving =
  (...values: string[]) =>
  (jar: VisitJar) =>
    jar.receive("https://shop.example/", values, now);

test("two visits at once: each renewal is kept, and what neither has touched", () => {
  const kept = jarOf(cookie("a", "1"), cookie("b", "1"), cookie("c", "1"));
  const one = visit(kept, receiving("a=2; Path=/"));
  const other = visit(kept, receiving("b=2; Path=/", "d=1; Path=/"));
  expect(valuesOf(merged(merged(kept, one), other))).toEqual(["a=2", "b=2", "c=1", "d=1"]);
  expect(valuesOf(merged(merged(kept, other), one))).toEqual(["a=2", "b=2", "c=1", "d=1"]);
});

test("a visit that has met a login takes no cookie back that another has renewed", () => {
  const kept = jarOf(cookie("sid", "old"));
  const login = visit(kept, receiving("sid=good; Path=/"));
  const late = visit(kept, receiving("sid=anonymous; Path=/", "seen=1; Path=/"), true);
  expect(valuesOf(merged(merged(kept, login), late))).toEqual(["seen=1", "sid=good"]);
});

test("what a site removes goes, unless another visit has renewed it", () => {
  const kept = jarOf(cookie("sid", "old"));
  const removal = visit(kept, receiving("sid=; Path=/; Max-Age=0"));
  expect(valuesOf(merged(kept, removal))).toEqual([]);
  const renewal = visit(kept, receiving("sid=new; Path=/"));
  expect(valuesOf(merged(merged(kept, renewal), removal))).toEqual(["sid=new"]);
});

test.each([
  ["another site", "https://other.example/", "a=1"],
  ["another site that names this one", "https://other.example/", "a=1; Domain=shop.example"],
  ["a name that only looks like it", "https://evilshop.example/", "a=1"],
  ["all of a public suffix", "https://shop.example/", "a=1; Domain=example"],
])("a cookie of %s is not kept", (_, url, value) => {
  const kept = visit(jarOf(), jar => jar.receive(url, [value], now));
  expect(kept.after.cookies).toEqual([]);
});

test("a cookie of a host below the site is kept, and the site's own for all of them", () => {
  const changes = visit(jarOf(), jar => {
    jar.receive("https://login.shop.example/", ["host=1", "all=1; Domain=shop.example"], now);
  });
  expect(changes.after.cookies).toMatchObject([
    { name: "host", domain: "login.shop.example", hostOnly: true },
    { name: "all", domain: "shop.example", hostOnly: false },
  ]);
});

test("a browser: what the page changed counts, and not what the browser had before it", () => {
  const browser = (name: string, value: string) => ({
    ...{ name, value, domain: "shop.example", path: "/", secure: false, httpOnly: false, expires: -1 },
  });
  // Chromium has not taken `odd`, and the request has sent `sent` for itself.
  const kept = jarOf(cookie("a", "1"), cookie("b", "1"), cookie("odd", "1"));
  const had = [browser("a", "1"), browser("b", "1"), browser("sent", "x")];
  const has = [
    browser("a", "2"),
    browser("sent", "x"),
    { ...browser("other", "1"), domain: "other.example" },
  ];
  const changes = visit(kept, jar => jar.replace(had, has));
  expect(valuesOf(merged(kept, changes))).toEqual(["a=2", "odd=1"]);
});

test("local storage is merged by its names, for the origins of the site alone", () => {
  const kept: Jar = { cookies: [], storage: { "https://shop.example": { token: "1", theme: "dark" } } };
  const renewal = visit(kept, jar => jar.store("https://shop.example", { token: "2", theme: "dark" }));
  const other = visit(kept, jar => {
    jar.store("https://shop.example", { token: "1", theme: "light" });
    jar.store("https://other.example", { token: "theirs" });
  });
  expect(merged(merged(kept, renewal), other).storage).toEqual({
    "https://shop.example": { token: "2", theme: "light" },
  });
});

test("a jar is bounded: the latest cookies stay", () => {
  const many = Array.from({ length: 400 }, (_, n) => `c${n}=1; Path=/`);
  const { cookies } = merged(jarOf(), visit(jarOf(), receiving(...many)));
  expect(cookies.length).toBe(300);
  expect(cookies.at(-1)?.name).toBe("c399");
});
