import type { Magpie } from "../../support/magpie.ts";
import { streamClient } from "../../support/stream-client.ts";
import { linkFor, newKey, newOwner, type Page, signIn, startGateway } from "./visitor.ts";

let magpie: Magpie;

beforeAll(async () => {
  magpie = await startGateway({}, undefined, { stream: { recheckMs: 20 } });
});
afterAll(() => magpie?.stop());

/** Opens the stream of a page, reads its hello, and gives what comes until it ends. */
async function open(page: Page, path = "/stream/sse", headers = {}) {
  const response = await fetch(magpie.url + path, {
    headers: { ...page.headers, ...headers },
    signal: AbortSignal.timeout(30_000),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader?.read())?.value ?? "";
  const rest = async () => {
    let text = "";
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
      text += chunk.value;
    return text;
  };
  return { status: response.status, first, rest };
}

test("a page reads the events of its key, until the key is deleted", async () => {
  const { id, key } = await newKey(magpie, "listener");
  const { page } = await signIn(magpie, { api_key: key });
  const stream = await open(page);
  expect([stream.status, stream.first]).toEqual([200, expect.stringContaining("event: hello")]);
  await magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
  expect(await stream.rest()).toContain('"code":"unauthorized"');
});

test("an owner's stream ends with the session: at a new password, and when the password is taken away", async () => {
  const { id } = await newKey(magpie, "ada");
  const page = await newOwner(magpie, "ada", "a long password");
  const streams = [
    await open(page, "/stream/sse", { "x-key-id": id }),
    await open(page, "/stream/sse", { "x-key-id": id }),
  ];
  for (const { first } of streams) expect(first).toContain("event: hello");
  const token = await linkFor(magpie, "ada");
  const body = { token, password: "another password" };
  const { page: newer } = await signIn(magpie, body, { path: "/session/password" });
  for (const { rest } of streams) expect(await rest()).toContain("The session has ended");
  const left = await open(newer, "/stream/sse", { "x-key-id": id });
  await magpie.request("DELETE", "/internal/owners/ada/password", { admin: true });
  expect(await left.rest()).toContain("The session has ended");
});

test("a WebSocket takes no cookie: a page of another origin could open one with it", async () => {
  const { key } = await newKey(magpie, "socket");
  const { page } = await signIn(magpie, { api_key: key });
  const client = streamClient(magpie.url, "/stream", { ...page.headers, origin: magpie.url });
  client.socket.on("open", () => client.socket.send('{"type":"auth"}'));
  expect((await client.closed)[0]).toBe(4401);
  expect(client.frames.map(({ type }) => type)).toEqual(["error"]);
});
