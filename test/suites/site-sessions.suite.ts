import type { JobVault } from "../../mixins/clients/job-vault.ts";
import type { Store } from "../../mixins/store/store.ts";
import {
  idleMs,
  loginEveryMs,
  SiteSessions,
  type StoredSession,
  sessionIndexes,
  sessionsCollection,
  type Visit,
} from "../../services/scraper/sessions/sessions.store.ts";
import type { StoreDriver } from "./store.suite.ts";

const url = "https://shop.example/orders";
const actions = [{ type: "type" as const, selector: "#pw", text: "correct horse" }];

/** A vault whose texts open for their own record alone. */
const vault: JobVault = {
  seal: async (id, text) => Buffer.from(JSON.stringify([id, text])).toString("base64"),
  unseal: async (id, sealed) => {
    const [of, text] = JSON.parse(Buffer.from(sealed, "base64").toString());
    if (of !== id) throw new Error(`This text is of ${of}.`);
    return text;
  },
};

/** Sessions at sites, as several processes have them in one store. */
export function siteSessionsSuite(name: string, driverOf: () => StoreDriver): void {
  describe(`sessions at sites on ${name}`, () => {
    const driver = driverOf();
    let store: Store<StoredSession>;
    let now = Date.parse("2026-03-01T10:00:00Z");
    beforeEach(async () => {
      store = (await driver.open(sessionsCollection, sessionIndexes, {})) as unknown as Store<StoredSession>;
    });
    afterEach(() => driver.close());

    /** What a process has of them: nothing but the store. */
    const process = () => new SiteSessions(store, vault, () => now);
    const of = { keyId: "k1", name: "shop" };
    const withLogin = async (login = { actions }) => {
      const sessions = process();
      await sessions.keepLogin({ ...of, login }, url, "session");
      return sessions;
    };
    const set = (visit: Visit, cookie: string) => visit.jar.receive(url, [cookie], now);
    const cookiesOf = (visit: Visit) => visit.jar.cookies.map(({ name, value }) => `${name}=${value}`).sort();

    test("of many visits in many processes one signs in", async () => {
      await withLogin();
      const claims = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const sessions = process();
          return await sessions.claimLogin(await sessions.open(of, url), 30_000);
        }),
      );
      expect(claims.filter(({ kind }) => kind === "mine").length).toBe(1);
      expect(new Set(claims.map(({ kind }) => kind))).toEqual(new Set(["mine", "busy"]));
    });

    test("a process that ends after its claim has had the login of the hour", async () => {
      await withLogin();
      const ended = process();
      expect((await ended.claimLogin(await ended.open(of, url), 30_000)).kind).toBe("mine");
      const next = process();
      const claim = async () => (await next.claimLogin(await next.open(of, url), 30_000)).kind;
      expect(await claim()).toBe("busy");
      now += 31_000;
      expect(await next.isSigningIn(await next.open(of, url))).toBe(false);
      expect(await claim()).toBe("too soon");
      now += loginEveryMs - 31_000 - 1;
      expect(await claim()).toBe("too soon");
      now += 1;
      expect(await claim()).toBe("mine");
    });

    test("visits at once leave the changes of all of them", async () => {
      const visits = await Promise.all(
        Array.from({ length: 5 }, async (_, n) => {
          const sessions = process();
          const visit = await sessions.open(of, url);
          set(visit, `c${n}=${n}; Path=/`);
          return { sessions, visit };
        }),
      );
      await Promise.all(visits.map(({ sessions, visit }) => sessions.keep(visit, true)));
      const sessions = process();
      expect(cookiesOf(await sessions.open(of, url))).toEqual(["c0=0", "c1=1", "c2=2", "c3=3", "c4=4"]);
    });

    test("the jar and the login are sealed, for their session alone", async () => {
      const sessions = await withLogin();
      const visit = await sessions.open(of, url);
      set(visit, "sid=very-secret; Path=/");
      await sessions.keep(visit, true);
      const [stored] = await store.find({ query: {} });
      for (const secret of ["very-secret", "correct horse"])
        expect(JSON.stringify(stored)).not.toContain(secret);
    });

    test("each key, site and name has a jar of its own", async () => {
      const sessions = process();
      const visit = await sessions.open(of, url);
      set(visit, "sid=1; Domain=shop.example; Path=/");
      await sessions.keep(visit, true);
      expect(cookiesOf(await sessions.open(of, "https://www.shop.example/"))).toEqual(["sid=1"]);
      const others = [
        sessions.open({ ...of, keyId: "k2" }, url),
        sessions.open({ ...of, name: "other" }, url),
        sessions.open(of, "https://shop.example.org/"),
      ];
      for (const other of await Promise.all(others)) expect(cookiesOf(other)).toEqual([]);
    });

    test("a session that was erased takes nothing of a visit that began before", async () => {
      const sessions = await withLogin();
      const visit = await sessions.open(of, url);
      await sessions.erase(of.keyId, visit.id);
      set(visit, "sid=1; Path=/");
      await sessions.keep(visit, true);
      expect(await store.findById(visit.id)).toBeNull();
      const again = await sessions.open(of, url);
      set(visit, "sid=2; Path=/");
      await sessions.keep(visit, true);
      expect([again.id, cookiesOf(await sessions.open(of, url))]).toEqual([visit.id, []]);
      expect((await sessions.claimLogin(again, 30_000)).kind).toBe("no login");
    });

    test("a key's erasure takes its sessions, and time those that nobody uses", async () => {
      const sessions = process();
      await sessions.open(of, url);
      await sessions.open({ ...of, name: "two" }, url);
      await sessions.open({ keyId: "k2", name: "shop" }, url);
      expect(await sessions.count(["k1", "k2"])).toBe(3);
      await sessions.eraseOfKey("k1");
      expect([await sessions.count(["k1"]), await sessions.count(["k2"])]).toEqual([0, 1]);
      now += idleMs;
      await sessions.prune();
      expect(await sessions.count(["k2"])).toBe(0);
    });
  });
}
