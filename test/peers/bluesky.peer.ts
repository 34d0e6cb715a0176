import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { AtpAgent } from "@atproto/api";
import { blueskyConnector } from "../../services/connectors/platforms/bluesky/connector.ts";
import { driverTools } from "../fakes/driver-tools.ts";
import { listen } from "../suites/social-connector.ear.ts";
import { type Network, socialConnectorSuite } from "../suites/social-connector.suite.ts";
import { until } from "../support/until.ts";
import { installPeers } from "./install-peers.ts";
import { layWire } from "./wire.ts";

const never = new AbortController().signal;
const tools = driverTools();

let child: ChildProcess;
let url: string;
let networks = 0;

beforeAll(async () => {
  await installPeers();
  const env = { ...process.env, LOG_ENABLED: "false", NODE_OPTIONS: "--no-warnings" };
  child = fork(join(import.meta.dirname, "bluesky-network.ts"), { env });
  const [told] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof told?.url !== "string") throw new Error("the network did not start; it has told why");
  url = told.url;
}, 900_000);

afterAll(async () => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
});

/** Accounts of its own on the network that all tests share. */
async function openNetwork(): Promise<Network & { magpie: AtpAgent; ada: AtpAgent; bob: AtpAgent }> {
  networks += 1;
  const [magpie, ada, bob] = await Promise.all(
    ["magpie", "ada", "bob"].map(name => signUp(`${name}${networks}`)),
  );
  if (!magpie || !ada || !bob) throw new Error("not all have joined");
  const authors = [ada, bob];
  const { data } = await magpie.com.atproto.server.createAppPassword({ name: "magpie" });
  const wire = await layWire(new URL(url));
  const settings = {
    identifier: magpie.assertDid,
    appPassword: data.password,
    service: url,
    relay: `ws://127.0.0.1:${wire.port}`,
  };
  const handle = `ada${networks}.test`;
  return {
    magpie,
    ada,
    bob,
    driver: blueskyConnector(settings, tools),
    source: {
      sids: [handle, `@${handle}`, `ada${networks}`, ada.assertDid, `https://bsky.app/profile/${handle}`],
      externalId: ada.assertDid,
      username: handle,
      name: `Name of ada${networks}`,
    },
    other: { sid: `bob${networks}.test`, externalId: bob.assertDid },
    unknown: "nobody",
    malformed: ["", "a b", "did:plc:short"],
    unknownPost: `at://${ada.assertDid}/app.bsky.feed.post/3jzfcijpj2z2a`,
    async post(externalId, text) {
      const author = authors.find(({ did }) => did === externalId);
      if (!author) throw new Error(`no author ${externalId}`);
      const { uri } = await author.post({ text });
      // Its author's own server would show it at once.
      await until("the app view shows the post", async () => {
        const { feed } = (await magpie.getAuthorFeed({ actor: externalId, limit: 5 })).data;
        return feed.some(({ post }) => post.uri === uri);
      });
      return uri;
    },
    cut: async () => wire.cut(),
    heal: async () => wire.mend(),
    close: () => wire.close(),
  };
}

async function signUp(name: string): Promise<AtpAgent> {
  const agent = new AtpAgent({ service: url });
  await agent.createAccount({ handle: `${name}.test`, email: `${name}@mail.test`, password: "of the test" });
  await agent.upsertProfile(() => ({ displayName: `Name of ${name}` }));
  await until("the app view knows the account", async () => {
    const profile = await agent.getProfile({ actor: agent.assertDid }).catch(() => undefined);
    return profile?.data.displayName !== undefined;
  });
  return agent;
}

socialConnectorSuite("bluesky, a network of real servers", openNetwork);

test("follows once, with notifications, and lets go", async () => {
  const { driver, magpie, source, close } = await openNetwork();
  const standing = async () => {
    const { viewer } = (await magpie.getProfile({ actor: source.externalId })).data;
    return [viewer?.following !== undefined, viewer?.activitySubscription?.post ?? false];
  };
  const records = async () => {
    const repo = { repo: magpie.assertDid, collection: "app.bsky.graph.follow" };
    const { data } = await magpie.com.atproto.repo.listRecords(repo);
    return data.records.map(({ value }) => value.subject);
  };
  for (let times = 0; times < 2; times++) await driver.follow(source.externalId, never);
  expect(await records()).toEqual([source.externalId]);
  await until("both are there", async () => (await standing()).every(each => each));
  for (let times = 0; times < 2; times++) await driver.unfollow(source.externalId, never);
  expect(await records()).toEqual([]);
  await until("neither is there", async () => (await standing()).every(each => !each));
  await close();
});

test("a post arrives with its address, links behind words, card, quote and what it answers, live and by a poll", async () => {
  const { driver, ada, bob, source, close } = await openNetwork();
  const cursor = String((await driver.resolve(source.externalId, never)).state.cursor);
  await driver.follow(source.externalId, never);
  const ear = await listen(driver, { [source.externalId]: cursor });
  const asked = await bob.post({ text: "Who has seen the nest?" });
  const uri = "https://mill.example/grain?a=1";
  const link = { $type: "app.bsky.richtext.facet#link", uri };
  const external = { uri, title: "The mill", description: "Grain for birds" };
  const about = await ada.post({
    text: "read mill.example/gr…",
    facets: [{ index: { byteStart: 5, byteEnd: 23 }, features: [link] }],
    embed: { $type: "app.bsky.embed.external", external },
  });
  const quoting = await ada.post({ text: "this", embed: { $type: "app.bsky.embed.record", record: asked } });
  const answer = await ada.post({ text: "We have", reply: { root: asked, parent: asked } });
  const shown = async () => (await ada.getPosts({ uris: [answer.uri] })).data.posts.length > 0;
  await until("the app view shows the last one", shown);
  const { posts } = await driver.since(source.externalId, cursor, never);
  await until("all are heard", () => ear.live(source.externalId).length === posts.length);
  const handle = bob.session?.handle;
  const other = { id: asked.uri, author: handle, text: "Who has seen the nest?" };
  for (const each of [posts, ear.posts(source.externalId)]) {
    const told = each.map(({ data }) => data.post);
    expect(told).toMatchObject([
      {
        rest_id: about.uri,
        links: [{ url: uri, text: "mill.example/gr…" }, { url: uri }],
        card: { url: uri, title: "The mill" },
      },
      { rest_id: quoting.uri, quoted: other },
      { rest_id: answer.uri, in_reply_to: { id: asked.uri } },
    ]);
    const key = about.uri.split("/").at(-1);
    expect(told[0]).toMatchObject({ url: `https://bsky.app/profile/${source.externalId}/post/${key}` });
  }
  await ear.end();
  await close();
});
