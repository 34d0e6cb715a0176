import { addressedNetworks } from "../../../services/connectors/social/addresses.ts";
import { type Networks, platformNamed } from "../../../services/connectors/social/networks.ts";
import type { SocialKind } from "../../../services/connectors/social/social-connector.ts";
import { isSearch, splitNetwork } from "../../../services/contracts/source.ts";

describe("an address is of a network, and a name of none", () => {
  test.each<[SocialKind, string, string | null]>([
    ["microblog", "magpie", null],
    ["microblog", "@magpie", null],
    ["microblog", "ada.example", null],
    ["microblog", "x.com", null],
    ["microblog", "12345", null],
    ["microblog", "#birds", null],
    ["microblog", "search:x.com/magpie and https://bsky.app/", null],
    ["microblog", "search:@ada@birds.example", null],
    ["microblog", "https://x.com/magpie", "x"],
    ["microblog", "x.com/magpie", "x"],
    ["microblog", "http://mobile.twitter.com/magpie/status/12", "x"],
    ["microblog", "https://notx.com/magpie", null],
    ["microblog", "https://x.com.example/magpie", null],
    ["microblog", "https://bsky.app/profile/ada.example", "bluesky"],
    ["microblog", "https://deer.example/profile/ada.example", "bluesky"],
    ["microblog", "did:plc:abcdefghijklmnopqrstuvwx", "bluesky"],
    ["microblog", "at://ada.example", "bluesky"],
    ["microblog", "@ada@birds.example", "mastodon"],
    ["microblog", "ada@birds.example:8443", "mastodon"],
    ["microblog", " https://birds.example/@ada ", "mastodon"],
    ["microblog", "https://birds.example/users/ada", "mastodon"],
    ["microblog", "https://birds.example/@ada/1122", "mastodon"],
    ["chatserver", "corvids", null],
    ["chatserver", "channel:123456789012345678", null],
    ["chatserver", "discord.gg/corvids", "discord"],
    ["chatserver", "https://discord.com/invite/corvids", "discord"],
    ["messenger", "@bird_radio", null],
    ["messenger", "+abcdefgh", null],
    ["messenger", "t.me/bird_radio", "telegram"],
    ["messenger", "tg://resolve?domain=bird_radio", "telegram"],
  ])("%s %s: %p", (kind, text, network) => expect(addressedNetworks(kind, text)?.[0] ?? null).toBe(network));
});

test.each([
  ["bluesky:did:plc:abc", "bluesky", "did:plc:abc"],
  ["Mastodon: @ada@birds.example", "mastodon", "@ada@birds.example"],
  ["x:search:two birds", "x", "search:two birds"],
  ["discord:channel:12", "discord", "channel:12"],
  ["telegram-preview:bird_radio", "telegram-preview", "bird_radio"],
  ["channel:12", undefined, "channel:12"],
  ["search:birds", undefined, "search:birds"],
  ["did:plc:abc", undefined, "did:plc:abc"],
  ["x://magpie", undefined, "x://magpie"],
  ["x:", undefined, "x:"],
])("%s is of %p", (text, network, rest) => {
  expect(splitNetwork(text)).toEqual(network === undefined ? { rest } : { network, rest });
});

test("a search is one on every network", () => {
  expect(["#birds", "mastodon:#birds", "bluesky:search:birds"].map(isSearch)).toEqual([true, true, true]);
  expect(["12", "bluesky:did:plc:abc"].map(isSearch)).toEqual([false, false]);
});

describe("the network that a text means", () => {
  const having = (kind: SocialKind, ...drivers: string[]) =>
    ({ kind, platforms: drivers.map(driver => ({ driver })) }) as unknown as Networks;
  const meant = (networks: Networks, text: string) => {
    const { platform, text: taken } = platformNamed(networks, text, "sid");
    return [platform.driver, taken];
  };

  test.each<[string[], string, string, string]>([
    [["x", "bluesky"], "magpie", "x", "magpie"],
    [["x", "bluesky"], "bluesky:ada.example", "bluesky", "ada.example"],
    [["x", "bluesky"], "BLUESKY:#birds", "bluesky", "#birds"],
    [
      ["x", "bluesky"],
      "https://bsky.app/profile/ada.example",
      "bluesky",
      "https://bsky.app/profile/ada.example",
    ],
    [["x", "mastodon"], "@ada@birds.example", "mastodon", "@ada@birds.example"],
    [["bluesky"], "bluesky:ada.example", "bluesky", "ada.example"],
    [["x"], "discord:corvids", "x", "discord:corvids"],
    [["sandbox"], "https://x.com/magpie_daily", "sandbox", "https://x.com/magpie_daily"],
  ])("of %p: %s", (drivers, text, network, taken) =>
    expect(meant(having("microblog", ...drivers), text)).toEqual([network, taken]),
  );

  test("Telegram is read by either of its drivers, the first by default", () => {
    const preview = having("messenger", "sandbox", "telegram-preview");
    expect(meant(preview, "telegram:bird_radio")).toEqual(["telegram-preview", "bird_radio"]);
    expect(meant(preview, "https://t.me/bird_radio")[0]).toBe("telegram-preview");
    const both = having("messenger", "telegram-preview", "telegram");
    expect(meant(both, "telegram:bird_radio")[0]).toBe("telegram");
    expect(meant(both, "t.me/bird_radio")[0]).toBe("telegram-preview");
  });

  test.each<[string[], string, RegExp]>([
    [
      ["x"],
      "bluesky:ada.example",
      /set BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD, and add bluesky to MICROBLOG_DRIVER/,
    ],
    [["x", "bluesky"], "@ada@birds.example", /MASTODON_URL and MASTODON_ACCESS_TOKEN/],
    [["sandbox"], "ada@birds.example", /MASTODON_URL/],
    [["sandbox", "bluesky"], "https://x.com/magpie", /X_BEARER_TOKEN/],
    [["x"], "sandbox:magpie_daily", /can add sandbox to MICROBLOG_DRIVER/],
  ])("of %p, %s is of none, and says what is missing", (drivers, text, message) => {
    const failure = (() => {
      try {
        return meant(having("microblog", ...drivers), text);
      } catch (error) {
        return error;
      }
    })();
    const details = [{ field: "sid", code: "not_configured", message: expect.stringMatching(message) }];
    expect(failure).toMatchObject({ code: 400, type: "validation_failed", data: { details } });
  });
});
