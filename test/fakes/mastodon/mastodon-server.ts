import type { IncomingMessage, ServerResponse } from "node:http";
import { FlakyServer } from "../../support/flaky-server.ts";
import { FlakyStreams } from "../../support/flaky-streams.ts";
import { type AccountEntity, account, type StatusEntity, status } from "./entities.ts";

/** How the account stands with another one. */
interface Relationship {
  following: boolean;
  requested: boolean;
  notifying: boolean;
  showing_reblogs: boolean;
}

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

const none: Relationship = { following: false, requested: false, notifying: false, showing_reblogs: false };

/** A Mastodon server with one account of ours, over HTTP and WebSocket (docs.joinmastodon.org). */
export class MastodonServer {
  readonly accessToken = "token-of-the-test";
  readonly accounts = new Map<string, AccountEntity>();
  /** Accounts of other servers that this one has not met; a search with `resolve` finds them. */
  readonly elsewhere: AccountEntity[] = [];
  readonly statuses: StatusEntity[] = [];
  readonly relationships = new Map<string, Relationship>();
  /** Method and path with query of every request, oldest first. */
  readonly requests: string[] = [];
  /** What the next requests answer instead, whatever they ask. */
  readonly instead: Answer[] = [];
  /** Filled while `hold` is in force. */
  #held: string[] | undefined;
  /** How it names its stream. GoToSocial says `wss` although it listens without TLS. */
  streamScheme: "ws" | "wss" = "ws";
  readonly #ids: "numbers" | "ulids";
  #nextStatus = 112_000_000_000_000_000n;
  readonly #streams = new FlakyStreams({ refusal: (...asked) => this.#refusal(...asked) });
  readonly #server = new FlakyServer(
    (request, response) => void this.#serve(request, response),
    (...upgrade) => this.#streams.upgrade(...upgrade),
  );

  /** `ulids`: ids as GoToSocial has them; a handshake without a `User-Agent` is refused there. */
  constructor(ids: "numbers" | "ulids" = "numbers") {
    this.#ids = ids;
  }

  get url(): string {
    return `http://${this.#server.host}`;
  }

  get streams(): number {
    return this.#streams.count;
  }

  async start(): Promise<this> {
    await this.#server.start();
    return this;
  }

  addAccount(fields: Partial<AccountEntity> & { id: string; username: string }): AccountEntity {
    const added = account(fields);
    this.accounts.set(added.id, added);
    return added;
  }

  /** Publishes a status; it goes to the stream of who follows. */
  post(accountId: string, fields: Partial<StatusEntity> = {}): StatusEntity {
    const author = this.accounts.get(accountId);
    if (!author) throw new Error(`no account ${accountId}`);
    const published = status(this.#nextId(), author, fields);
    this.statuses.push(published);
    const { following, notifying } = this.relationships.get(accountId) ?? none;
    if (!following) return published;
    this.#tell("update", published);
    if (notifying)
      this.#tell("notification", { id: "1", type: "status", account: author, status: published });
    return published;
  }

  edit(id: string, content: string): void {
    const edited = this.statuses.find(each => each.id === id);
    Object.assign(edited ?? {}, { content, edited_at: new Date().toISOString() });
    this.#tell("status.update", edited);
  }

  /** The stream names the status alone. */
  remove(id: string): void {
    const at = this.statuses.findIndex(each => each.id === id);
    this.statuses.splice(at, 1);
    this.sendRaw(JSON.stringify({ stream: ["user"], event: "delete", payload: id }));
  }

  #nextId(): string {
    this.#nextStatus += 65_536_000n;
    // A ULID's text grows as its number does.
    return this.#ids === "numbers" ? String(this.#nextStatus) : `01${this.#nextStatus}`.padEnd(26, "H");
  }

  #isBefore(a: string, b: string): boolean {
    return this.#ids === "numbers" ? BigInt(a) < BigInt(b) : a < b;
  }

  /** A message of the stream as it is, for example one that is no JSON. */
  sendRaw(text: string): void {
    if (this.#held) this.#held.push(text);
    else this.#streams.send(text);
  }

  /** Keeps what the stream would tell, until it is released in an order of the test's. */
  hold(): void {
    this.#held = [];
  }

  release(order: (messages: string[]) => string[]): void {
    const messages = order(this.#held ?? []);
    this.#held = undefined;
    for (const message of messages) this.sendRaw(message);
  }

  limitNext(ms = 300): void {
    const headers = { "x-ratelimit-reset": new Date(Date.now() + ms).toISOString() };
    this.instead.push({ status: 429, headers, body: { error: "Too many requests" } });
  }

  /** Ends every stream, and takes none until `heal`. */
  cut(): void {
    this.#streams.cut();
  }

  goAway(): void {
    this.#server.goAway();
  }

  heal(): void {
    this.#streams.heal();
    this.#server.heal();
  }

  async close(): Promise<void> {
    this.#streams.close();
    await this.#server.close();
  }

  #tell(event: string, payload: unknown): void {
    this.sendRaw(JSON.stringify({ stream: ["user"], event, payload: JSON.stringify(payload) }));
  }

  #refusal(request: IncomingMessage, { pathname, searchParams }: URL): string | undefined {
    if (!this.#isAuthorized(request)) return "401 Unauthorized";
    const isOurs = pathname === "/api/v1/streaming" && searchParams.get("stream") === "user";
    return isOurs ? undefined : "404 Not Found";
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    this.requests.push(`${request.method} ${request.url}`);
    const answer = this.instead.shift() ?? this.#answer(request, text);
    const isJson = typeof answer.body !== "string";
    const type = isJson ? "application/json; charset=utf-8" : "text/html";
    response.writeHead(answer.status ?? 200, { "content-type": type, ...answer.headers });
    response.end(isJson ? JSON.stringify(answer.body) : answer.body);
  }

  #answer(request: IncomingMessage, text: string): Answer {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    if (!this.#isAuthorized(request)) return { status: 401, body: { error: "The access token is invalid" } };
    const [, resource, id = "", verb] = /^\/api\/v[12]\/(\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    const call = `${request.method} ${resource}${verb ? `/${verb}` : ""}`;
    if (call === "GET instance")
      return {
        body: { configuration: { urls: { streaming: this.url.replace("http", this.streamScheme) } } },
      };
    if (resource === "timelines" && id === "tag") return { body: this.#found(`#${verb}`, searchParams) };
    if (call === "GET search" && searchParams.get("type") === "statuses")
      return { body: { accounts: [], statuses: this.#found(searchParams.get("q") ?? "", searchParams) } };
    if (call === "GET search") return { body: { accounts: this.#search(searchParams), statuses: [] } };
    if (call === "GET accounts" && id === "lookup") return found(this.#named(searchParams.get("acct") ?? ""));
    if (call === "GET statuses") return found(this.statuses.find(each => each.id === id));
    const owner = this.accounts.get(id);
    if (!owner) return missing;
    if (call === "GET accounts") return { body: owner };
    if (call === "GET accounts/statuses") return { body: this.#page(id, searchParams) };
    if (call === "POST accounts/follow") return this.#follow(owner, JSON.parse(text || "{}"));
    if (call === "POST accounts/unfollow") {
      this.relationships.delete(id);
      return { body: { id, ...none } };
    }
    return missing;
  }

  #isAuthorized({ headers }: IncomingMessage): boolean {
    return headers.authorization === `Bearer ${this.accessToken}`;
  }

  #named(acct: string): AccountEntity | undefined {
    return [...this.accounts.values()].find(each => each.acct.toLowerCase() === acct.toLowerCase());
  }

  #search(query: URLSearchParams): AccountEntity[] {
    const acct = query.get("q")?.replace(/^@/, "");
    const met = query.get("resolve") === "true" && this.elsewhere.find(each => each.acct === acct);
    if (met) this.accounts.set(met.id, met);
    return met ? [met] : [];
  }

  /** Public statuses with a text, newest first. */
  #found(text: string, query: URLSearchParams): StatusEntity[] {
    const maxId = query.get("max_id");
    return this.statuses
      .filter(({ content, visibility }) => visibility === "public" && content.toLowerCase().includes(text))
      .filter(({ id }) => maxId === null || this.#isBefore(id, maxId))
      .sort((a, b) => (this.#isBefore(a.id, b.id) ? 1 : -1))
      .slice(0, Math.min(Number(query.get("limit") ?? 20), 40));
  }

  #follow(owner: AccountEntity, wanted: { notify?: boolean; reblogs?: boolean }): Answer {
    const isIn = this.relationships.get(owner.id)?.following === true || !owner.locked;
    const relationship = {
      following: isIn,
      requested: !isIn,
      notifying: wanted.notify ?? false,
      showing_reblogs: wanted.reblogs ?? true,
    };
    this.relationships.set(owner.id, relationship);
    return { body: { id: owner.id, ...relationship } };
  }

  /** Newest first; with `min_id` those that come right after it. */
  #page(accountId: string, query: URLSearchParams): StatusEntity[] {
    const limit = Math.min(Number(query.get("limit") ?? 20), 40);
    const [minId, maxId] = [query.get("min_id"), query.get("max_id")];
    const { following } = this.relationships.get(accountId) ?? none;
    const fitting = this.statuses.filter(
      each =>
        each.account.id === accountId &&
        (minId === null || this.#isBefore(minId, each.id)) &&
        (maxId === null || this.#isBefore(each.id, maxId)) &&
        (query.get("exclude_reblogs") !== "true" || each.reblog === null) &&
        (following || each.visibility !== "private"),
    );
    return (minId === null ? fitting.slice(-limit) : fitting.slice(0, limit)).toReversed();
  }
}

const missing: Answer = { status: 404, body: { error: "Record not found" } };

function found(entity: unknown): Answer {
  return entity === undefined ? missing : { body: entity };
}
