import { fail } from "../../../services/contracts/errors.ts";
import { type ProxyOutcome, ProxyPool } from "../../../services/scraper/fetch/proxy-pool.ts";

const all = ["http://a.test:1", "http://b.test:2", "http://c.test:3", "http://d.test:4"];
const never = new AbortController().signal;
const refused = () => Object.assign(new Error("no"), { code: "ECONNREFUSED" });
const unreached = (cause: Error) => fail("target_unreachable", "The site refused the connection.", {}, cause);
const answered = (status: number) => new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`);

let now: number;
let outcomes: ProxyOutcome[];
let drawn: number;
let pool: ProxyPool;

beforeEach(() => {
  [now, outcomes, drawn] = [1_000_000, [], 0];
  pool = new ProxyPool(
    { AT: all.slice(0, 3), DE: all },
    { now: () => now, pick: count => drawn % count, onEnded: outcome => outcomes.push(outcome) },
  );
});

/** The proxies that a request was tried through; `errors` says which fail. */
async function triedBy(
  errors: Record<string, Error> = {},
  options: { location: string; sticky_session?: string } = { location: "AT" },
  signal = never,
): Promise<(string | undefined)[]> {
  const tried: (string | undefined)[] = [];
  const work = async (url: string | undefined) => {
    tried.push(url);
    const error = errors[url ?? ""];
    if (error) throw error;
    return url;
  };
  await pool.through(options, "key", signal, work).catch(() => tried.push("failed"));
  return tried;
}

test("a country without proxies is asked directly, and a name in small letters is the same", async () => {
  expect(await triedBy({}, { location: "US" })).toEqual([undefined]);
  expect(await triedBy({}, { location: "at" })).toEqual([all[0]]);
});

test.each([
  ["refuses connections", refused()],
  ["wants another password", answered(407)],
  ["breaks off", Object.assign(new Error("no"), { code: "UND_ERR_PRX_CONN" })],
])("a proxy that %s is replaced by another, rests, and is tried again then", async (_, cause) => {
  expect(await triedBy({ "http://a.test:1": unreached(cause) })).toEqual([all[0], all[1]]);
  expect(outcomes).toEqual(["failed", "served"]);
  expect(pool.states()[0]).toEqual({ country: "AT", working: 2, resting: 1 });
  expect(await triedBy()).toEqual([all[1]]);
  now += 15_001;
  expect(pool.states()[0]?.resting).toBe(0);
  expect(await triedBy({ "http://a.test:1": refused() })).toEqual([all[0], all[1]]);
  now += 15_001;
  // It failed twice in a row, so it rests twice as long.
  expect(await triedBy()).toEqual([all[1]]);
  now += 15_001;
  expect(await triedBy()).toEqual([all[0]]);
});

test("a site that no proxy reaches is the site's fault; one that another proxy reaches is not", async () => {
  const errors = Object.fromEntries(all.map(url => [url, answered(502)]));
  expect(await triedBy(errors)).toEqual([all[0], all[1], all[2], "failed"]);
  expect(pool.states()[0]?.resting).toBe(0);
  expect(await triedBy({ "http://a.test:1": answered(502) })).toEqual([all[0], all[1]]);
  expect(pool.states()[0]?.resting).toBe(1);
});

test("an error of the site is told at once, and so is the end of the request's time", async () => {
  expect(await triedBy({ "http://a.test:1": fail("tls_error", "expired") })).toEqual([all[0], "failed"]);
  const over = AbortSignal.abort();
  expect(await triedBy({ "http://a.test:1": refused() }, { location: "AT" }, over)).toEqual([
    all[0],
    "failed",
  ]);
  expect(pool.states()[0]?.resting).toBe(0);
});

test("a request tries three proxies at most, and where all rest, the one whose rest ends first", async () => {
  const errors = Object.fromEntries(all.map(url => [url, refused()]));
  const wanted = { location: "DE" };
  expect(await triedBy(errors, wanted)).toEqual([...all.slice(0, 3), "failed"]);
  now += 10;
  expect(await triedBy(errors, wanted)).toEqual([all[3], all[0], all[1], "failed"]);
  expect(pool.states()[1]).toEqual({ country: "DE", working: 0, resting: 4 });
  expect(await triedBy({}, wanted)).toEqual([all[2]]);
});

test("a session keeps its proxy, has another while that rests, and comes back", async () => {
  const session = { location: "DE", sticky_session: "basket" };
  const [own] = await triedBy({}, session);
  for (let n = 0; n < 5; n += 1) {
    drawn = n;
    expect(await triedBy({}, session)).toEqual([own]);
  }
  const [, other] = await triedBy({ [own ?? ""]: refused() }, session);
  expect(await triedBy({}, session)).toEqual([other]);
  now += 15_001;
  expect(await triedBy({}, session)).toEqual([own]);
});
