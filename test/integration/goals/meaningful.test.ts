import { askedIn, GoalsWorld, type JudgedEvent } from "../../suites/goals-world.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { streamClient } from "../../support/stream-client.ts";
import { until } from "../../support/until.ts";

const goal = "The price of the nest box falls";

let world: GoalsWorld;
let receiver: Receiver;
let key: string;

/** A key with four events: dismissed, meaningful, not judged, and of a page without a goal. */
beforeAll(async () => {
  world = await GoalsWorld.start();
  receiver = await startReceiver();
  key = await world.newKey();
  world.model.answerBy(request => {
    const { added } = askedIn(request);
    if (added.join().includes("nobody")) return { answer: "I do not know." };
    const meaningful = added.join().includes("euros");
    return { answer: { meaningful, confidence: 0.9, reason: "So it is.", summary: "A change." } };
  });
  await endpoint("everything", {});
  await endpoint("meaningful", { meaningful: true });
  const page = world.newPage();
  const id = await world.tracked(key, page, { goal, select: [".news"] });
  for (const text of ["The shop is closed.", "It costs 20 euros.", "It is what nobody knows."]) {
    world.say(page, text);
    await world.poll(id);
  }
  const other = world.newPage();
  const without = await world.tracked(key, other, { select: [".news"] });
  world.say(other, "Something else.");
  await world.poll(without);
  await world.events(key, 4);
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

const ask = (method: string, path: string, body?: object) =>
  world.magpie.request(method, path, { key, ...(body && { body }) });

async function endpoint(path: string, filter: object): Promise<string> {
  const reply = await ask("POST", "/webhooks", { url: `${receiver.url}/${path}`, ...filter });
  expect(reply.status).toBe(201);
  return reply.json<{ data: { id: string } }>().data.id;
}

const seqsAt = (path: string) =>
  receiver.received
    .filter(delivery => delivery.path === `/${path}`)
    .map(({ event }) => event.seq)
    .sort();
const seqsOf = (events: JudgedEvent[]) => events.map(({ seq }) => seq);

test("events can be read without those that were dismissed; what is not judged passes", async () => {
  expect(seqsOf(await world.events(key, 4))).toEqual([1, 2, 3, 4]);
  expect(seqsOf(await world.events(key, 3, "?meaningful=true"))).toEqual([2, 3, 4]);
  expect(seqsOf(await world.events(key, 4, "?meaningful=false"))).toEqual([1, 2, 3, 4]);
  expect((await ask("GET", "/events?meaningful=perhaps")).json()).toMatchObject({
    code: "validation_failed",
    details: [{ field: "meaningful" }],
  });
});

test("an endpoint leaves them out where it asks for it, until it is asked to replay them", async () => {
  await until(
    "all have arrived",
    () => seqsAt("everything").length === 4 && seqsAt("meaningful").length === 3,
  );
  expect([seqsAt("everything"), seqsAt("meaningful")]).toEqual([
    [1, 2, 3, 4],
    [2, 3, 4],
  ]);
  type Shown = { id: string; url: string; meaningful: boolean; waiting: number };
  const endpoint = async () =>
    (await ask("GET", "/webhooks"))
      .json<{ data: Shown[] }>()
      .data.find(({ url }) => url.endsWith("/meaningful"));
  // What is delivered is noted a little later.
  await until("nothing waits any more", async () => (await endpoint())?.waiting === 0);
  const shown = await endpoint();
  expect(shown?.meaningful).toBe(true);
  await ask("PATCH", `/webhooks/${shown?.id}`, { meaningful: null });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect((await ask("POST", `/webhooks/${shown?.id}/replay`, { since })).status).toBe(200);
  await until("the dismissed one has arrived", () => seqsAt("meaningful").includes(1));
});

test("streams leave them out", async () => {
  const client = streamClient(world.magpie.url, "/stream?after=0&meaningful=true", { "x-api-key": key });
  await until("three have come", () => client.seqs().length === 3);
  expect(client.seqs()).toEqual([2, 3, 4]);
  client.socket.terminate();
  const end = new AbortController();
  const headers = { "x-api-key": key };
  const sse = await fetch(`${world.magpie.url}/stream/sse?after=0&meaningful=true`, {
    headers,
    signal: end.signal,
  });
  let text = "";
  for await (const chunk of sse.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("id: 4\n")) break;
  }
  end.abort();
  expect(text.match(/^id: \d+$/gm)).toEqual(["id: 2", "id: 3", "id: 4"]);
});

test("a feed leaves them out, and begins with what the judge says", async () => {
  const made = await ask("POST", "/feeds", { name: "Prices", meaningful: true });
  const { data } = made.json<{ data: { meaningful: boolean; json_url: string } }>();
  expect([made.status, data.meaningful]).toEqual([201, true]);
  const feed = await world.magpie.request("GET", new URL(data.json_url).pathname, { key: null });
  const { items } = feed.json<{ items: { content_html: string }[] }>();
  expect(items).toHaveLength(3);
  expect(
    items.filter(({ content_html }) => content_html.startsWith("<p><strong>A change.</strong></p>")),
  ).toHaveLength(1);
});
