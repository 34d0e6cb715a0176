/** Tracks a source and prints its events as they happen: `node track.mjs microblog corvid_lab`. Needs Node 18 or later. */
import { setTimeout as sleep } from "node:timers/promises";

const server = process.env.MAGPIE_URL ?? "http://localhost:3000";
const headers = { "x-api-key": process.env.MAGPIE_API_KEY ?? "" };
const [source, sid] = process.argv.slice(2);
if (!source || !sid) {
  console.error("Usage: node track.mjs <microblog|chatserver|messenger|web|rss> <sid>");
  process.exit(1);
}

const { data, message } = await ask(`/track/${source}`, { sid });
console.log(`${data?.name ?? sid}: ${message}`);

// The position of the last event. A real program keeps it where it survives a restart.
let lastEventId;
for (;;) {
  try {
    await readStream();
  } catch (error) {
    console.error(`${error.message}; connecting again`);
  }
  await sleep(2_000);
}

/**
 * Reads server-sent events until the connection ends. `Last-Event-ID` makes the next connection continue after the last
 * event.
 */
async function readStream() {
  const response = await fetch(`${server}/stream/sse`, {
    headers: { ...headers, ...(lastEventId && { "last-event-id": lastEventId }) },
  });
  if (!response.ok) throw new Error(`the stream answered ${response.status}`);
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const messages = (text + chunk).split("\n\n");
    text = messages.pop();
    for (const each of messages) print(fieldsOf(each));
  }
}

function print({ id, event = "message", data }) {
  if (event === "error") throw new Error(JSON.parse(data).message);
  if (event !== "message" || data === undefined) return;
  const { type, timestamp, data: content } = JSON.parse(data);
  console.log(`${timestamp} ${type} ${textOf(content)}`);
  lastEventId = id;
}

function textOf({ post, message, item, change, reason }) {
  const text =
    post?.legacy.full_text ??
    message?.content ??
    message?.text ??
    item?.title ??
    change?.diff ??
    reason ??
    "";
  return text.replace(/\s+/g, " ").slice(0, 200);
}

function fieldsOf(message) {
  return Object.fromEntries(message.split("\n").map(line => line.split(/: ?(.*)/s).slice(0, 2)));
}

async function ask(path, body) {
  const response = await fetch(server + path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer;
}
