import { telegramPreviewConnector } from "../../../services/connectors/platforms/telegram-preview/connector.ts";
import type { Pace } from "../../../services/connectors/platforms/telegram-preview/listen.ts";
import type { Listener, SocialConnector } from "../../../services/connectors/social/social-connector.ts";
import type { Post } from "../../../services/contracts/connectors.contract.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { driverTools } from "../../fakes/driver-tools.ts";
import { PreviewServer } from "../../fakes/telegram-preview/preview-server.ts";
import { type Ear, listen } from "../../suites/social-connector.ear.ts";
import { type Network, socialConnectorSuite } from "../../suites/social-connector.suite.ts";
import { until } from "../../support/until.ts";

const never = new AbortController().signal;

function connect({ url }: PreviewServer, pace: Partial<Pace> = {}): SocialConnector {
  return telegramPreviewConnector(
    { url, pace: { intervalMs: 20, spacingMs: 1, silenceMs: 50, ...pace } },
    driverTools({ random: () => 0.5 }),
  );
}

async function openNetwork(): Promise<Network> {
  const server = await new PreviewServer().start();
  server.addChannel("MagpieNews", "News of <Magpies> & others");
  server.addChannel("quiet_owls", "Owls");
  return {
    driver: connect(server),
    source: {
      sids: [
        "MagpieNews",
        "@magpienews",
        "t.me/MagpieNews",
        "https://t.me/s/magpienews",
        "https://telegram.me/magpienews/12?single",
      ],
      externalId: "magpienews",
      username: "MagpieNews",
      name: "News of <Magpies> & others",
    },
    other: { sid: "quiet_owls", externalId: "quiet_owls" },
    unknown: "nobody_here",
    malformed: [
      "",
      "@",
      "abc",
      "a b",
      "1234",
      "https://birds.example/magpienews",
      "t.me/+AbCdEf",
      "https://t.me/joinchat/AbC",
    ],
    post: async (externalId, text) => String(server.post(externalId, { text }).id),
    cut: async () => server.goAway(),
    heal: async () => server.heal(),
    goAway: async () => server.goAway(),
    limitNext: () => server.limitNext(),
    searchesAll: false,
    close: () => server.close(),
  };
}

socialConnectorSuite("telegram-preview", openNetwork);

describe("telegram-preview", () => {
  let server: PreviewServer;
  let driver: SocialConnector;
  let ears: Ear[];

  beforeEach(async () => {
    server = await new PreviewServer().start();
    server.addChannel("magpies", "Magpies");
    ears = [];
    driver = connect(server);
  });
  afterEach(async () => {
    for (const ear of ears) await ear.end();
    await driver.close?.();
    await server.close();
  });

  const hear = async (tracked: Record<string, string | null>) => {
    const ear = await listen(driver, tracked);
    ears.push(ear);
    return ear;
  };
  const fill = (count: number) =>
    Array.from({ length: count }, (_, n) => String(server.post("magpies", { text: `caw ${n}` }).id));
  const idsOf = (posts: Post[]) => posts.map(({ postId }) => postId);
  const failureOf = (answer: Promise<unknown> | undefined) =>
    Promise.resolve(answer).then(
      value => expect(value).toBe("a failure"),
      (error: Error) => ({ code: codeOf(error), message: error.message }),
    );

  test("many pages are read on, a few at a time, and back", async () => {
    const ids = fill(130);
    const first = await driver.since("magpies", "1", never);
    expect([first.posts.length, first.more, first.cursor]).toEqual([60, true, "61"]);
    const second = await driver.since("magpies", first.cursor, never);
    const third = await driver.since("magpies", second.cursor, never);
    expect([...first.posts, ...second.posts, ...third.posts].map(({ postId }) => postId)).toEqual(ids);
    expect(third.more).toBe(false);
    const page = await driver.history("magpies", { limit: 50 }, never);
    const rest = await driver.history("magpies", { limit: 100, cursor: String(page.next) }, never);
    expect(idsOf([...page.posts, ...rest.posts])).toEqual(ids.toReversed());
    expect(rest.next).toBeNull();
  });

  test("what the messenger says in a channel is no message, and is not asked for again", async () => {
    server.post("magpies", { text: "Channel photo updated", isService: true });
    const news = await driver.since("magpies", "1", never);
    expect(news).toEqual({ posts: [], cursor: "2", more: false });
    expect((await driver.history("magpies", { limit: 10 }, never)).posts).toEqual([]);
  });

  test("a search continues over pages up to its limit", async () => {
    fill(90);
    const { total, messages } = {
      total: 0,
      messages: [],
      ...(await driver.search?.({ channelId: "@magpies", q: "CAW", limit: 70 }, never)),
    };
    expect([total, messages.length]).toEqual([70, 70]);
    expect(server.requests.at(-1)).toBe("/s/magpies?q=CAW&before=32");
    const none = await driver.search?.({ channelId: "magpies", q: "a&b=c #d", limit: 5 }, never);
    expect(none).toEqual({ total: 0, messages: [] });
    expect(server.requests.at(-1)).toBe("/s/magpies?q=a%26b%3Dc+%23d");
  });

  test.each([
    [{ q: "caw", limit: 5 }, /one channel at a time.*MESSENGER_DRIVER/],
    [{ channelId: "-1001234567890", limit: 5 }, /user name.*MESSENGER_DRIVER/],
  ])("what needs an account says so: %j", async (query, sentence) => {
    const message = expect.stringMatching(sentence);
    expect(await failureOf(driver.search?.(query, never))).toEqual({
      code: "connector_unavailable",
      message,
    });
  });

  test("an invite says that only public channels are read", async () => {
    const refused = { code: "validation_failed", message: expect.stringContaining("Only public channels") };
    for (const answer of [
      driver.resolve("https://t.me/+AbCdEf", never),
      driver.admission?.("t.me/joinchat/AbC", never),
    ])
      expect(await failureOf(answer)).toEqual(refused);
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["a redirect to the app", { status: 302, headers: { location: "https://t.me/magpies" } }, "not_found"],
    ["a page without a channel", { status: 200, body: "<html><body>Telegram</body></html>" }, "not_found"],
    ["a page that is missing", { status: 404 }, "not_found"],
    ["a fault", { status: 502 }, "connector_unavailable"],
    ["a wall", { status: 403 }, "connector_unavailable"],
  ])("%s", async (_, answer, code) => {
    server.instead.push(answer);
    expect(await failureOf(driver.since("magpies", "1", never))).toMatchObject({ code });
    expect((await driver.since("magpies", "1", never)).posts).toEqual([]);
  });

  test("a missing channel does not keep others from being published", async () => {
    server.addChannel("owls", "Owls");
    const ear = await hear({ magpies: "1", owls: "1" });
    await until("both are read", () => ear.gaps() > 1);
    server.channels.shift();
    const { id } = server.post("owls", { text: "hoot" });
    await until("it is heard", () => ear.live("owls").includes(String(id)));
    expect(ear.losses()).toEqual([]);
  });

  test.each([403, 502])(
    "a channel that answers %i for ever keeps no other from being heard",
    async status => {
      server.addChannel("owls", "Owls");
      server.addChannel("ravens", "Ravens");
      await driver.close?.();
      driver = connect(server, { silenceMs: 10_000 });
      const ear = await hear({ magpies: "1", owls: "1", ravens: "1" });
      await until("all are read", () => ear.gaps() > 2);
      server.broken.set("magpies", status);
      server.broken.set("ravens", status);
      for (let n = 0; n < 3; n++) {
        const { id } = server.post("owls", { text: "hoot" });
        await until("it is heard", () => ear.live("owls").includes(String(id)));
      }
      expect(ear.losses()).toEqual([]);
      const { id } = server.post("magpies", { text: "caw" });
      server.broken.clear();
      await until("it is read on", () => ear.live("magpies").includes(String(id)));
    },
  );

  test("once connected, each channel is fetched once in the first round", async () => {
    const names = ["magpies", "owls", "ravens"];
    for (const name of names.slice(1)) server.addChannel(name, name);
    const asked: string[] = [];
    const gaps: (string[] | undefined)[] = [];
    const listener: Listener = {
      isTracked: name => names.includes(name),
      tracked: () => names,
      onTracked: () => () => undefined,
      onPosts: async (name, posts) => void asked.push(...idsOf(posts).map(id => `${name} ${id}`)),
      async onGap(these) {
        gaps.push(these);
        for (const name of these ?? names) await driver.since(name, "1", never);
        if (gaps.length === 3) asked.push(...server.requests);
      },
      onLost: reason => asked.push(reason),
    };
    const ending = new AbortController();
    await driver.close?.();
    driver = connect(server, { intervalMs: 60_000 });
    const listening = driver.listen(listener, ending.signal);
    await until("all are told", () => gaps.length === 3);
    ending.abort();
    await listening;
    expect(asked).toEqual(["/s/magpies", ...names.map(name => `/s/${name}?after=1`)]);
    expect(gaps).toEqual(names.map(name => [name]));
  });

  test("messages sent to a newly tracked channel before its first read are reported as a gap", async () => {
    const ear = await hear({});
    const [id] = fill(1);
    ear.track("magpies", "1");
    await until("it is read", () => ear.heard("magpies").includes(String(id)));
    expect(ear.live("magpies")).toEqual([]);
    const [next] = fill(1);
    await until("it is heard live", () => ear.live("magpies").includes(String(next)));
    expect(ear.heard("magpies")).toEqual([id, next]);
  });
});
