import { Agent, request } from "undici";

type Method = "GET" | "POST";

/** Someone with an API key of their own, which has no limit that matters, at gateways. */
export interface Visitor {
  /** Its value. */
  key: string;
  /** Scrapes a page as markdown; answers the engine that read it. Anything but 200 is an error. */
  scrape(url: string): Promise<{ engine: string; markdown: string }>;
  /** Asks for anything else; the body of the answer. */
  ask(method: Method, path: string, body?: object): Promise<unknown>;
  /** Closes its connections. */
  leave(): Promise<void>;
}

const limits = { requestsPerMinute: 1_000_000, concurrentScrapes: 100 };

/** Makes the key and visits with it the gateways in turn. */
export async function visit(gateways: string[], adminKey: string, owner = "bench"): Promise<Visitor> {
  const agent = new Agent({ headersTimeout: 60_000 });
  let turn = 0;
  const send = (headers: object, method: Method, path: string, body?: object) => {
    turn += 1;
    return answerOf(agent, gateways[turn % gateways.length] + path, method, headers, body);
  };
  const admin = { "x-admin-key": adminKey };
  const made = await send(admin, "POST", "/internal/keys", { owner, name: "bench", limits });
  const { key } = (made as { data: { key: string } }).data;
  const ask = (method: Method, path: string, body?: object) => send({ "x-api-key": key }, method, path, body);
  return {
    key,
    ask,
    scrape: async url => {
      const { data } = (await ask("POST", "/web/scrape", { url })) as Scraped;
      return { engine: data.metadata.engine, markdown: data.markdown };
    },
    leave: () => agent.destroy(),
  };
}

interface Scraped {
  data: { markdown: string; metadata: { engine: string } };
}

async function answerOf(agent: Agent, url: string, method: Method, headers: object, body?: object) {
  const answer = await request(url, {
    method,
    dispatcher: agent,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${url}: HTTP ${answer.statusCode} ${text.slice(0, 500)}`);
  return JSON.parse(text) as unknown;
}
