import { once } from "node:events";
import { WebSocket } from "ws";

/** Opens as many streams as asked, a hundred at a time, and answers how many have said hello. */
interface Opening {
  url: string;
  key: string;
  count: number;
}

/** Answers when every stream has had so many events. */
interface Waiting {
  events: number;
}

const atATime = 100;
const open: WebSocket[] = [];
let received = 0;
let onReceived: () => void = () => undefined;

process.on("message", async (question: Opening | Waiting) => {
  if ("events" in question) await untilReceived(question.events * open.length);
  else await openTo(question);
  process.send?.(open.length);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function openTo({ url, key, count }: Opening): Promise<void> {
  while (open.length < count)
    open.push(...(await Promise.all(Array.from({ length: atATime }, () => connect(url, key)))));
}

async function connect(url: string, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/stream`, {
    headers: { "x-api-key": key },
    perMessageDeflate: false,
  });
  await once(socket, "message");
  socket.on("message", () => {
    received += 1;
    onReceived();
  });
  return socket;
}

function untilReceived(events: number): Promise<void> {
  return new Promise(resolve => {
    onReceived = () => received >= events && resolve();
    onReceived();
  });
}
