import type { mastodon } from "masto";
import { toAbout, toProfile } from "../../../services/connectors/platforms/mastodon/account.ts";
import { isPost, toMicroblogPost, toPost } from "../../../services/connectors/platforms/mastodon/map-post.ts";
import { parseSid } from "../../../services/connectors/platforms/mastodon/sid.ts";

const account = {
  id: "101",
  username: "ada",
  acct: "ada@birds.example",
  displayName: "Ada",
  note: "<p>Black &amp; white.</p><p>Likes silver.</p>",
  avatar: "https://birds.example/ada.png",
  locked: true,
  createdAt: "2016-11-24T00:00:00.000Z",
  followersCount: 12,
  followingCount: 3,
} as mastodon.v1.Account;

const status = {
  id: "112000000000000001",
  createdAt: "2018-10-10T20:19:24.000Z",
  account,
  content: "<p>Silver!</p>",
  spoilerText: "",
  visibility: "public",
  reblog: null,
  favouritesCount: 5,
  reblogsCount: 2,
  repliesCount: 0,
  url: "https://birds.example/@ada/112000000000000001",
} as mastodon.v1.Status;

test.each([
  ["ada", { acct: "ada" }],
  ["@ada", { acct: "ada" }],
  [" ada ", { acct: "ada" }],
  ["ada@home.example", { acct: "ada" }],
  ["@ada@HOME.example", { acct: "ada" }],
  ["ada.b-c@Birds.Example", { acct: "ada.b-c@birds.example" }],
  ["@ada@localhost:3001", { acct: "ada@localhost:3001" }],
  ["https://home.example/@ada", { acct: "ada" }],
  ["https://birds.example/@ada/", { acct: "ada@birds.example" }],
  ["https://birds.example/users/ada", { acct: "ada@birds.example" }],
  ["https://birds.example/@ada?lang=de#top", { acct: "ada@birds.example" }],
  ["https://home.example/@ada@birds.example", { acct: "ada@birds.example" }],
  ["109348684979236524", { acct: "109348684979236524", id: "109348684979236524" }],
  ["@12", { acct: "12" }],
])("the sid %s", (sid, meaning) => {
  expect(parseSid(sid, "home.example")).toEqual(meaning);
});

test.each([
  "",
  "@",
  "@@ada",
  "ada@",
  "ada b",
  "-ada",
  "ada/../eve",
  "ada?x",
  "ada%2Fb",
  "ada@birds@example",
  "ada@birds..example",
  "ada@birds.example/x",
  "https://birds.example/",
  "https://birds.example/@ada/112000000000000001",
  "https://birds.example/@%2e%2e",
  "ftp://birds.example/@ada",
  "a".repeat(129),
  `${"1".repeat(21)}@`,
])("means nothing: %s", sid => {
  expect(parseSid(sid, "home.example")).toBeNull();
});

test("a status becomes a post with every field", () => {
  expect(toPost(status)).toEqual({
    postId: "112000000000000001",
    revision: "1",
    type: "microblog.post.created",
    data: {
      post: {
        rest_id: "112000000000000001",
        core: { user_results: { result: { rest_id: "101", name: "Ada", username: "ada@birds.example" } } },
        legacy: {
          full_text: "Silver!",
          created_at: "Wed Oct 10 20:19:24 +0000 2018",
          favorite_count: 5,
          repost_count: 2,
          reply_count: 0,
        },
        language: null,
        media: [],
        url: "https://birds.example/@ada/112000000000000001",
      },
    },
  });
});

test("a status says where its links lead, what it quotes and answers, its card, its poll and whom it names", () => {
  const content =
    '<p><span class="h-card"><a href="https://x.example/@bob" class="u-url mention">@<span>bob</span></a></span> <a href="https://example.com/a/long/path"><span class="invisible">https://</span><span class="ellipsis">example.com/a/lo</span><span class="invisible">ng/path</span></a> <a href="https://example.com/nests">nests</a> <a href="https://x.example/tags/birds" class="mention hashtag">#<span>birds</span></a></p>';
  const bob = { id: "102", username: "bob", acct: "bob@x.example", url: "https://x.example/@bob" };
  const card = { url: "https://example.com/nests", title: "Nests", description: "", image: null };
  const poll = {
    expiresAt: "2024-05-02T12:00:00.000Z",
    multiple: true,
    options: [{ title: "Twigs", votesCount: 3 }, { title: "Wire" }],
  };
  const quoted = { ...status, id: "7", url: "https://birds.example/@ada/7", content: "<p>Gold?</p>" };
  const told = toMicroblogPost({
    ...status,
    content,
    card,
    poll,
    mentions: [bob],
    quote: { state: "accepted", quotedStatus: quoted },
    inReplyToId: "6",
    inReplyToAccountId: "102",
  } as unknown as mastodon.v1.Status);
  expect(told).toMatchObject({
    links: [
      { url: "https://example.com/a/long/path", text: "example.com/a/lo…" },
      { url: "https://example.com/nests", text: "nests" },
    ],
    card: { url: "https://example.com/nests", title: "Nests" },
    quoted: { id: "7", url: "https://birds.example/@ada/7", author: "ada@birds.example", text: "Gold?" },
    in_reply_to: { id: "6", author: "bob@x.example" },
    poll: {
      options: [{ text: "Twigs", votes: 3 }, { text: "Wire" }],
      multiple: true,
      ends_at: "2024-05-02T12:00:00.000Z",
    },
    mentions: [{ id: "102", name: "bob@x.example", url: "https://x.example/@bob", type: "account" }],
  });
});

test.each(["pending", "rejected", "revoked", "blocked_account"])("a quote that is %s is not shown", state => {
  const quote = { state, quotedStatus: status } as mastodon.v1.Quote;
  expect(toMicroblogPost({ ...status, quote }).quoted).toBeUndefined();
});

test("media have their alt texts, and the language is the author's", () => {
  const file = { id: "1", url: "https://files.example/1.mp4", previewUrl: "https://files.example/1.png" };
  const elsewhere = { id: "2", url: null, remoteUrl: "https://far.example/2.jpg", previewUrl: null };
  const { language, media } = toMicroblogPost({
    ...status,
    language: "de",
    mediaAttachments: [
      { ...file, type: "gifv", description: "It hops." },
      { ...elsewhere, type: "image", description: "" },
    ] as unknown as mastodon.v1.MediaAttachment[],
  });
  expect(language).toBe("de");
  expect(media).toEqual([
    { type: "gif", url: file.url, preview_url: file.previewUrl, alt: "It hops." },
    { type: "image", url: "https://far.example/2.jpg", preview_url: null, alt: null },
  ]);
});

test.each<[string, Partial<mastodon.v1.Status>, string]>([
  ["paragraphs and breaks", { content: "<p>One<br />two</p><p>three</p>" }, "One\ntwo\nthree"],
  ["entities", { content: "<p>a &lt; b &amp;&amp; c &gt; d &#39;e&#39;</p>" }, "a < b && c > d 'e'"],
  [
    "mentions and hashtags",
    {
      content:
        '<p><span class="h-card"><a href="https://x.example/@bob" class="u-url mention">@<span>bob</span></a></span> see <a href="https://x.example/tags/birds" class="mention hashtag">#<span>birds</span></a></p>',
    },
    "@bob see #birds",
  ],
  [
    "links whole, though Mastodon hides parts of them",
    {
      content:
        '<p><a href="https://example.com/a/long/path"><span class="invisible">https://</span><span class="ellipsis">example.com/a/lo</span><span class="invisible">ng/path</span></a></p>',
    },
    "https://example.com/a/long/path",
  ],
  [
    "a content warning first",
    { spoilerText: "Spiders", content: "<p>Eight legs.</p>" },
    "Spiders\nEight legs.",
  ],
  ["no text", { content: "" }, ""],
  ["scripts", { content: "<p>a<script>alert(1)</script></p>" }, "a"],
])("text: %s", (_, change, text) => {
  expect(toMicroblogPost({ ...status, ...change }).legacy.full_text).toBe(text);
});

test.each<[string, Partial<mastodon.v1.Status>, boolean]>([
  ["public", {}, true],
  ["unlisted", { visibility: "unlisted" }, true],
  ["for followers", { visibility: "private" }, true],
  ["for single people", { visibility: "direct" }, false],
  ["a reblog", { reblog: status }, false],
])("is a post: %s", (_, change, expected) => {
  expect(isPost({ ...status, ...change })).toBe(expected);
});

test("an account becomes a profile and an about record, null where Mastodon says nothing", () => {
  expect(toProfile(account)).toEqual({
    id: "101",
    name: "Ada",
    username: "ada@birds.example",
    description: "Black & white.\nLikes silver.",
    profile_image_url: "https://birds.example/ada.png",
    protected: true,
    verified: null,
    followers_count: 12,
    following_count: 3,
    created_at: "2016-11-24T00:00:00.000Z",
  });
  expect(toAbout(account)).toEqual({
    id: "101",
    name: "Ada",
    username: "ada@birds.example",
    created_at: "2016-11-24T00:00:00.000Z",
    about_profile: {
      account_based_in: null,
      created_country_accurate: null,
      location_accurate: null,
      source: null,
      username_changes: null,
    },
    avatar: { image_url: "https://birds.example/ada.png" },
    is_blue_verified: null,
    profile_image_shape: null,
    privacy: { protected: true },
    verification: { verified: null },
    verification_info: { is_identity_verified: null },
  });
});

test("an account without a display name goes by its user name", () => {
  expect(toProfile({ ...account, displayName: "" }).name).toBe("ada");
});
