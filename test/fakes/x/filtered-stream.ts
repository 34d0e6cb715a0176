import type { ServerResponse } from "node:http";
import { problem, type Reply } from "./x-json.ts";
import type { StoredPost } from "./x-network.ts";

interface Rule {
  id: string;
  value: string;
  tag?: string;
}

const maxLength = 512;

/** The filtered stream: rules of `from:` by number, and one connection that is told what they match. */
export class FilteredStream {
  rules: Rule[] = [];
  isDown = false;
  /** Milliseconds between two empty lines; none without. */
  keepAliveMs: number | undefined;
  /** Empty lines that were sent. */
  beats = 0;
  /** Keeps messages back until `release`. */
  isHeld = false;
  /** Rules that the plan has room for. */
  maxRules = 1000;
  /** Queries of the connections that were opened, oldest first. */
  readonly opened: string[] = [];
  /** Ids of the posts that were sent, as X bills them. */
  readonly billed: string[] = [];
  #connection: ServerResponse | undefined;
  #beat: NodeJS.Timeout | undefined;
  #held: string[] = [];
  #count = 0;

  get isOpen(): boolean {
    return this.#connection !== undefined;
  }

  open(query: URLSearchParams, response: ServerResponse): void {
    if (this.isDown) return void response.socket?.destroy();
    const refusal = this.#refusal();
    if (refusal) {
      response.writeHead(refusal.status ?? 200, { "content-type": "application/json", ...refusal.headers });
      return void response.end(JSON.stringify(refusal.json));
    }
    this.opened.push(query.toString());
    this.#connection = response;
    response.on("close", () => this.#forget(response));
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    if (this.keepAliveMs !== undefined) this.#beat = setInterval(() => this.#keepAlive(), this.keepAliveMs);
  }

  /** Ends the connection as a broken network does. */
  cut(): void {
    this.#connection?.destroy();
    this.#forget(this.#connection);
  }

  /** Ends the connection in order, with X's reason. */
  disconnect(): void {
    const errors = [
      {
        title: "operational-disconnect",
        disconnect_type: "UpstreamOperationalDisconnect",
        detail: "This stream has been disconnected upstream for operational reasons.",
      },
    ];
    this.send({ errors });
    this.#connection?.end();
  }

  /** Sends a post where a rule matches. */
  tell(post: StoredPost, message: object): void {
    const matching = this.rules.filter(({ value }) => matches(value, post));
    if (matching.length === 0 || !this.#connection) return;
    this.billed.push(post.id);
    this.send({ ...message, matching_rules: matching.map(({ id, tag }) => ({ id, tag })) });
  }

  send(message: object): void {
    const line = `${JSON.stringify(message)}\r\n`;
    if (this.isHeld) this.#held.push(line);
    else this.#connection?.write(line);
  }

  /** Sends what was kept back, in the order that the test wants. */
  release(reorder: (lines: string[]) => string[] = lines => lines): void {
    this.isHeld = false;
    for (const line of reorder(this.#held.splice(0))) this.#connection?.write(line);
  }

  list(query: URLSearchParams): Reply {
    const unknown = [...query.keys()].find(name => !["max_results", "pagination_token"].includes(name));
    if (unknown !== undefined) return problem(400, "invalid-request", `unknown: ${unknown}`);
    const size = 2;
    const start = Number(query.get("pagination_token") ?? 0);
    const data = this.rules.slice(start, start + size);
    const next = start + size < this.rules.length ? { next_token: `${start + size}`.padStart(16, "0") } : {};
    // Of no rules X gives no list.
    return { json: { ...(data.length > 0 && { data }), meta: { result_count: data.length, ...next } } };
  }

  change(body: { add?: { value: string; tag?: string }[]; delete?: { ids: string[] } }): Reply {
    if (body.delete) {
      const { ids } = body.delete;
      this.rules = this.rules.filter(({ id }) => !ids.includes(id));
      return { json: { meta: { summary: { deleted: ids.length, not_deleted: 0 } } } };
    }
    const added = (body.add ?? []).map(rule => this.#add(rule));
    const data = added.filter(rule => "id" in rule);
    const errors = added.filter(rule => !("id" in rule));
    return {
      status: data.length > 0 ? 201 : 400,
      json: { ...(data.length > 0 && { data }), ...(errors.length > 0 && { errors }) },
    };
  }

  #add({ value, tag }: { value: string; tag?: string }): Rule | { title: string; value: string } {
    if (this.rules.some(rule => rule.value === value)) return { title: "DuplicateRule", value };
    if (value.length > maxLength) return { title: "InvalidRule", value };
    if (this.rules.length >= this.maxRules) return { title: "RulesCapExceeded", value };
    this.#count += 1;
    const rule = { id: String(this.#count), value, ...(tag !== undefined && { tag }) };
    this.rules.push(rule);
    return rule;
  }

  #refusal(): Reply | undefined {
    if (this.rules.length === 0) return problem(409, "streaming-connection", "There are no rules.");
    if (!this.#connection) return undefined;
    const headers = {
      "x-rate-limit-remaining": "49",
      "x-rate-limit-reset": `${Math.floor(Date.now() / 1000) + 900}`,
    };
    const json = { title: "ConnectionException", connection_issue: "TooManyConnections" };
    return { status: 429, headers, json };
  }

  #keepAlive(): void {
    this.beats += 1;
    this.#connection?.write("\r\n");
  }

  #forget(response: ServerResponse | undefined): void {
    if (response !== this.#connection) return;
    clearInterval(this.#beat);
    this.#connection = undefined;
  }
}

function matches(value: string, { author, isRetweet }: StoredPost): boolean {
  const isFrom = value.match(/from:\d+/g)?.includes(`from:${author.id}`);
  return isFrom === true && !(isRetweet && value.includes("-is:retweet"));
}
