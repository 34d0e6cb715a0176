import { createHash } from "node:crypto";
import { ulid } from "ulid";
import type { JobVault } from "../../../mixins/clients/job-vault.ts";
import { findPage } from "../../../mixins/store/pages.ts";
import type { Doc, Index, Store } from "../../../mixins/store/store.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { Login, LoginAction, SessionOptions } from "../../contracts/page-actions.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type { SessionsRequest, SiteSession } from "../../contracts/site-sessions.contract.ts";
import { siteName } from "../../domain/url/same-site.ts";
import { isChanged, type Jar, type JarChanges, merged, VisitJar } from "./jar.ts";

/** The session of a key at a site. `_id` is made of key, site and name. */
export interface StoredSession extends Doc {
  keyId: string;
  name: string;
  site: string;
  /** Made anew where a session is made again after it was erased: a visit of the former one leaves nothing in it. */
  born: string;
  /** Each change of the jar has another. */
  revision: number;
  /** The jar as JSON, encrypted. */
  jar?: string;
  /** The actions are encrypted. */
  login?: Omit<Login, "actions"> & { sealed: string };
  /** How many logins have succeeded. */
  logins: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
  usedAt: number;
  checkedAt?: number;
  signedInAt?: number;
  /** When a login was last tried, and who is at it until when. */
  triedAt?: number;
  attempt?: { token: string; until: number };
  problem?: { message: string; at: number };
}

export const sessionsCollection = "site_sessions";
export const sessionIndexes: Index[] = [{ fields: ["keyId", "_id"] }, { fields: ["usedAt"] }];

/** A session that nobody uses is erased after this time. */
export const idleMs = 90 * 24 * 3_600_000;
/** A login is tried at most so often, with or without success. */
export const loginEveryMs = 3_600_000;
const mostOfKey = 1000;
const pruneSlice = 100;

/** Whose session it is, and its name. */
export interface SessionOf {
  keyId: string;
  name: string;
}

/** A visit in a session. */
export interface Visit {
  id: string;
  born: string;
  jar: VisitJar;
  login?: StoredSession["login"];
  /** Logins that had succeeded when it began. */
  logins: number;
}

/** What came of the wish to sign in. `done`: another visit has signed in since this one began. */
export type Claim =
  | { kind: "mine"; token: string; actions: LoginAction[]; triedBefore: number | undefined }
  | { kind: "done" | "busy" | "too soon" | "no login" };

/** The sessions at sites, of all keys. */
export class SiteSessions {
  readonly #store: Store<StoredSession>;
  readonly #vault: JobVault;
  readonly #now: () => number;

  constructor(store: Store<StoredSession>, vault: JobVault, now: () => number = Date.now) {
    this.#store = store;
    this.#vault = vault;
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  /** Begins a visit to a page; the session is made where there is none. */
  async open(of: SessionOf, url: string): Promise<Visit> {
    const { _id: id, born, site, jar, login, logins } = await this.#made(of, url);
    const kept = await this.#opened({ _id: id, born, ...(jar !== undefined && { jar }) });
    return { id, born, jar: new VisitJar(site, kept, this.#now()), logins, ...(login && { login }) };
  }

  /** Gives a visit what is kept now. */
  async reopen(visit: Visit): Promise<void> {
    const found = await this.#find(visit);
    if (!found) return;
    visit.jar.open(await this.#opened(found), this.#now());
    visit.logins = found.logins;
  }

  /** Keeps what a visit has changed. `isSignedIn`: it has not met a login. A session that was erased meanwhile stays so. */
  async keep(visit: Visit, isSignedIn: boolean): Promise<void> {
    const changes = visit.jar.changes(!isSignedIn);
    if (isChanged(changes)) await this.#merge(visit, changes);
    const at = this.#now();
    await this.#change(visit, ({ problem, signedInAt, ...session }) => ({
      ...session,
      ...{ usedAt: at, checkedAt: at },
      ...(!isSignedIn && problem && { problem }),
      // Another visit may have signed in meanwhile.
      ...((isSignedIn || session.logins > visit.logins) && signedInAt !== undefined && { signedInAt }),
    }));
  }

  /** Decides in one write, for all nodes, who signs in: at most one in an hour, also when it ends with its process. */
  async claimLogin(visit: Visit, forMs: number): Promise<Claim> {
    const [token, at] = [ulid(), this.#now()];
    const before = await this.#find(visit);
    const refused = before === null ? "no login" : refusal(before, visit, at);
    if (refused !== null || !before?.login) return { kind: refused ?? "no login" };
    const { sealed } = before.login;
    const actions = JSON.parse(await this.#unseal(before, sealed));
    let triedBefore: number | undefined;
    const found = await this.#change(visit, session => {
      if (session.login?.sealed !== sealed || refusal(session, visit, at) !== null) return undefined;
      triedBefore = session.triedAt;
      return { ...session, triedAt: at, attempt: { token, until: at + forMs } };
    });
    if (found?.attempt?.token === token) return { kind: "mine", token, actions, triedBefore };
    return { kind: (found && refusal(found, visit, at)) ?? "busy" };
  }

  /** Whether a login is under way still. */
  async isSigningIn(visit: Visit): Promise<boolean> {
    const { attempt } = (await this.#find(visit)) ?? {};
    return attempt !== undefined && attempt.until > this.#now();
  }

  /** Ends a login: it succeeded, or there is a problem. */
  async endLogin(visit: Visit, token: string, problem: string | null): Promise<void> {
    const at = this.#now();
    await this.#change(visit, ({ attempt, problem: _, signedInAt: __, ...session }) => {
      if (attempt?.token !== token) return undefined;
      if (problem !== null) return { ...session, problem: { message: problem, at } };
      return { ...session, signedInAt: at, logins: session.logins + 1 };
    });
  }

  /** Gives a login back that did not begin. */
  async returnLogin(visit: Visit, token: string, triedBefore: number | undefined): Promise<void> {
    await this.#change(visit, ({ attempt, triedAt: _, ...session }) => {
      if (attempt?.token !== token) return undefined;
      return { ...session, ...(triedBefore !== undefined && { triedAt: triedBefore }) };
    });
  }

  /** Says why a session is not signed in; a reason that is there already stays. Answers the one that holds. */
  async explain(visit: Visit, message: string): Promise<string> {
    const at = this.#now();
    const session = await this.#change(visit, found =>
      found.problem ? undefined : { ...found, problem: { message, at } },
    );
    return session?.problem?.message ?? message;
  }

  /** Keeps the login of a session. Throws a 400 for one that leads to another site. */
  async keepLogin(
    { keyId, name, login }: SessionOf & SessionOptions,
    url: string,
    field: string,
  ): Promise<void> {
    if (!login) return;
    const { actions, url: at, when } = login;
    if (at !== undefined && siteOf(at) !== siteOf(url)) throw otherSite(`${field}.login.url`);
    const { _id, born } = await this.#made({ keyId, name }, url);
    const sealed = await this.#vault.seal(recordOf({ _id, born }), JSON.stringify(actions));
    const kept = { sealed, ...(at !== undefined && { url: at }), ...(when !== undefined && { when }) };
    await this.#change({ id: _id, born }, session => ({ ...session, login: kept, usedAt: this.#now() }));
  }

  async list({ keyId, ...wanted }: SessionsRequest & { keyId: string }): Promise<ListPage<SiteSession>> {
    const { page, next_cursor } = await findPage(this.#store, { ...wanted, query: { keyId } });
    return { data: page.map(shown), next_cursor, message: "Sessions listed." };
  }

  async get(keyId: string, id: string): Promise<SiteSession> {
    const session = await this.#store.findById(id);
    if (session?.keyId !== keyId) throw fail("not_found", "This key has no session with this id.");
    return shown(session);
  }

  async erase(keyId: string, id: string): Promise<void> {
    await this.get(keyId, id);
    await this.#store.removeMany({ _id: id, keyId });
  }

  async count(keyIds: readonly string[]): Promise<number> {
    return await this.#store.count({ keyId: { $in: keyIds } });
  }

  async eraseOfKey(keyId: string): Promise<void> {
    await this.#store.removeMany({ keyId });
  }

  /** Erases what nobody has used for long. */
  async prune(): Promise<void> {
    const query = { usedAt: { $lte: this.#now() - idleMs } };
    for (;;) {
      const idle = await this.#store.find({ query, sort: ["usedAt"], limit: pruneSlice });
      for (const { _id } of idle) await this.#store.removeMany({ _id, ...query });
      if (idle.length < pruneSlice) return;
    }
  }

  async #made({ keyId, name }: SessionOf, url: string): Promise<StoredSession> {
    const site = siteOf(url);
    const hash = createHash("sha256")
      .update(JSON.stringify([keyId, site, name]))
      .digest("base64url");
    const _id = `ses_${hash.slice(0, 22)}`;
    const found = await this.#store.findById(_id);
    if (found) return found;
    if ((await this.#store.count({ keyId })) >= mostOfKey) throw tooMany();
    const at = this.#now();
    const session = {
      ...{ _id, keyId, name, site, born: ulid(), revision: 0, logins: 0 },
      createdAt: at,
      usedAt: at,
    };
    return (await this.#store.change(_id, existing => existing ?? session)) ?? session;
  }

  async #find({ id, born }: Pick<Visit, "id" | "born">): Promise<StoredSession | null> {
    const session = await this.#store.findById(id);
    return session?.born === born ? session : null;
  }

  /** Changes the session of a visit, unless it was erased. */
  async #change(
    { id, born }: Pick<Visit, "id" | "born">,
    work: (session: StoredSession) => StoredSession | undefined,
  ): Promise<StoredSession | null> {
    const session = await this.#store.change(id, found => (found?.born === born ? work(found) : undefined));
    return session?.born === born ? session : null;
  }

  /** Visits at once merge one after the other: each with what the others have kept. */
  async #merge(visit: Visit, changes: JarChanges): Promise<void> {
    for (;;) {
      const found = await this.#find(visit);
      if (!found) return;
      const next = merged(await this.#opened(found), changes);
      const jar = await this.#vault.seal(recordOf(found), JSON.stringify(next));
      const revision = found.revision + 1;
      const after = await this.#change(visit, session =>
        session.revision === found.revision ? { ...session, jar, revision } : undefined,
      );
      if (after?.jar !== jar && after !== null) continue;
      visit.jar.open(next, this.#now());
      return;
    }
  }

  async #opened(session: Pick<StoredSession, "_id" | "born" | "jar">): Promise<Jar> {
    if (session.jar === undefined) return { cookies: [], storage: {} };
    return JSON.parse(await this.#unseal(session, session.jar));
  }

  async #unseal(session: Pick<StoredSession, "_id" | "born">, sealed: string): Promise<string> {
    return await this.#vault.unseal(recordOf(session), sealed);
  }
}

/** Why a visit may not sign in now; null where it may. */
function refusal(
  { login, logins, attempt, triedAt = -Infinity }: StoredSession,
  visit: Visit,
  at: number,
): Exclude<Claim["kind"], "mine"> | null {
  if (!login) return "no login";
  if (logins > visit.logins) return "done";
  if (attempt && attempt.until > at) return "busy";
  return at - triedAt < loginEveryMs ? "too soon" : null;
}

function recordOf({ _id, born }: Pick<StoredSession, "_id" | "born">): string {
  return `session/${_id}/${born}`;
}

function siteOf(url: string): string {
  return siteName({ hostname: URL.parse(url)?.hostname ?? "" });
}

const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());

function shown(session: StoredSession): SiteSession {
  const { _id, name, site, login, signedInAt, checkedAt, triedAt, problem, createdAt, usedAt } = session;
  return {
    ...{ id: _id, name, site, has_login: login !== undefined },
    ...{ signed_in_since: iso(signedInAt), last_checked: iso(checkedAt), last_login: iso(triedAt) },
    problem: problem ? { message: problem.message, at: new Date(problem.at).toISOString() } : null,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(usedAt + idleMs).toISOString(),
  };
}

function otherSite(field: string): Error {
  return invalid(field, "other_site", "A session signs in at its own site only.");
}

function tooMany(): Error {
  return invalid("session.name", "too_many", `A key has at most ${mostOfKey} sessions: erase some of them.`);
}
