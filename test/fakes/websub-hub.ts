import { createHmac } from "node:crypto";
import { type Site, startSite } from "../support/http-site.ts";

export interface HubSubscription {
  callback: string;
  topic: string;
  secret: string;
}

/** A WebSub hub over HTTP: verifies what it is asked for, and distributes what the test gives it. */
export class WebsubHub {
  /** What it does with a question; `down` answers 503, `silent` takes it and verifies nothing. */
  mode: "verifies" | "denies" | "down" | "silent" = "verifies";
  leaseSeconds = 864_000;
  /** Every form that came in, oldest first. */
  readonly asked: Record<string, string>[] = [];
  /** By callback. */
  readonly subscriptions = new Map<string, HubSubscription>();
  #site: Site | undefined;
  #working: Promise<void>[] = [];

  get url(): string {
    return `${this.#site?.url}/`;
  }

  async start(): Promise<this> {
    this.#site = await startSite(async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      const form = Object.fromEntries(new URLSearchParams(text));
      this.asked.push(form);
      if (this.mode === "down") return response.writeHead(503).end();
      response.writeHead(202).end();
      this.#working.push(this.#verify(form));
    });
    return this;
  }

  /** Resolves when all that was asked so far is verified, or denied. */
  async settled(): Promise<void> {
    await Promise.all(this.#working.splice(0));
  }

  /** Sends a verification, asked for or not; returns the status and body of the answer. */
  async challenge(
    callback: string,
    query: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    const url = new URL(callback);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    return { status: response.status, text: await response.text() };
  }

  /** Distributes content to one callback; signed with SHA-256 unless told. The answer's status. */
  async deliver(
    { callback, secret }: HubSubscription,
    body: string,
    headers: Record<string, string> = { "x-hub-signature": signed(body, secret) },
  ): Promise<number> {
    const response = await fetch(callback, {
      method: "POST",
      headers: { "content-type": "application/rss+xml", ...headers },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    await response.arrayBuffer();
    return response.status;
  }

  async stop(): Promise<void> {
    await this.settled();
    await this.#site?.close();
  }

  async #verify(form: Record<string, string>): Promise<void> {
    const { "hub.callback": callback = "", "hub.topic": topic = "", "hub.secret": secret = "" } = form;
    const mode = form["hub.mode"] ?? "";
    if (this.mode === "silent") return;
    if (this.mode === "denies") {
      await this.challenge(callback, { "hub.mode": "denied", "hub.topic": topic, "hub.reason": "no" });
      return;
    }
    const challenge = `c+/=${this.asked.length}`;
    const { status, text } = await this.challenge(callback, {
      "hub.mode": mode,
      "hub.topic": topic,
      "hub.challenge": challenge,
      "hub.lease_seconds": String(this.leaseSeconds),
    });
    if (status !== 200 || text !== challenge) return;
    if (mode === "subscribe") this.subscriptions.set(callback, { callback, topic, secret });
    else this.subscriptions.delete(callback);
  }
}

export function signed(body: string, secret: string, method = "sha256"): string {
  return `${method}=${createHmac(method, secret).update(body).digest("hex")}`;
}
