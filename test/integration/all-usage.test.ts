import { call } from "../../services/contracts/action.ts";
import { countUsage } from "../../services/contracts/keys.contract.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

interface Usage {
  days: string[];
  total: number[];
  keys: { key_id: string; name: string; owner: string; requests: number[] }[];
}

let magpie: Magpie;

beforeEach(async () => {
  magpie = await startMagpie({ keysPerOwner: 100 });
});
afterEach(() => magpie.stop());

const dayMs = 86_400_000;
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);

async function newKey(name: string): Promise<string> {
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body: { owner: "ann", name } });
  return reply.json<{ data: { id: string } }>().data.id;
}

const count = (keyId: string, ago: number, requests: number) =>
  call(magpie.broker, countUsage, { counts: [{ keyId, day: day(ago), requests }] });

async function usage(days: number): Promise<Usage> {
  const reply = await magpie.request("GET", `/internal/usage?days=${days}`, { admin: true });
  expect(reply.status).toBe(200);
  return reply.json<{ data: Usage }>().data;
}

test("the total is of all keys, and the keys are those with the most in these days", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 22; at += 1) ids.push(await newKey(`n${at}`));
  for (const [at, id] of ids.entries()) await count(id, 1, 100 + at);
  // Largest in one day, and not in all of them.
  await count(ids[0] ?? "", 0, 50);
  await count(ids[1] ?? "", 3, 1_000_000);
  const { days, total, keys } = await usage(3);
  expect(days).toEqual([day(2), day(1), day(0)]);
  expect(total).toEqual([0, 22 * 100 + (21 * 22) / 2, 50]);
  expect(keys).toHaveLength(20);
  expect(keys[0]).toEqual({ key_id: ids[0], name: "n0", owner: "ann", requests: [0, 100, 50] });
  const others = Array.from({ length: 19 }, (_, at) => ids[21 - at]);
  expect(keys.slice(1).map(({ key_id }) => key_id)).toEqual(others);
  expect((await usage(4)).keys[0]).toMatchObject({ key_id: ids[1], requests: [1_000_000, 0, 101, 0] });
});

test("a deleted key is left out, and days are bounded", async () => {
  const id = await newKey("gone");
  await count(id, 0, 7);
  expect((await usage(1)).total).toEqual([7]);
  await magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
  expect(await usage(1)).toEqual({ days: [day(0)], total: [0], keys: [] });
  for (const wrong of ["0", "367", "x"]) {
    const reply = await magpie.request("GET", `/internal/usage?days=${wrong}`, { admin: true });
    expect(reply.json()).toMatchObject({ code: "validation_failed", details: [{ field: "days" }] });
  }
  expect((await magpie.request("GET", "/internal/usage")).status).toBe(401);
});
