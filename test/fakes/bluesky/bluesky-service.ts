import type { IncomingMessage, ServerResponse } from "node:http";
import type { WebSocket } from "ws";
import { FlakyServer } from "../../support/flaky-server.ts";
import { FlakyStreams } from "../../support/flaky-streams.ts";
import { type CommitOptions, cidOf, commitFrame, errorFrame, identityFrame } from "./relay-frames.ts";

export interface Actor {
  did: string;
  handle: string;
  displayName?: string;
  description?: string;
  createdAt?: string;
}

export interface StoredPost {
  uri: string;
  cid: string;
  author: Actor;
  record: Record<string, unknown>;
  indexedAt: string;
  repostedBy?: string;
}

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };
type Query = URLSearchParams;
type Input = Record<string, unknown>;

/** A Bluesky service: server, app view and relay in one, over HTTP (XRPC) and WebSocket (atproto.com/specs). */
export class BlueskyService {
  readonly identifier = "magpie.test";
  readonly appPassword = "app-password-of-the-test";
  readonly actors = new Map<string, Actor>();
  /** Record key -> whom the follow record names. */
  readonly follows = new Map<string, string>();
  readonly notified = new Set<string>();
  readonly posts: StoredPost[] = [];
  /** Method names of every request, oldest first. */
  readonly requests: string[] = [];
  /** What the next requests of a method answer instead; undefined: what they answer anyway. */
  readonly instead: [method: string | undefined, answer: Answer | undefined][] = [];
  /** Methods that do not answer. */
  readonly stalled = new Set<string>();
  /** Requests that wait for an answer that does not come. */
  waiting = 0;
  /** Cursors with which the relay was asked, oldest first. */
  readonly cursors: (string | null)[] = [];
  #tokens = 0;
  #access = "";
  #refresh = "";
  #seq = 0;
  #clock = Date.parse("2024-05-01T12:00:00.000Z");
  #told = Promise.resolve();
  #log: { seq: number; frame: Uint8Array }[] = [];
  readonly #streams = new FlakyStreams({
    refusal: (_, { pathname }) =>
      pathname === "/xrpc/com.atproto.sync.subscribeRepos" ? undefined : "404 Not Found",
    opened: (stream, { searchParams }) => this.#goOn(stream, searchParams.get("cursor")),
  });
  readonly #server = new FlakyServer(
    (request, response) => void this.#serve(request, response),
    (...upgrade) => this.#streams.upgrade(...upgrade),
  );

  get url(): string {
    return `http://${this.#server.host}`;
  }

  get relay(): string {
    return this.url.replace("http", "ws");
  }

  get streams(): number {
    return this.#streams.count;
  }

  async start(): Promise<this> {
    await this.#server.start();
    return this;
  }

  addActor(actor: Actor): Actor {
    this.actors.set(actor.did, actor);
    return actor;
  }

  /** Writes a post a second after the last one: the app view has it, and the relay tells it. */
  async post(
    did: string,
    fields: Record<string, unknown> = {},
    options?: CommitOptions,
  ): Promise<StoredPost> {
    this.#clock += 1000;
    const createdAt = new Date(this.#clock).toISOString();
    const record = { $type: "app.bsky.feed.post", text: "", createdAt, ...fields };
    const rkey = `post${this.posts.length}`;
    const uri = `at://${did}/app.bsky.feed.post/${rkey}`;
    const author = this.#actor(did);
    const stored = { uri, cid: await cidOf(record), author, record, indexedAt: createdAt };
    this.posts.push(stored);
    const write = { collection: "app.bsky.feed.post", rkey, record };
    this.tell(seq => commitFrame(seq, did, [write], options));
    await this.#told;
    return stored;
  }

  async remove(uri: string): Promise<void> {
    this.posts.splice(
      this.posts.findIndex(post => post.uri === uri),
      1,
    );
    const [did = "", collection = "", rkey = ""] = uri.replace("at://", "").split("/");
    this.tell(seq => commitFrame(seq, did, [{ collection, rkey }]));
    await this.#told;
  }

  repost(by: string, { uri }: StoredPost): void {
    this.#clock += 1000;
    const reposted = this.posts.find(post => post.uri === uri && post.repostedBy === undefined);
    if (!reposted) throw new Error(`no post ${uri}`);
    this.posts.push({ ...reposted, repostedBy: by, indexedAt: new Date(this.#clock).toISOString() });
  }

  rename(did: string, handle: string): void {
    this.#actor(did).handle = handle;
    this.tell(async seq => identityFrame(seq, did));
  }

  /** Appends to what the relay tells, in order. */
  tell(frame: (seq: number) => Promise<Uint8Array>): void {
    this.#seq += 1;
    const seq = this.#seq;
    this.#told = this.#told.then(async () => {
      const bytes = await frame(seq);
      this.#log.push({ seq, frame: bytes });
      this.#streams.send(bytes);
    });
  }

  /** The relay forgets what it told, and counts from 1. */
  restartRelay(): void {
    this.#log = [];
    this.#seq = 0;
    this.#streams.terminate();
  }

  /** The next request with the access token is told that it has expired; with `all`, the session is at its end. */
  expire({ all = false } = {}): void {
    this.#access = "";
    if (all) this.#refresh = "";
  }

  limitNext(method?: string, ms = 1000): void {
    const headers = { "ratelimit-reset": String(Math.ceil((Date.now() + ms) / 1000)) };
    this.instead.push([method, { status: 429, headers, body: { error: "RateLimitExceeded" } }]);
  }

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

  /** Tells what was told since a cursor, and what is told from now on. */
  #goOn(stream: WebSocket, cursor: string | null): void {
    this.cursors.push(cursor);
    if (Number(cursor) > this.#seq) return void stream.send(errorFrame("FutureCursor"), () => stream.close());
    const missed = cursor === null ? [] : this.#log.filter(({ seq }) => seq > Number(cursor));
    for (const { frame } of missed) stream.send(frame);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    const method = pathname.replace("/xrpc/", "");
    this.requests.push(method);
    if (this.stalled.has(method)) return this.#stall(response);
    const answer =
      this.#instead(method) ?? this.#answer(method, request, searchParams, JSON.parse(text || "{}"));
    const headers = { "content-type": "application/json", ...answer.headers };
    response.writeHead(answer.status ?? 200, headers).end(JSON.stringify(answer.body ?? {}));
  }

  #stall(response: ServerResponse): void {
    this.waiting += 1;
    response.on("close", () => {
      this.waiting -= 1;
    });
  }

  #instead(method: string): Answer | undefined {
    const at = this.instead.findIndex(([only]) => only === undefined || only === method);
    return at < 0 ? undefined : this.instead.splice(at, 1)[0]?.[1];
  }

  #answer(method: string, { headers }: IncomingMessage, query: Query, input: Input): Answer {
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    if (method === "com.atproto.server.createSession") return this.#createSession(input);
    if (method === "com.atproto.server.describeServer")
      return { body: { did: "did:web:bsky.test", availableUserDomains: [".bsky.test"] } };
    if (method === "com.atproto.server.refreshSession")
      return token !== "" && token === this.#refresh ? this.#session() : fault("ExpiredToken");
    if (token === "" || token !== this.#access) return fault("ExpiredToken");
    if (method === "com.atproto.server.getSession") return { body: this.#account() };
    if (method === "app.bsky.actor.getProfile") return this.#profile(query.get("actor") ?? "");
    if (method === "app.bsky.feed.getPosts") return this.#getPosts(query.getAll("uris"));
    if (method === "app.bsky.feed.getAuthorFeed") return this.#feed(query);
    if (method === "app.bsky.feed.searchPosts") return this.#search(query);
    if (method === "com.atproto.repo.putRecord") return this.#putRecord(input);
    if (method === "com.atproto.repo.deleteRecord") {
      this.follows.delete(String(input.rkey));
      return { body: {} };
    }
    if (method === "app.bsky.notification.putActivitySubscription") return this.#subscribe(input);
    return { status: 501, body: { error: "MethodNotImplemented" } };
  }

  #createSession({ identifier, password }: Input): Answer {
    if (identifier === this.identifier && password === this.appPassword) return this.#session();
    return {
      status: 401,
      body: { error: "AuthenticationRequired", message: "Invalid identifier or password" },
    };
  }

  #session(): Answer {
    this.#tokens += 1;
    this.#access = `access-${this.#tokens}`;
    this.#refresh = `refresh-${this.#tokens}`;
    return { body: { accessJwt: this.#access, refreshJwt: this.#refresh, ...this.#account() } };
  }

  #account(): Input {
    return {
      did: "did:plc:magpiemagpiemagpiemagpie",
      handle: this.identifier,
      emailConfirmed: true,
      active: true,
    };
  }

  #actor(did: string): Actor {
    const actor = this.actors.get(did);
    if (!actor) throw new Error(`no actor ${did}`);
    return actor;
  }

  #profile(name: string): Answer {
    const actor = [...this.actors.values()].find(({ did, handle }) => did === name || handle === name);
    if (!actor) return fault("InvalidRequest", "Profile not found");
    return { body: { ...actor, followersCount: 12, followsCount: 3, postsCount: this.posts.length } };
  }

  #getPosts(uris: string[]): Answer {
    return {
      body: {
        posts: this.posts
          .filter(({ uri, repostedBy }) => !repostedBy && uris.includes(uri))
          .map(post => view(post, this.posts)),
      },
    };
  }

  /** Newest first, by the time of the post, or of the repost. */
  #feed(query: Query): Answer {
    const actor = query.get("actor");
    if (!this.actors.has(actor ?? "")) return fault("InvalidRequest", "Profile not found");
    const limit = Number(query.get("limit") ?? 50);
    const before = query.get("cursor") ?? "~";
    const items = this.posts
      .filter(post => (post.repostedBy ?? post.author.did) === actor)
      .map(post => ({ post, key: `${post.repostedBy ? post.indexedAt : sortTime(post)}::${post.cid}` }))
      .sort((a, b) => (a.key < b.key ? 1 : -1))
      .filter(({ key }) => key < before);
    const page = items.slice(0, limit);
    const cursor = items.length > 0 ? page.at(-1)?.key : undefined;
    return { body: { feed: page.map(({ post }) => this.#feedItem(post)), ...(cursor && { cursor }) } };
  }

  /** Newest first, as with `sort=latest`. */
  #search(query: Query): Answer {
    if (query.get("sort") !== "latest") return fault("InvalidRequest", "Only the latest");
    const [text, before] = [query.get("q") ?? "", query.get("cursor") ?? "~"];
    const items = this.posts
      .filter(({ record, repostedBy }) => !repostedBy && String(record.text).toLowerCase().includes(text))
      .map(post => ({ post, key: `${sortTime(post)}::${post.cid}` }))
      .sort((a, b) => (a.key < b.key ? 1 : -1))
      .filter(({ key }) => key < before);
    const page = items.slice(0, Number(query.get("limit") ?? 25));
    const cursor = page.length < items.length ? page.at(-1)?.key : undefined;
    return { body: { posts: page.map(({ post }) => view(post, this.posts)), ...(cursor && { cursor }) } };
  }

  #feedItem(post: StoredPost): Input {
    if (post.repostedBy === undefined) return { post: view(post, this.posts) };
    const by = this.#actor(post.repostedBy);
    const reason = { $type: "app.bsky.feed.defs#reasonRepost", by, indexedAt: post.indexedAt };
    return { post: view(post, this.posts), reason };
  }

  #putRecord({ rkey, record, swapRecord }: Input): Answer {
    const key = String(rkey);
    if (!/^[2-7a-j][2-7a-z]{12}$/.test(key)) return fault("InvalidRequest", "Invalid record key");
    if (swapRecord === null && this.follows.has(key))
      return fault("InvalidSwap", "Record was at another CID");
    this.follows.set(key, String((record as { subject?: unknown }).subject));
    const uri = `at://did:plc:magpiemagpiemagpiemagpie/app.bsky.graph.follow/${key}`;
    return { body: { uri, cid: "bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a" } };
  }

  #subscribe({ subject, activitySubscription }: Input): Answer {
    const { post } = activitySubscription as { post: boolean };
    if (post) this.notified.add(String(subject));
    else this.notified.delete(String(subject));
    return { body: { subject, activitySubscription } };
  }
}

function sortTime({ record, indexedAt }: StoredPost): string {
  const createdAt = new Date(String(record.createdAt));
  return Number.isNaN(createdAt.getTime()) || createdAt.toISOString() > indexedAt
    ? indexedAt
    : createdAt.toISOString();
}

function view({ uri, cid, author, record, indexedAt }: StoredPost, posts: StoredPost[]): Input {
  const shown = { uri, cid, author, record, indexedAt, replyCount: 1, repostCount: 2, likeCount: 5 };
  return { ...shown, ...embedOf(record, posts) };
}

/** What is embedded as the app view shows it: pictures with addresses of its own, and what the quoted post says. */
function embedOf({ embed }: Record<string, unknown>, posts: StoredPost[]): Input {
  const { images, external, record } = Object(embed) as {
    images?: { alt: string }[];
    external?: { thumb?: unknown };
    record?: { uri: string };
  };
  const at = (size: string, number: number) => `https://cdn.test/${size}/${number}`;
  if (external) {
    const shown = { ...external, ...(external.thumb !== undefined && { thumb: at("thumb", 0) }) };
    return { embed: { $type: "app.bsky.embed.external#view", external: shown } };
  }
  if (record) {
    const quoted = posts.find(({ uri }) => uri === record.uri);
    const view = quoted
      ? { $type: "app.bsky.embed.record#viewRecord", ...quoted, value: quoted.record }
      : { $type: "app.bsky.embed.record#viewNotFound", uri: record.uri, notFound: true };
    return { embed: { $type: "app.bsky.embed.record#view", record: view } };
  }
  if (!images) return {};
  const views = images.map(({ alt }, n) => ({ alt, thumb: at("thumb", n), fullsize: at("full", n) }));
  return { embed: { $type: "app.bsky.embed.images#view", images: views } };
}

function fault(error: string, message = error): Answer {
  return { status: 400, body: { error, message } };
}
