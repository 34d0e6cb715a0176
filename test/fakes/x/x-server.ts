import type { IncomingMessage, ServerResponse } from "node:http";
import { type Site, startSite } from "../../support/http-site.ts";
import { FilteredStream } from "./filtered-stream.ts";
import { problem, type Reply, toPostJson, toUserJson } from "./x-json.ts";
import { type Account, type StoredPost, timeOf, XNetwork } from "./x-network.ts";

const page = { least: 5, most: 100 };
const common = ["user.fields", "expansions", "media.fields", "poll.fields", "place.fields"];

/**
 * X's API v2 over HTTP, as far as a reader of posts needs it: accounts, timelines, posts, follows and the filtered
 * stream. It refuses what X refuses: parameters that it does not know, pages of less than 5, streams without rules.
 */
export class XServer {
  readonly network = new XNetwork();
  readonly stream = new FilteredStream();
  readonly appToken = "app-token";
  readonly userToken = "user-token";
  /** The account that the user's token belongs to, and whom it follows. */
  readonly me: Account;
  readonly following = new Set<string>();
  /** How X spells its fields: it is on its way from the one to the other. */
  spelling: "post" | "tweet" = "post";
  /** Refuses every request with this status, as for a wrong token (401) or a plan that lacks something (403). */
  refuses: 401 | 403 | undefined;
  /** Refuses to follow, as with most plans. */
  mayFollow = true;
  /** Takes requests and answers none. */
  isDeaf = false;
  /** Gives the posts of a page in another order. */
  isDisordered = false;
  /** Ids of posts in answers, as X bills them; the stream's are the stream's. */
  readonly billed: string[] = [];
  /** What the next requests are answered with; each once. */
  readonly next: Reply[] = [];
  #isAway = false;
  #site: Site | undefined;

  constructor() {
    this.me = this.network.addAccount("900", "keeper", "The Keeper");
  }

  get url(): string {
    return this.#site?.url ?? "";
  }

  /** Requests that came in, as `GET /2/tweets/1`, without their queries. */
  get asked(): string[] {
    return (this.#site?.hits ?? []).map(({ method, url }) => `${method} ${url.split("?")[0]}`);
  }

  async start(): Promise<this> {
    this.#site = await startSite((request, response) => this.#serve(request, response));
    return this;
  }

  async stop(): Promise<void> {
    this.stream.cut();
    await this.#site?.close();
  }

  /** Posts as an account: in its timeline at once, and on the stream where a rule matches. */
  post(
    authorId: string,
    text: string,
    options: { isRetweet?: boolean; edits?: string; more?: object } = {},
  ): string {
    const post = this.network.addPost(authorId, text, options);
    this.stream.tell(post, this.#postJson(post, "tweet"));
    return post.id;
  }

  /** Answers the next request with 429 until the clock's next second. */
  limitNext(): void {
    const reset = Math.floor(Date.now() / 1000) + 1;
    this.next.push({
      status: 429,
      headers: {
        "x-rate-limit-limit": "900",
        "x-rate-limit-remaining": "0",
        "x-rate-limit-reset": `${reset}`,
      },
      json: { title: "Too Many Requests", detail: "Too Many Requests", type: "about:blank", status: 429 },
    });
  }

  /** Breaks the stream and takes no new one; with `everything`, every other request is broken too. */
  cut(everything = false): void {
    this.stream.isDown = true;
    this.#isAway = everything;
    this.stream.cut();
  }

  heal(): void {
    this.stream.isDown = false;
    this.#isAway = false;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const url = new URL(request.url ?? "/", "http://x.test");
    if (this.#isAway) return void request.socket.destroy();
    if (this.isDeaf) return;
    if (url.pathname === "/2/tweets/search/stream" && !this.#refusal(request, this.appToken))
      return this.stream.open(url.searchParams, response);
    const { status = 200, headers = {}, json } = this.next.shift() ?? this.#answer(request, url, body);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(json));
  }

  #answer(request: IncomingMessage, { pathname, searchParams: query }: URL, body: string): Reply {
    const [, , ...path] = pathname.split("/").map(decodeURIComponent);
    const [kind = "", first = "", second = "", third = ""] = path;
    const isOfUser = kind === "users" && (first === "me" || second === "following");
    const refusal = this.#refusal(request, isOfUser ? this.userToken : this.appToken);
    if (refusal) return refusal;
    if (kind === "tweets" && first === "search" && third === "rules")
      return request.method === "POST" ? this.stream.change(JSON.parse(body)) : this.stream.list(query);
    if (kind === "tweets" && first === "search") return this.#search(query);
    if (kind === "tweets") return this.#post(first, query);
    if (kind !== "users") return problem(404, "about:blank", "Not Found");
    if (first === "me") return { json: { data: toUserJson(this.me, query) } };
    if (second === "following") return this.#follow(request.method ?? "", first, third, body);
    if (second === "tweets") return this.#timeline(first, query);
    const isFound = (account: Account) =>
      first === "by" ? account.username.toLowerCase() === third.toLowerCase() : account.id === first;
    return this.#user(this.network.accounts.find(isFound), query);
  }

  #refusal(request: IncomingMessage, token: string): Reply | undefined {
    if (this.refuses === 403) return problem(403, "client-forbidden", "Your client app is not enrolled.");
    const isGood = request.headers.authorization === `Bearer ${token}`;
    return isGood && !this.refuses ? undefined : problem(401, "about:blank", "Unauthorized");
  }

  #user(account: Account | undefined, query: URLSearchParams): Reply {
    const wrong = unknownParameter(query, ["user.fields", "expansions", "post.fields"]);
    if (wrong) return wrong;
    return { json: account ? { data: toUserJson(account, query) } : notFound("user") };
  }

  #post(id: string, query: URLSearchParams): Reply {
    const wrong = unknownParameter(query, [...common, "post.fields"]);
    if (wrong) return wrong;
    const post = this.network.posts.find(each => each.id === id);
    if (!post) return { json: notFound("tweet") };
    this.billed.push(id);
    const { data, includes } = this.#postJson(post, this.spelling, query);
    return { json: { data, includes } };
  }

  #timeline(userId: string, query: URLSearchParams): Reply {
    const known = ["max_results", "pagination_token", "since_id", "until_id", "exclude", "post.fields"];
    const wrong = unknownParameter(query, [...common, ...known]);
    if (wrong) return wrong;
    const account = this.network.accounts.find(each => each.id === userId);
    if (!account) return { json: notFound("user") };
    if (account.protected)
      return { json: { errors: [{ type: "https://api.x.com/2/problems/not-authorized-for-resource" }] } };
    const size = Number(query.get("max_results") ?? 10);
    if (size < page.least || size > page.most) return problem(400, "invalid-request", "max_results");
    if (query.get("since_id") === "0") return problem(400, "invalid-request", "since_id");
    const start = Number(query.get("pagination_token")?.replace("at", "") ?? 0);
    const all = this.network.posts
      .filter(post => post.author === account && isBetween(post, query))
      .reverse();
    const stretch = all.slice(start, start + size);
    const shown = stretch.filter(post => !(post.isRetweet && query.get("exclude") === "retweets"));
    this.billed.push(...shown.map(({ id }) => id));
    const jsons = shown.map(post => this.#postJson(post, this.spelling, query));
    const isLast = start + size >= all.length;
    const meta = { result_count: shown.length, ...(!isLast && { next_token: `at${start + size}` }) };
    const data = jsons.map(json => json.data);
    if (this.isDisordered) data.reverse();
    return { json: shown.length > 0 ? { data, includes: jsons[0]?.includes, meta } : { meta } };
  }

  /** The last seven days, newest first. */
  #search(query: URLSearchParams): Reply {
    const known = ["query", "max_results", "next_token", "since_id", "until_id", "sort_order", "post.fields"];
    const wrong = unknownParameter(query, [...common, ...known]);
    if (wrong) return wrong;
    const size = Number(query.get("max_results") ?? 10);
    if (size < 10 || size > 100) return problem(400, "invalid-request", "max_results");
    const since = query.get("since_id");
    if (since !== null && Date.parse(timeOf(since)) < Date.now() - 7 * 24 * 3_600_000)
      return problem(400, "invalid-request", "'since_id' must be a tweet id created after last week.");
    const words = /^\(?(.+?)\)? -is:retweet$/.exec(query.get("query") ?? "")?.[1];
    if (words === undefined || words.includes("nonsense:"))
      return problem(
        400,
        "invalid-request",
        "There were errors processing your request: no viable alternative.",
      );
    const start = Number(query.get("next_token")?.replace("at", "") ?? 0);
    const all = this.network.posts
      .filter(post => isBetween(post, query) && !post.isRetweet && post.text.toLowerCase().includes(words))
      .reverse();
    const shown = all.slice(start, start + size);
    this.billed.push(...shown.map(({ id }) => id));
    const jsons = shown.map(post => this.#postJson(post, this.spelling, query));
    const isLast = start + size >= all.length;
    const meta = { result_count: shown.length, ...(!isLast && { next_token: `at${start + size}` }) };
    const data = jsons.map(json => json.data);
    return { json: shown.length > 0 ? { data, includes: jsons[0]?.includes, meta } : { meta } };
  }

  #follow(method: string, me: string, target: string, body: string): Reply {
    if (!this.mayFollow) return problem(403, "client-forbidden", "This is not part of your plan.");
    if (me !== this.me.id) return problem(403, "about:blank", "You are somebody else.");
    if (method === "DELETE") this.following.delete(target);
    else this.following.add((JSON.parse(body) as { target_user_id: string }).target_user_id);
    return { json: { data: { following: method === "POST", pending_follow: false } } };
  }

  #postJson(post: StoredPost, spelling: "post" | "tweet", query?: URLSearchParams) {
    return {
      data: toPostJson(post, spelling, query),
      includes: { users: [toUserJson(post.author, query ?? new URLSearchParams())] },
    };
  }
}

function isBetween({ id }: StoredPost, query: URLSearchParams): boolean {
  const since = BigInt(query.get("since_id") ?? 0);
  const until = query.get("until_id");
  return BigInt(id) > since && (until === null || BigInt(id) < BigInt(until));
}

function unknownParameter(query: URLSearchParams, known: string[]): Reply | undefined {
  const unknown = [...query.keys()].find(name => !known.includes(name));
  return unknown === undefined ? undefined : problem(400, "invalid-request", `unknown: ${unknown}`);
}

/** With status 200, as X does. */
function notFound(resource: string) {
  const type = "https://api.x.com/2/problems/resource-not-found";
  return {
    errors: [{ title: "Not Found Error", resource_type: resource, detail: "Could not find it.", type }],
  };
}
