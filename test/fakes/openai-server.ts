import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What the stand-in does with one request. A text or an object is the model's answer. */
export type Turn =
  | { answer: string | object; message?: object; finish?: string }
  | { status: number; body?: object; headers?: Record<string, string> }
  | { raw: string }
  | { hang: true };

export interface ReceivedRequest {
  path: string;
  authorization: string | undefined;
  /** Keys in headers of other protocols. */
  keys?: Record<string, string>;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    system?: string;
    response_format?: { type: string; json_schema?: { schema: object } };
    max_tokens?: number;
    max_completion_tokens?: number;
    temperature?: number;
  };
}

const keyHeaders = ["api-key", "x-api-key", "anthropic-version"];

export interface OpenAiServer {
  baseUrl: string;
  /** Every request, in order. */
  requests: ReceivedRequest[];
  /** What follows answers the next requests, one each; a request without a turn gets 500. */
  script(...turns: Turn[]): void;
  /** From now on each request is answered by what it says. */
  answerBy(answer: (request: ReceivedRequest) => Turn): void;
  close(): Promise<void>;
}

/** A server that speaks the chat-completions protocol and answers as it is told. */
export async function startOpenAiServer(): Promise<OpenAiServer> {
  const requests: ReceivedRequest[] = [];
  let turns: Turn[] = [];
  let next: (request: ReceivedRequest) => Turn | undefined = () => turns.shift();
  const server = createServer(async (request, response) => {
    const { url = "", headers } = request;
    const { authorization } = headers;
    const keys = keyHeaders.flatMap(name =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const received = {
      ...{ path: url, authorization, body: JSON.parse(await bodyOf(request)) },
      ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
    };
    requests.push(received);
    const turn = next(received) ?? { status: 500 };
    if ("hang" in turn) return;
    const status = "status" in turn ? turn.status : 200;
    const extra = "status" in turn ? turn.headers : {};
    response.writeHead(status, { "content-type": "application/json", ...extra }).end(textOf(turn));
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script: (...scripted) => {
      turns = scripted;
      next = () => turns.shift();
      requests.length = 0;
    },
    answerBy: answer => {
      next = answer;
      requests.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function textOf(turn: Exclude<Turn, { hang: true }>): string {
  if ("raw" in turn) return turn.raw;
  if ("status" in turn) return JSON.stringify(turn.body ?? { error: { message: "told to fail" } });
  const content = typeof turn.answer === "string" ? turn.answer : JSON.stringify(turn.answer);
  const message = { role: "assistant", content, refusal: null, ...turn.message };
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "stand-in",
    choices: [{ index: 0, message, finish_reason: turn.finish ?? "stop", logprobs: null }],
  });
}
