import assert from "node:assert/strict";
import { test } from "node:test";
import { itemsOf, Magpie } from "../src/index.ts";
import { failure, json, startFake } from "./fake-service.ts";

const part = (next_cursor: string | null, ...ids: string[]) =>
  json({ data: ids.map(id => ({ id })), next_cursor });

test("a list that comes in parts is read to its end", async () => {
  const fake = await startFake(part("x", "a", "b"), part("y"), part(null, "c"));
  const { raw } = new Magpie({ url: fake.url });
  const ids: string[] = [];
  for await (const { id } of itemsOf(cursor => raw.GET("/track", { params: { query: { cursor } } })))
    ids.push(id);
  assert.deepEqual(ids, ["a", "b", "c"]);
  assert.deepEqual(
    fake.asked.map(({ url }) => url),
    ["/track", "/track?cursor=x", "/track?cursor=y"],
  );
  await fake.close();
});

test("a list that is refused throws the service's error", async () => {
  const fake = await startFake(failure(401, "unauthorized"));
  const { raw } = new Magpie({ url: fake.url });
  await assert.rejects(itemsOf(cursor => raw.GET("/track", { params: { query: { cursor } } })).next(), {
    code: "unauthorized",
  });
  await fake.close();
});
