import type { IncomingMessage, ServerResponse } from "node:http";
import { FlakyServer } from "../../support/flaky-server.ts";
import { FakeGateway } from "./gateway.ts";
import {
  type ChannelEntity,
  type GuildEntity,
  isThread,
  type MessageEntity,
  message,
  toGuildCreate,
} from "./guilds.ts";

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Message Content Intent, of a bot in fewer than 100 servers. */
const contentFlag = 1 << 19;

/** Discord with one bot, over HTTP and WebSocket (docs.discord.com, API version 10). */
export class DiscordServer {
  readonly token = "token.of.the-test";
  readonly guilds: GuildEntity[] = [];
  readonly gateway = new FakeGateway(this.token, this.guilds);
  /** Method and path with query of every request, oldest first. */
  readonly requests: string[] = [];
  /** What the next requests answer instead, whatever they ask. */
  readonly instead: Answer[] = [];
  /** The owner has switched on the Message Content Intent. */
  /** Servers that speak Discord's protocol need not know the list of active threads. */
  listsThreads = true;
  givesContent = true;
  sessionsLeft = 1000;
  /** Called before each answer; it may do something in between. */
  meanwhile: (path: string) => void = () => undefined;
  /** Requests are taken and not answered. */
  isSilent = false;
  readonly #server = new FlakyServer(
    (request, response) => this.#serve(request, response),
    (...upgrade) => this.gateway.upgrade(...upgrade),
  );

  async start(): Promise<this> {
    await this.#server.start();
    this.gateway.url = `ws://${this.#server.host}/gateway`;
    return this;
  }

  get apiUrl(): string {
    return `http://${this.#server.host}/api`;
  }

  /** Sends a message to a channel. */
  post(to: ChannelEntity, fields: Partial<MessageEntity>): MessageEntity {
    const sent = message(to, fields);
    if (this.guilds.some(({ id, isMember }) => id === to.guild_id && isMember))
      this.gateway.message(sent, to);
    return sent;
  }

  edit(of: ChannelEntity, id: string, fields: Partial<MessageEntity>): void {
    const edited = of.messages.find(each => each.id === id);
    if (!edited) throw new Error(`no message ${id}`);
    this.gateway.message(Object.assign(edited, fields), of, "MESSAGE_UPDATE");
  }

  remove(of: ChannelEntity, ...ids: string[]): void {
    of.messages = of.messages.filter(({ id }) => !ids.includes(id));
    this.gateway.removed(ids, of);
  }

  /** Lets the bot into a server. */
  letIn(guild: GuildEntity): void {
    guild.isMember = true;
    this.gateway.guild("GUILD_CREATE", toGuildCreate(guild));
  }

  cut(): void {
    this.gateway.isCut = true;
    this.gateway.cut();
  }

  goAway(): void {
    this.gateway.isCut = true;
    this.#server.goAway();
  }

  heal(): void {
    this.#server.heal();
    this.gateway.isCut = false;
  }

  limitNext(): void {
    const body = { message: "You are being rate limited.", retry_after: 0.5, global: false };
    const headers = { "retry-after": "0.5", "x-ratelimit-scope": "shared" };
    this.instead.push({ status: 429, headers, body });
  }

  async close(): Promise<void> {
    this.gateway.close();
    await this.#server.close();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.apiUrl);
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    this.meanwhile(url.pathname);
    if (this.isSilent) return;
    const isKnown = request.headers.authorization === `Bot ${this.token}`;
    const {
      status = 200,
      headers,
      body,
    } = this.instead.shift() ?? (isKnown ? this.#answer(url) : refuse(401, 0, "401: Unauthorized"));
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  }

  #answer({ pathname, searchParams }: URL): Answer {
    const [kind, id = "", what, which] = pathname.replace(/^\/api\/v10\//, "").split("/");
    if (kind === "gateway") return this.#gatewayInformation();
    if (kind === "applications")
      return { body: { id: "1099511627776000000", flags: this.givesContent ? contentFlag : 0 } };
    if (kind === "invites") return this.#invite(decodeURIComponent(id));
    if (kind === "channels") return this.#channel(id, what, searchParams);
    return kind === "guilds" ? this.#guild(id, which ?? what) : refuse(404, 0, "404: Not Found");
  }

  #gatewayInformation(): Answer {
    const session_start_limit = {
      total: 1000,
      remaining: this.sessionsLeft,
      reset_after: 60_000,
      max_concurrency: 1,
    };
    return { body: { url: this.gateway.url, shards: 1, session_start_limit } };
  }

  #invite(code: string): Answer {
    if (code === "people") return { body: { type: 1, code, guild: null, channel: { id: "1", type: 3 } } };
    const found = this.guilds.find(({ invites }) => invites.includes(code));
    return found ? { body: { type: 0, code, guild: outline(found) } } : refuse(404, 10006, "Unknown Invite");
  }

  #guild(id: string, what: string | undefined): Answer {
    const found = this.guilds.find(each => each.id === id);
    if (!found?.isMember) return refuse(404, 10004, "Unknown Guild");
    if (what === undefined) return { body: outline(found) };
    const listed = found.channels.map(({ messages: _, isVisible: __, ...channel }) => channel);
    const isAsked = new Set(found.channels.filter(isThread).map(({ id }) => id));
    if (what === "active" && !this.listsThreads) return refuse(404, 0, "404: Not Found");
    if (what !== "active" && !found.isListable) return refuse(403, 50001, "Missing Access");
    if (what === "active")
      return { body: { threads: listed.filter(each => isAsked.has(each.id)), members: [] } };
    return { body: listed.filter(each => !isAsked.has(each.id)) };
  }

  #channel(id: string, what: string | undefined, query: URLSearchParams): Answer {
    const found = this.guilds
      .filter(({ isMember }) => isMember)
      .flatMap(({ channels }) => channels)
      .find(each => each.id === id);
    if (!found) return refuse(404, 10003, "Unknown Channel");
    if (!found.isVisible) return refuse(403, 50001, "Missing Access");
    const { messages, isVisible, ...channel } = found;
    return { body: what === undefined ? channel : this.#page(messages, query) };
  }

  /** `after` gives those that follow next, `before` those that precede, and either the newest first. */
  #page(messages: MessageEntity[], query: URLSearchParams): MessageEntity[] {
    const limit = Number(query.get("limit") ?? 50);
    const after = query.get("after");
    const before = query.get("before");
    const inOrder = messages.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
    const later = inOrder.filter(({ id }) => after === null || BigInt(id) > BigInt(after));
    const fitting = later.filter(({ id }) => before === null || BigInt(id) < BigInt(before));
    const page = after === null ? fitting.slice(-limit) : fitting.slice(0, limit);
    return page.reverse().map(each => (this.givesContent ? each : { ...each, content: "" }));
  }
}

function outline({ id, name, vanity_url_code }: GuildEntity): object {
  return { id, name, vanity_url_code };
}

function refuse(status: number, code: number, message: string): Answer {
  return { status, body: { message, code } };
}
