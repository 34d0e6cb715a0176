import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "../../support/http-site.ts";
import type { Canary } from "./canary.ts";

/** A page that does harm, and what it loads. `/` is the page itself; other paths are below its name. */
export type HostilePage = Record<
  string,
  Reply | ((request: IncomingMessage, response: ServerResponse) => unknown)
>;

/** Pages by name. Links in them are relative to `/<name>/`. */
export type HostilePages = Record<string, HostilePage | ((canary: Canary) => HostilePage)>;

/** A document with some text to extract, and a script. */
export function scripted(script: string, body = ""): string {
  return `<!doctype html><title>Hostile</title><main><h1>A page</h1><p>Its text is as long as that of others.</p>
${body}</main><script>${script}</script>`;
}

/** A document with some text to extract, and markup. */
export function marked(body: string): string {
  return scripted("document.title = 'Shown'", body);
}

/** Sends a chunk at an interval until the client has gone. */
export function drip(type: string, chunk: string, everyMs: number, head = "") {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { "content-type": type }).write(head || chunk);
    const timer = setInterval(() => response.write(chunk), everyMs);
    response.on("close", () => clearInterval(timer));
  };
}

/** Sends chunks as fast as the client takes them, until it has gone. */
export function flood(type: string, head: string, chunk: string) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    const fill = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.writeHead(200, { "content-type": type }).write(head);
    response.on("drain", fill);
    fill();
  };
}
