import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

type Answer = (asked: Asked, res: ServerResponse) => void;

export interface FakeService {
  url: string;
  asked: Asked[];
  close(): Promise<void>;
}

/** A service that gives one answer after the other; the last one again and again. */
export async function startFake(...answers: Answer[]): Promise<FakeService> {
  const asked: Asked[] = [];
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req.setEncoding("utf8")) body += chunk;
    const { method = "", url = "", headers } = req;
    const one = { method, url, headers, body };
    const answer = answers[Math.min(asked.push(one), answers.length) - 1];
    answer?.(one, res);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (_, res) =>
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function failure(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Answer {
  const message = `It is ${code}.`;
  return json(
    { status: "error", code, error: message, message, request_id: "r-1", ...more },
    status,
    headers,
  );
}

/** Ends the connection without an answer. */
export const hangUp: Answer = (_, res) => res.destroy();

/** A stream that sends this text, and ends or stays open. */
export function stream(text: string, { stays = false } = {}): Answer {
  return (_, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" }).write(text);
    if (!stays) res.end();
  };
}
