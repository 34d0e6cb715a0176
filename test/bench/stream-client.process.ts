import { once } from "node:events";
import { WebSocket } from "ws";

/** Opens as many streams as asked, a hundred at a time, and answers how many have said hello. */
interface Question {
  url: string;
  key: string;
  count: number;
}

const atATime = 100;
const open: WebSocket[] = [];

process.on("message", async ({ url, key, count }: Question) => {
  while (open.length < count)
    open.push(...(await Promise.all(Array.from({ length: atATime }, () => connect(url, key)))));
  process.send?.(open.length);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function connect(url: string, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/stream`, {
    headers: { "x-api-key": key },
    perMessageDeflate: false,
  });
  await once(socket, "message");
  return socket;
}
