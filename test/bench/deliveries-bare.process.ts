/** A bare loop of undici that signs what it posts. Its first argument: the receivers' URLs; the second: requests at a time. Takes batches. */
import { Agent } from "undici";
import { generateSecret, sign, signingKey } from "../../services/domain/delivery/signature.ts";
import { rate } from "./compare.ts";

/** So many requests to each receiver, with this body. */
export interface BareBatch {
  perReceiver: number;
  body: string;
}

const urls = (JSON.parse(process.argv[2] ?? "[]") as string[]).map(url => new URL(url));
const lanes = Number(process.argv[3]);
const agent = new Agent();
const key = signingKey(generateSecret(size => Buffer.alloc(size, 7)));

async function post(url: URL, id: string, body: string): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Magpie/0.1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": sign([key], id, timestamp, body),
  };
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname,
    method: "POST",
    headers,
    body,
  });
  await answer.body.dump();
}

process.on("message", async ({ perReceiver, body }: BareBatch) => {
  const requests = urls.flatMap(url =>
    Array.from({ length: perReceiver }, (_, n) => ({ url, id: `evt_${n}` })),
  );
  process.send?.(await rate(requests, lanes, ({ url, id }) => post(url, id, body)));
});
process.once("disconnect", () => process.exit());
process.send?.("ready");
