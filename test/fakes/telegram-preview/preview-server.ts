import type { IncomingMessage, ServerResponse } from "node:http";
import { FlakyServer } from "../../support/flaky-server.ts";
import { type ChannelEntity, type MessageEntity, renderPage, type ShownPart } from "./preview-page.ts";

const pageSize = 20;

/** The site of public previews, over HTTP. */
export class PreviewServer {
  readonly channels: ChannelEntity[] = [];
  /** Paths with query of every request, oldest first. */
  readonly requests: string[] = [];
  /** What the next requests answer instead, whatever they ask. */
  readonly instead: { status: number; headers?: Record<string, string>; body?: string }[] = [];
  /** Channels for which something else is answered, always. */
  readonly broken = new Map<string, number>();
  readonly #server = new FlakyServer((request, response) => this.#serve(request, response));

  async start(): Promise<this> {
    await this.#server.start();
    return this;
  }

  get url(): string {
    return `http://${this.#server.host}/s`;
  }

  /** A new channel holds the message that says so. */
  addChannel(username: string, title: string): ChannelEntity {
    const channel: ChannelEntity = { username, title, messages: [] };
    this.channels.push(channel);
    this.post(username, { text: "Channel created", isService: true });
    return channel;
  }

  post(username: string, fields: Partial<MessageEntity>): MessageEntity {
    const channel = this.channels.find(each => each.username.toLowerCase() === username.toLowerCase());
    if (!channel) throw new Error(`no channel ${username}`);
    const id = (channel.messages.at(-1)?.id ?? 0) + 1;
    const date = new Date().toISOString().replace(/\.\d+Z$/, "+00:00");
    const message = { id, date, text: "", views: "1.2K", media: "", isService: false, ...fields };
    channel.messages.push(message);
    return message;
  }

  goAway(): void {
    this.#server.goAway();
  }

  heal(): void {
    this.#server.heal();
  }

  limitNext(): void {
    this.instead.push({ status: 429, headers: { "retry-after": "1" } });
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://t.me");
    this.requests.push(request.url ?? "");
    const instead = this.instead.shift();
    const [, username = ""] = /^\/s\/([^/]+)$/.exec(url.pathname) ?? [];
    const channel = this.channels.find(each => each.username.toLowerCase() === username.toLowerCase());
    const broken = this.broken.get(username);
    if (broken !== undefined) response.writeHead(broken).end();
    else if (instead) response.writeHead(instead.status, instead.headers).end(instead.body);
    else if (!channel) response.writeHead(302, { location: `https://t.me/${username}` }).end();
    else
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(renderPage(channel, part(channel, url.searchParams)));
  }
}

/** `after` shows those that follow next, `before` those that precede, and neither the end of the channel. */
function part({ messages }: ChannelEntity, query: URLSearchParams): ShownPart {
  const q = query.get("q")?.toLowerCase();
  const found = messages.filter(
    ({ text, isService }) => !q || (!isService && text.toLowerCase().includes(q)),
  );
  const after = Number(query.get("after") ?? Number.NaN);
  const before = Number(query.get("before") ?? Number.POSITIVE_INFINITY);
  const fitting = found.filter(({ id }) => id < before && !(id <= after));
  const shown = Number.isNaN(after) ? fitting.slice(-pageSize) : fitting.slice(0, pageSize);
  const first = shown[0]?.id ?? before;
  const last = shown.at(-1)?.id ?? after;
  return {
    messages: shown,
    older: found.some(({ id }) => id < first) ? first : undefined,
    newer: found.some(({ id }) => id > last) ? last : undefined,
  };
}
