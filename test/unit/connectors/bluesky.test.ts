import type { ProfileViewDetailed } from "@atcute/bluesky/types/app/actor/defs";
import type { PostView } from "@atcute/bluesky/types/app/feed/defs";
import { cacheAuthors, toAbout, toProfile } from "../../../services/connectors/platforms/bluesky/account.ts";
import type { Ask } from "../../../services/connectors/platforms/bluesky/api.ts";
import {
  isShownInFull,
  sortTime,
  toPost,
  viewToPost,
  writtenToPost,
} from "../../../services/connectors/platforms/bluesky/map-post.ts";
import {
  advancePosition,
  isAfter,
  readCursor,
  startPosition,
  writeCursor,
} from "../../../services/connectors/platforms/bluesky/read-posts.ts";
import { isPostUri, parseSid } from "../../../services/connectors/platforms/bluesky/sid.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const did = "did:plc:adaadaadaadaadaadaadaada";
const uri = `at://${did}/app.bsky.feed.post/3jzfcijpj2z2a` as const;
const view: PostView & { record: Record<string, unknown> } = {
  uri,
  cid: "bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a",
  author: { did, handle: "ada.example", displayName: "Ada" },
  record: { $type: "app.bsky.feed.post", text: "Silver!\nAnd more.", createdAt: "2018-10-10T20:19:24.000Z" },
  replyCount: 0,
  repostCount: 2,
  likeCount: 5,
  indexedAt: "2018-10-10T20:19:25.500Z",
};
const profile: ProfileViewDetailed = {
  did,
  handle: "ada.example",
  displayName: "Ada",
  description: "Black & white.",
  avatar: "https://cdn.example/ada.jpg",
  followersCount: 12,
  followsCount: 3,
  createdAt: "2023-05-01T00:00:00.000Z",
};

test.each([
  ["ada.example", { handle: "ada.example" }],
  ["@Ada.Example", { handle: "ada.example" }],
  [" ada.example ", { handle: "ada.example" }],
  ["a-b.c-d.example", { handle: "a-b.c-d.example" }],
  ["ada", { name: "ada" }],
  ["@ada", { name: "ada" }],
  [did, { did }],
  ["did:web:birds.example", { did: "did:web:birds.example" }],
  ["did:web:localhost%3A2583", { did: "did:web:localhost%3A2583" }],
  ["https://bsky.app/profile/ada.example", { handle: "ada.example" }],
  ["https://bsky.app/profile/ada.example/", { handle: "ada.example" }],
  ["https://bsky.app/profile/ada.example?lang=de", { handle: "ada.example" }],
  [`https://bsky.app/profile/${did}`, { did }],
  [`at://${did}`, { did }],
  ["at://ada.example", { handle: "ada.example" }],
])("the sid %s", (sid, meaning) => {
  expect(parseSid(sid)).toEqual(meaning);
});

test.each([
  "",
  "@",
  "@@ada.example",
  "a b",
  "a_b",
  "-ada",
  "ada..example",
  "ada.example.",
  "ada.123",
  `${"a".repeat(64)}.example`,
  "did:plc:",
  "did:plc:ADAADAADAADAADAADAADAADA",
  "did:plc:adaadaadaadaadaadaadaada/x",
  "did:web:birds.example/path",
  "did:web:birds.example:path",
  "did:web:birds.example%2F..",
  "did:key:z6MkhaXgBZD",
  "https://bsky.app/",
  "https://bsky.app/profile/",
  "https://bsky.app/profile/ada",
  `https://bsky.app/profile/${did}/post/1`,
  "ada/../eve.example",
  "ada?x=1",
])("means nothing: %s", sid => {
  expect(parseSid(sid)).toBeNull();
});

test.each([
  [uri, true],
  ["at://did:web:birds.example/app.bsky.feed.post/self", true],
  ["at://ada.example/app.bsky.feed.post/3jzfcijpj2z2a", false],
  [`at://${did}/app.bsky.feed.like/3jzfcijpj2z2a`, false],
  [`at://${did}/app.bsky.feed.post/..`, false],
  [`at://${did}/app.bsky.feed.post/a/b`, false],
  [`at://${did}/app.bsky.feed.post/`, false],
  ["3jzfcijpj2z2a", false],
])("is the address of a post: %s", (text, expected) => {
  expect(isPostUri(text)).toBe(expected);
});

describe("posts", () => {
  const author = { rest_id: did, name: "Ada", username: "ada.example" };
  const post = {
    rest_id: uri,
    core: { user_results: { result: author } },
    legacy: {
      full_text: "Silver!\nAnd more.",
      created_at: "Wed Oct 10 20:19:24 +0000 2018",
      favorite_count: 5,
      repost_count: 2,
      reply_count: 0,
    },
    language: null,
    media: [],
    url: `https://bsky.app/profile/${did}/post/3jzfcijpj2z2a`,
  };

  const picture = {
    thumb: "https://cdn.example/thumb/1",
    fullsize: "https://cdn.example/full/1",
    alt: "A nest.",
  };
  const images = { $type: "app.bsky.embed.images#view", images: [picture, { ...picture, alt: "" }] };
  const video = {
    $type: "app.bsky.embed.video#view",
    cid: view.cid,
    playlist: "https://video.example/1/playlist.m3u8",
    thumbnail: "https://video.example/1.jpg",
    alt: "It hops.",
  };
  const shown = { type: "image", url: picture.fullsize, preview_url: picture.thumb };
  const moving = { type: "video", url: video.playlist, preview_url: video.thumbnail, alt: "It hops." };

  test.each<[string, object, object[]]>([
    [
      "images",
      images,
      [
        { ...shown, alt: "A nest." },
        { ...shown, alt: null },
      ],
    ],
    ["a video", video, [moving]],
    ["a gif", { ...video, presentation: "gif" }, [{ ...moving, type: "gif" }]],
    [
      "a video beside a quoted post",
      { $type: "app.bsky.embed.recordWithMedia#view", record: {}, media: video },
      [moving],
    ],
    ["the card of a link", { $type: "app.bsky.embed.external#view", external: {} }, []],
  ])("with %s", (_, embed, media) => {
    expect(viewToPost({ ...view, embed: embed as typeof view.embed }).media).toEqual(media);
  });

  const text = "Später: youtu.be/watch?v=tEeS... @bob.example";
  const at = (part: string, feature: object) => {
    const byteStart = Buffer.byteLength(text.slice(0, text.indexOf(part)));
    return { index: { byteStart, byteEnd: byteStart + Buffer.byteLength(part) }, features: [feature] };
  };
  const quotedUri = `at://${did}/app.bsky.feed.post/3quoted`;
  const target = "https://youtu.be/watch?v=tEeS0123456789";
  const written = {
    text,
    createdAt: "2018-10-10T20:19:24.000Z",
    facets: [
      at("youtu.be/watch?v=tEeS...", { $type: "app.bsky.richtext.facet#link", uri: target }),
      at("@bob.example", { $type: "app.bsky.richtext.facet#mention", did: "did:web:bob.example" }),
      at("Später", { $type: "app.bsky.richtext.facet#link", uri: "javascript:alert(1)" }),
      "no facet",
    ],
    reply: { root: { uri }, parent: { uri } },
    embed: {
      $type: "app.bsky.embed.recordWithMedia",
      record: { $type: "app.bsky.embed.record", record: { uri: quotedUri } },
      media: {
        $type: "app.bsky.embed.external",
        external: { uri: target, title: "Crows", description: "They hop.", thumb: { $type: "blob" } },
      },
    },
  };
  const quotedUrl = `https://bsky.app/profile/${did}/post/3quoted`;

  test("with links, a card, a quote and an answer, as their author wrote them", () => {
    expect(writtenToPost({ uri, author, record: written, seenAt: view.indexedAt })).toMatchObject({
      legacy: { full_text: text },
      links: [{ url: target, text: "youtu.be/watch?v=tEeS..." }, { url: target }],
      card: { url: target, title: "Crows", description: "They hop." },
      quoted: { id: quotedUri, url: quotedUrl },
      in_reply_to: { id: uri, url: post.url },
      mentions: [
        {
          id: "did:web:bob.example",
          name: "bob.example",
          url: "https://bsky.app/profile/did:web:bob.example",
          type: "account",
        },
      ],
    });
  });

  test("with what the service shows of the card, of the quote and of the post that is answered", () => {
    const embed = {
      $type: "app.bsky.embed.recordWithMedia#view",
      record: {
        $type: "app.bsky.embed.record#view",
        record: {
          $type: "app.bsky.embed.record#viewRecord",
          uri: quotedUri,
          author: { did, handle: "ada.example" },
          value: { text: "Silver!" },
        },
      },
      media: {
        $type: "app.bsky.embed.external#view",
        external: {
          uri: target,
          title: "Crows",
          description: "They hop.",
          thumb: "https://cdn.example/crow",
        },
      },
    } as unknown as typeof view.embed;
    const reply = { root: view, parent: view } as unknown as NonNullable<Parameters<typeof viewToPost>[1]>;
    expect(viewToPost({ ...view, record: written, embed }, reply)).toMatchObject({
      card: { url: target, title: "Crows", image: "https://cdn.example/crow" },
      quoted: { id: quotedUri, url: quotedUrl, author: "ada.example", text: "Silver!" },
      in_reply_to: { id: uri, url: post.url, author: "ada.example", text: "Silver!\nAnd more." },
    });
  });

  test.each([
    ["pictures", { $type: "app.bsky.embed.images" }, true],
    ["a film beside a quote", { ...written.embed, media: { $type: "app.bsky.embed.video" } }, true],
    ["a card with a picture", written.embed.media, true],
    ["a card without one", { ...written.embed.media, external: { uri: target } }, false],
    ["a quote", written.embed.record, true],
    [
      "a list",
      { $type: "app.bsky.embed.record", record: { uri: `at://${did}/app.bsky.graph.list/1` } },
      false,
    ],
    ["nothing", undefined, false],
  ])("with %s: the service shows more of it: %p", (_, embed, expected) => {
    expect(isShownInFull({ embed })).toBe(expected);
  });

  test("in the first of the languages that their author names", () => {
    const langs = (...names: string[]) => viewToPost({ ...view, record: { ...view.record, langs: names } });
    expect([langs("pt-br", "en"), langs()].map(({ language }) => language)).toEqual(["pt-BR", null]);
  });

  test("have every field", () => {
    expect(toPost(viewToPost(view))).toEqual({
      postId: uri,
      revision: "1",
      type: "microblog.post.created",
      data: { post },
    });
  });

  test("without counts have null", () => {
    const { legacy } = viewToPost({
      ...view,
      likeCount: undefined,
      repostCount: undefined,
      replyCount: undefined,
    });
    expect(legacy).toMatchObject({ favorite_count: null, repost_count: null, reply_count: null });
  });

  test("posts that came in live equal polled ones, but for the counts", () => {
    const written = writtenToPost({ uri, author, record: view.record, seenAt: view.indexedAt });
    expect(written).toEqual({
      ...post,
      legacy: { ...post.legacy, favorite_count: null, repost_count: null, reply_count: null },
    });
  });

  test.each([["yesterday"], [undefined], [7], [""]])("created at %p: when they were seen", createdAt => {
    const odd = { ...view, record: { ...view.record, createdAt } };
    expect(viewToPost(odd).legacy.created_at).toBe("Wed Oct 10 20:19:25 +0000 2018");
    expect(sortTime(odd)).toBe("2018-10-10T20:19:25.500Z");
  });

  test("without a text have an empty one", () => {
    expect(viewToPost({ ...view, record: {} }).legacy.full_text).toBe("");
  });

  test.each([
    ["2018-10-10T20:19:24.000Z", "2018-10-10T20:19:24.000Z"],
    ["2018-10-10T22:19:24+02:00", "2018-10-10T20:19:24.000Z"],
    ["1999-01-01T00:00:00Z", "1999-01-01T00:00:00.000Z"],
    ["2099-01-01T00:00:00Z", "2018-10-10T20:19:25.500Z"],
  ])("written at %s are sorted at %s", (createdAt, time) => {
    expect(sortTime({ ...view, record: { createdAt } })).toBe(time);
  });
});

describe("cursors", () => {
  const at = (time: string, name: string) => ({ time: `2024-05-01T12:00:0${time}.000Z`, uri: name });

  test("advance over posts, and keep those of the last moment", () => {
    const first = advancePosition(startPosition, [at("1", "a"), at("2", "b"), at("2", "c")]);
    expect(first).toEqual({ time: at("2", "").time, uris: ["b", "c"] });
    expect(advancePosition(first, [])).toEqual(first);
    expect(advancePosition(first, [at("2", "d")]).uris).toEqual(["b", "c", "d"]);
    expect(advancePosition(first, [at("2", "d"), at("3", "e")]).uris).toEqual(["e"]);
  });

  test.each([
    [at("1", "z"), false],
    [at("2", "b"), false],
    [at("2", "d"), true],
    [at("3", "b"), true],
  ])("%j is after: %p", (post, expected) => {
    expect(isAfter({ time: at("2", "").time, uris: ["b", "c"] }, post)).toBe(expected);
  });

  test("come back as they were written", () => {
    const place = { time: at("2", "").time, uris: [uri, `${uri}b`] };
    const gap = { newest: place, before: "2024-05-01T12:00:00Z::baf|y 100%" };
    for (const cursor of [{ after: startPosition }, { after: place }, { after: startPosition, gap }])
      expect(readCursor(writeCursor(cursor))).toEqual(cursor);
  });

  const time = "2024-05-01T12:00:00.000Z";
  test.each([
    "",
    "now",
    "2024",
    "2024-05-01T12:00:00Z",
    `${uri} ${uri}`,
    `${time}|${time}`,
    `${time}|now|1`,
    `${time}|${time}|%`,
    `${time}|${time}|1|2`,
  ])("that are none: %s", text => {
    expect(() => readCursor(text)).toThrow("cursor");
    try {
      readCursor(text);
    } catch (error) {
      expect(codeOf(error)).toBe("validation_failed");
    }
  });
});

describe("accounts", () => {
  test("become a profile and an about record, null where Bluesky says nothing", () => {
    expect(toProfile(profile)).toEqual({
      id: did,
      name: "Ada",
      username: "ada.example",
      description: "Black & white.",
      profile_image_url: "https://cdn.example/ada.jpg",
      protected: null,
      verified: null,
      followers_count: 12,
      following_count: 3,
      created_at: "2023-05-01T00:00:00.000Z",
    });
    expect(toAbout(profile)).toEqual({
      id: did,
      name: "Ada",
      username: "ada.example",
      created_at: "2023-05-01T00:00:00.000Z",
      about_profile: {
        account_based_in: null,
        created_country_accurate: null,
        location_accurate: null,
        source: null,
        username_changes: null,
      },
      avatar: { image_url: "https://cdn.example/ada.jpg" },
      is_blue_verified: null,
      profile_image_shape: null,
      privacy: { protected: null },
      verification: { verified: null },
      verification_info: { is_identity_verified: null },
    });
  });

  test("accounts that say little have null, and go by their handle", () => {
    expect(toProfile({ did, handle: "ada.example" })).toMatchObject({
      name: "ada.example",
      description: null,
      profile_image_url: null,
      followers_count: null,
      following_count: null,
      created_at: null,
    });
  });

  test.each([
    ["valid", "none", true],
    ["none", "valid", true],
    ["none", "none", false],
    ["invalid", "none", false],
  ])("verified %s, verifier %s: %p", (verifiedStatus, trustedVerifierStatus, expected) => {
    const verification = { verifications: [], verifiedStatus, trustedVerifierStatus };
    expect(toProfile({ ...profile, verification }).verified).toBe(expected);
    expect(toAbout({ ...profile, verification }).verification.verified).toBe(expected);
  });
});

test("an author who could not be looked up is not looked up again for a while", async () => {
  let now = 0;
  let asked = 0;
  let isAway = true;
  const ask = async () => {
    asked += 1;
    if (isAway) throw new Error("away");
    return { did: "did:web:ada.example", handle: "ada.example" };
  };
  const authors = cacheAuthors(ask as Ask, () => now);
  const never = new AbortController().signal;
  for (let times = 0; times < 2; times++) await expect(authors.get("a", never)).rejects.toThrow();
  expect(asked).toBe(1);
  [now, isAway] = [30_000, false];
  for (let times = 0; times < 2; times++)
    expect(await authors.get("a", never)).toMatchObject({ username: "ada.example" });
  expect(asked).toBe(2);
});
