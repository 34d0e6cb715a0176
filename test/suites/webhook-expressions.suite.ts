import type { NewEvent } from "../../mixins/event-log/event-log.ts";
import type { Reply } from "../support/magpie.ts";
import { type Received, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import type { EndpointsWorld } from "./webhook-endpoints.suite.ts";

type Json = Record<string, unknown>;

const slow = `$contains("${"a".repeat(40)}!", /^(a+)+$/)`;

/** Filters and transforms of endpoints, over HTTP. */
export function webhookExpressionsSuite(worldOf: () => EndpointsWorld): void {
  let receiver: Receiver;
  let keys: { id: string; key: string }[];
  let count = 0;

  beforeEach(async () => {
    receiver = await startReceiver();
    keys = [];
    for (const name of ["one", "two"]) {
      const made = await worldOf().magpie.request("POST", "/internal/keys", {
        admin: true,
        body: { owner: "ann", name },
      });
      keys.push(made.json<{ data: { id: string; key: string } }>().data);
    }
  });
  afterEach(async () => {
    for (const { id } of keys)
      await worldOf().magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
    await receiver.close();
  });

  const ask = (method: string, path: string, body?: object, of = 0): Promise<Reply> =>
    worldOf().magpie.request(method, path, { key: keys[of]?.key ?? null, ...(body && { body }) });
  const dataOf = (reply: Reply) => reply.json<{ data: Json }>().data;
  const add = async (path: string, options: object, of = 0): Promise<string> => {
    const reply = await ask("POST", "/webhooks", { url: receiver.url + path, ...options }, of);
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    return String(dataOf(reply).id);
  };
  const show = async (id: string) => dataOf(await ask("GET", `/webhooks/${id}`));
  /** Posts with these numbers of likes. */
  const posts = async (likes: number[], of = 0) => {
    const events = likes.map((favorite_count): NewEvent => {
      count += 1;
      return {
        bodyId: `post-${count}`,
        type: "microblog.post.created",
        timestamp: new Date().toISOString(),
        data: {
          source: { id: "a", source: "MICROBLOG", externalId: "a", name: "A", username: "a" },
          post: { legacy: { full_text: `Post ${favorite_count}`, favorite_count } },
        } as never,
        keyIds: [keys[of]?.id ?? ""],
      };
    });
    await worldOf().log.append(events);
  };
  const at = (path: string): Received[] => receiver.received.filter(each => each.path === path);
  const bodies = (path: string) => at(path).map(({ body }) => body);
  const likesAt = (path: string) =>
    at(path).map(
      ({ event }) =>
        (event.data as { post?: { legacy: { favorite_count: number } } }).post?.legacy.favorite_count,
    );

  test("a filter by payload, beside the other filters, over a change and a replay", async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const filter = "$.data.post.legacy.favorite_count > 100";
    const id = await add("/liked", { filter, event_types: ["microblog.post.created"] });
    await add("/all", {});
    await posts([99, 101, 5, 500]);
    await until("all came", () => at("/all").length === 4 && at("/liked").length === 2);
    expect(likesAt("/liked")).toEqual([101, 500]);
    expect(await show(id)).toMatchObject({ filter, filter_problem: null, waiting: 0, transform: null });
    await ask("PATCH", `/webhooks/${id}`, { filter: "data.post.legacy.favorite_count < 100" });
    await posts([7, 800]);
    await until("by the other filter", () => at("/liked").length === 3);
    expect(likesAt("/liked")).toEqual([101, 500, 7]);
    await ask("POST", `/webhooks/${id}/replay`, { since });
    await until("again", () => at("/liked").length === 6);
    expect(likesAt("/liked").slice(3)).toEqual([99, 5, 7]);
    await ask("PATCH", `/webhooks/${id}`, { filter: null });
    await posts([900]);
    await until("without", () => at("/liked").length === 7);
    // A test is meant for it, whatever it wants.
    await ask("PATCH", `/webhooks/${id}`, { filter: "false" });
    await ask("POST", `/webhooks/${id}/test`);
    await until("the test", () => at("/liked").at(-1)?.event.type === "webhook.test");
  });

  test("an event for which the filter fails is delivered, and the endpoint says why", async () => {
    const id = await add("/failing", { filter: "$number(data.post.legacy.full_text) > 1" });
    await posts([1, 2]);
    await until("both came", () => at("/failing").length === 2);
    await until("it is noted", async () => (await show(id)).filter_problem !== null);
    expect(await show(id)).toMatchObject({
      filter_problem: { message: expect.stringContaining("number"), at: expect.stringMatching(/^20/) },
    });
    await ask("PATCH", `/webhooks/${id}`, { filter: "true" });
    expect(await show(id)).toMatchObject({ filter_problem: null });
  });

  test("filters that never end lose nothing, and delay no other key", async () => {
    await add("/slow", { filter: slow });
    await add("/endless", { filter: "($f := function($x) { $f($x + 1) }; $f(1))" });
    await add("/other", { filter: "data.post.legacy.favorite_count > 0" }, 1);
    await posts([1, 2, 3, 4, 5, 6, 7, 8]);
    await posts([1, 2, 3], 1);
    await until("the other key's came", () => at("/other").length === 3);
    expect(at("/slow")).toEqual([]);
    await until("all came", () => at("/slow").length === 8 && at("/endless").length === 8);
    expect(likesAt("/slow")).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("a rate lets a burst pass, and the rest waits in its order, without loss", async () => {
    const id = await add("/paced", { rate: { per_second: 0.01, burst: 3 } });
    await add("/free", {});
    const likes = Array.from({ length: 23 }, (_, n) => n);
    await posts(likes);
    await until("the burst came", () => at("/paced").length === 3 && at("/free").length === 23);
    await until("the rest waits", async () => (await show(id)).waiting === 20);
    expect(await show(id)).toMatchObject({ rate: { per_second: 0.01, burst: 3 }, failures: 0 });
    await ask("PATCH", `/webhooks/${id}`, { rate: { per_second: 2.5 } });
    expect(await show(id)).toMatchObject({ rate: { per_second: 2.5, burst: 3 } });
    await until("some more came by the other rate", () => at("/paced").length >= 6);
    await ask("PATCH", `/webhooks/${id}`, { rate: null });
    await until("all came", () => at("/paced").length === 23);
    expect(likesAt("/paced")).toEqual(likes);
    expect(await show(id)).toMatchObject({ rate: null });
    const refused = await ask("PATCH", `/webhooks/${id}`, { rate: { per_second: 0 } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("rate.per_second")]);
  });

  test("a transform makes the body, which is signed, of each event and of batches", async () => {
    const transform = '{"text": data.post.legacy.full_text, "title": $news[0].title}';
    const id = await add("/made", { transform, event_types: ["microblog.post.created"] });
    const batch = { max_events: 2, max_wait_ms: 60_000 };
    await add("/batch", { transform: "events.data.post.legacy.favorite_count", batch });
    await add("/text", { transform: '"Likes: " & data.post.legacy.favorite_count' });
    const { secret } = dataOf(await ask("PATCH", `/webhooks/${id}`, { rotate_secret: true }));
    receiver.trust(String(secret));
    await posts([1, 2]);
    await until(
      "they came",
      () => at("/made").length === 2 && at("/batch").length === 1 && at("/text").length === 2,
    );
    expect(JSON.parse(bodies("/made")[0] ?? "")).toEqual({ text: "Post 1", title: expect.any(String) });
    expect(at("/made").map(({ verified }) => verified)).toEqual([true, true]);
    expect(bodies("/batch")).toEqual(["[1,2]"]);
    expect(bodies("/text")).toEqual(["Likes: 1", "Likes: 2"]);
    expect(at("/text")[0]?.headers["content-type"]).toBe("text/plain; charset=utf-8");
  });

  test("an event that a transform fails for counts as refused, and others are delivered", async () => {
    const transform =
      'data.post.legacy.favorite_count = 2 ? $error("two") : {"likes": data.post.legacy.favorite_count}';
    const id = await add("/some", { transform });
    await posts([1]);
    await until("the first came", () => at("/some").length === 1);
    await posts([2]);
    await until("it is given up", async () => {
      const { data } = (await ask("GET", `/webhooks/${id}/deliveries?status=dead`)).json<{ data: Json[] }>();
      return data.length === 1;
    });
    const { data } = (await ask("GET", `/webhooks/${id}/deliveries?status=dead`)).json<{ data: Json[] }>();
    expect(data).toEqual([
      expect.objectContaining({
        error: "transform",
        http_status: null,
        answer: expect.stringMatching(/^two/),
      }),
    ]);
    await posts([3]);
    await until("the third came", () => at("/some").length === 2);
    expect(bodies("/some")).toEqual(['{"likes":1}', '{"likes":3}']);
    await until("nothing waits", async () => (await show(id)).waiting === 0);
    expect(await show(id)).toMatchObject({ status: "ACTIVE" });
    // Mended, it is delivered by a retry.
    await ask("PATCH", `/webhooks/${id}`, { transform: '{"likes": data.post.legacy.favorite_count}' });
    const retried = await ask("POST", `/webhooks/${id}/deliveries/${data[0]?.id}/retry`);
    expect(dataOf(retried)).toMatchObject({ outcome: "succeeded" });
    expect(bodies("/some").at(-1)).toBe('{"likes":2}');
  });

  test("what is tried on an event is answered, and nothing is sent", async () => {
    const id = await add("/tried", {
      filter: "data.post.legacy.favorite_count > 100",
      transform: '{"n": seq}',
    });
    const tried = async (body: object) => dataOf(await ask("POST", `/webhooks/${id}/transform/test`, body));
    expect((await ask("POST", `/webhooks/${id}/transform/test`, {})).status).toBe(404);
    await posts([500, 5]);
    await until("one came", () => at("/tried").length === 1);
    const own = await tried({});
    expect(own).toMatchObject({
      event: { type: "microblog.post.created", seq: 2 },
      ...{ passes: false, filter_problem: null, transform_problem: null },
      ...{ content_type: "application/json", body: '{"n":2}' },
    });
    const first = { event_id: at("/tried")[0]?.headers["webhook-id"] };
    expect(await tried({ ...first, transform: "type" })).toMatchObject({
      ...{ event: { seq: 1 }, passes: true, body: "microblog.post.created" },
      content_type: "text/plain; charset=utf-8",
    });
    expect(await tried({ filter: null, transform: null })).toMatchObject({
      ...{ passes: true, body: expect.stringContaining('"seq":2') },
    });
    expect(await tried({ filter: '$error("f")', transform: '$error("t")' })).toMatchObject({
      ...{
        passes: true,
        filter_problem: expect.stringMatching(/^f/),
        transform_problem: expect.stringMatching(/^t/),
        body: null,
        content_type: null,
      },
    });
    expect((await ask("POST", `/webhooks/${id}/transform/test`, { event_id: "evt_x" })).status).toBe(404);
    expect((await ask("POST", `/webhooks/${id}/transform/test`, {}, 1)).status).toBe(404);
    expect(at("/tried")).toHaveLength(1);
  });

  test("what cannot be is refused at the door, with the field and the place", async () => {
    const id = await add("/x", {});
    const refused = async (method: string, path: string, body: object) => {
      const { status, json } = await ask(method, path, body);
      const { details } = json<{ details?: { field: string; message: string }[] }>();
      return [status, details?.[0]?.field, details?.[0]?.message];
    };
    const url = `${receiver.url}/x`;
    const place = expect.stringContaining("character");
    expect(await refused("POST", "/webhooks", { url, filter: "a[" })).toEqual([400, "filter", place]);
    expect(await refused("POST", "/webhooks", { url, transform: '{"a": }' })).toEqual([
      400,
      "transform",
      place,
    ]);
    expect(await refused("PATCH", `/webhooks/${id}`, { filter: "(a" })).toEqual([400, "filter", place]);
    expect(await refused("POST", `/webhooks/${id}/transform/test`, { transform: "a +" })).toEqual([
      ...[400, "transform", place],
    ]);
    const long = "a".repeat(4001);
    expect((await refused("POST", "/webhooks", { url, filter: long })).slice(0, 2)).toEqual([400, "filter"]);
    for (const body of [
      { url, transform: "type", format: "slack" },
      { url, transform: "type", format: "text", template: "{{title}}" },
    ])
      expect((await refused("POST", "/webhooks", body)).slice(0, 2)).toEqual([400, "transform"]);
    expect(
      (await refused("PATCH", `/webhooks/${id}`, { format: "slack", transform: "type" })).slice(0, 2),
    ).toEqual([...[400, "transform"]]);
    expect(await show(id)).toMatchObject({ filter: null, transform: null, format: "standard" });
  });
}
