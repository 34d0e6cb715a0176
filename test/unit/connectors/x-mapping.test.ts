import { toAbout, toProfile } from "../../../services/connectors/platforms/x/account.ts";
import type { XPost, XUser } from "../../../services/connectors/platforms/x/api.ts";
import { toMicroblogPost, toPost } from "../../../services/connectors/platforms/x/map-post.ts";
import { parseSid, parseUsername, postIdIn } from "../../../services/connectors/platforms/x/sid.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const id = "1050118621198921728";
const post: XPost = {
  id,
  text: "cut…",
  author_id: "12",
  created_at: "2018-10-10T20:19:24.000Z",
  public_metrics: { like_count: 5, reply_count: 0, repost_count: 7 },
};
const jack: XUser = { id: "12", name: "Jack", username: "jack" };

describe("a post", () => {
  test("has every field of the interface", () => {
    expect(toPost(post, { users: [{ ...jack, id: "11" }, jack] })).toEqual({
      postId: id,
      revision: "1",
      type: "microblog.post.created",
      data: {
        post: {
          rest_id: id,
          core: { user_results: { result: { rest_id: "12", name: "Jack", username: "jack" } } },
          legacy: {
            full_text: "cut…",
            created_at: "Wed Oct 10 20:19:24 +0000 2018",
            favorite_count: 5,
            repost_count: 7,
            reply_count: 0,
          },
          language: null,
          media: [],
          url: `https://x.com/jack/status/${id}`,
        },
      },
    });
  });

  const legacy: [string, Partial<XPost>, object][] = [
    ["the newer spelling of long posts", { note_post: { text: "whole" } }, { full_text: "whole" }],
    ["the older spelling of long posts", { note_tweet: { text: "whole" } }, { full_text: "whole" }],
    ["the older spelling of reposts", { public_metrics: { retweet_count: 9 } }, { repost_count: 9 }],
    [
      "no numbers",
      { public_metrics: undefined },
      { favorite_count: null, repost_count: null, reply_count: null },
    ],
    [
      "a day of one digit",
      { created_at: "2024-02-03T00:00:09.000Z" },
      { created_at: "Sat Feb 03 00:00:09 +0000 2024" },
    ],
    [
      "no date, and an id that is older than those that tell it",
      { id: "20", created_at: undefined },
      { created_at: null },
    ],
    ["no date: the id tells it", { created_at: undefined }, { created_at: "Wed Oct 10 20:19:24 +0000 2018" }],
  ];
  test.each(legacy)("with %s", (_, change, expected) => {
    expect(toMicroblogPost({ ...post, ...change }, { users: [jack] }).legacy).toMatchObject(expected);
  });

  test.each(["edit_history_post_ids", "edit_history_tweet_ids"])("edited (%s) stays the same post", field => {
    const edited = toPost({ ...post, [field]: ["1050118621198921000", id] }, { users: [jack] });
    expect(edited).toMatchObject({ postId: "1050118621198921000", revision: "1" });
    expect(edited.data).toMatchObject({ post: { rest_id: id } });
  });

  test("of an author whom X shows no more has no names", () => {
    const author = { rest_id: "12", name: "", username: "" };
    expect(toMicroblogPost(post).core.user_results.result).toEqual(author);
  });
});

describe("what a post is about", () => {
  const asTold: XPost = {
    ...post,
    text: "@ada Silver! https://t.co/a https://t.co/b https://t.co/pic",
    entities: {
      urls: [
        {
          url: "https://t.co/a",
          expanded_url: "https://bit.ly/nests",
          unwound_url: "https://example.com/nests",
          title: "Nests",
          description: "Of twigs.",
          images: [{ url: "https://pbs.example/large.jpg", width: 800 }],
        },
        { url: "https://t.co/b", expanded_url: "https://twitter.com/ada/status/20" },
        {
          url: "https://t.co/pic",
          expanded_url: `https://x.com/jack/status/${id}/photo/1`,
          media_key: "3_1",
        },
        { url: "javascript:alert(1)" },
      ],
      mentions: [{ id: "13", username: "ada" }],
    },
    attachments: { poll_ids: ["77"] },
    in_reply_to_user_id: "13",
  };
  const polls = [
    {
      id: "77",
      end_datetime: "2024-05-02T12:00:00.000Z",
      options: [
        { position: 2, label: "No", votes: 1 },
        { position: 1, label: "Yes", votes: 7 },
      ],
    },
  ];

  test("is told with the targets of its links, its card, its poll and whom it names", () => {
    const referenced_tweets = [
      { type: "replied_to", id: "19" },
      { type: "quoted", id: "20" },
    ];
    const told = toMicroblogPost({ ...asTold, referenced_tweets }, { users: [jack], polls });
    expect(told).toMatchObject({
      links: [
        { url: "https://example.com/nests", text: "https://t.co/a" },
        { url: "https://twitter.com/ada/status/20", text: "https://t.co/b" },
      ],
      card: {
        url: "https://example.com/nests",
        title: "Nests",
        description: "Of twigs.",
        image: "https://pbs.example/large.jpg",
      },
      quoted: { id: "20", author: "ada", url: "https://x.com/ada/status/20" },
      in_reply_to: { id: "19", author: "ada", url: "https://x.com/ada/status/19" },
      poll: {
        options: [
          { text: "Yes", votes: 7 },
          { text: "No", votes: 1 },
        ],
        ends_at: "2024-05-02T12:00:00.000Z",
      },
      mentions: [{ id: "13", name: "ada", url: "https://x.com/ada", type: "account" }],
    });
    expect(told.links).toHaveLength(2);
    expect(told.legacy.full_text).toBe(asTold.text);
  });

  test("a quote is known by its link where X names no references", () => {
    expect(toMicroblogPost(asTold).quoted?.id).toBe("20");
    expect(
      toMicroblogPost({ ...asTold, referenced_posts: [{ type: "replied_to", id: "19" }] }).quoted,
    ).toBeUndefined();
  });

  test("of a long post the links of the whole text count", () => {
    const entities = { urls: [{ url: "https://t.co/c", expanded_url: "https://example.com/last" }] };
    const { links } = toMicroblogPost({ ...asTold, note_tweet: { text: "whole", entities } });
    expect(links).toEqual([{ url: "https://example.com/last", text: "https://t.co/c" }]);
  });

  test("the address of a post of an unknown author is there, too", () => {
    expect(toMicroblogPost(post).url).toBe(`https://x.com/i/status/${id}`);
  });
});

describe("media and language", () => {
  const media = [
    { media_key: "3_1", type: "photo", url: "https://pbs.example/a.jpg", alt_text: "A nest." },
    {
      media_key: "7_2",
      type: "video",
      preview_image_url: "https://pbs.example/b.jpg",
      variants: [
        { content_type: "application/x-mpegURL", url: "https://video.example/b.m3u8" },
        { content_type: "video/mp4", url: "https://video.example/small.mp4", bit_rate: 256_000 },
        { content_type: "video/mp4", url: "https://video.example/large.mp4", bit_rate: 2_176_000 },
      ],
    },
    {
      media_key: "16_3",
      type: "animated_gif",
      variants: [{ content_type: "video/mp4", url: "https://video.example/c.mp4" }],
    },
    { media_key: "3_9", type: "photo", url: "https://pbs.example/of-another.jpg" },
  ];

  test("in the order of the post, the best file of each", () => {
    const attachments = { media_keys: ["7_2", "3_1", "16_3", "3_404"] };
    expect(toMicroblogPost({ ...post, attachments }, { media }).media).toEqual([
      {
        type: "video",
        url: "https://video.example/large.mp4",
        preview_url: "https://pbs.example/b.jpg",
        alt: null,
      },
      { type: "image", url: "https://pbs.example/a.jpg", preview_url: null, alt: "A nest." },
      { type: "gif", url: "https://video.example/c.mp4", preview_url: null, alt: null },
    ]);
  });

  test.each([
    ["en", "en"],
    ["in", "id"],
    ["iw", "he"],
    ["zh-tw", "zh-TW"],
    ["pt_BR", "pt-BR"],
    ["und", null],
    ["zxx", null],
    ["qme", null],
    ["art", null],
    ["", null],
    ["not a tag", null],
  ])("the language %s is %s", (lang, language) => {
    expect(toMicroblogPost({ ...post, lang }).language).toBe(language);
  });
});

describe("an account", () => {
  const whole: XUser = {
    ...jack,
    created_at: "2006-03-21T20:50:14.000Z",
    description: "no state is the best state",
    profile_image_url: "https://pbs.twimg.com/profile_images/1/a_normal.jpg",
    protected: false,
    verified: true,
    verified_type: "blue",
    is_identity_verified: false,
    public_metrics: { followers_count: 6, following_count: 3 },
  };

  test("as tracking answers it", () => {
    expect(toProfile(whole)).toEqual({
      id: "12",
      name: "Jack",
      username: "jack",
      description: "no state is the best state",
      profile_image_url: "https://pbs.twimg.com/profile_images/1/a_normal.jpg",
      protected: false,
      verified: true,
      followers_count: 6,
      following_count: 3,
      created_at: "2006-03-21T20:50:14.000Z",
    });
  });

  test("as it is asked about", () => {
    expect(toAbout(whole)).toEqual({
      id: "12",
      name: "Jack",
      username: "jack",
      created_at: "2006-03-21T20:50:14.000Z",
      about_profile: {
        account_based_in: null,
        created_country_accurate: null,
        location_accurate: null,
        source: null,
        username_changes: null,
      },
      avatar: { image_url: "https://pbs.twimg.com/profile_images/1/a_normal.jpg" },
      is_blue_verified: true,
      profile_image_shape: null,
      privacy: { protected: false },
      verification: { verified: true },
      verification_info: { is_identity_verified: false },
    });
  });

  test("fields that X leaves out are null, not made up", () => {
    const named = { id: "12", name: "Jack", username: "jack" };
    const { id: _id, name: _name, username: _username, ...profile } = toProfile(named);
    expect(new Set(Object.values(profile))).toEqual(new Set([null]));
    expect(toAbout(named)).toMatchObject({
      created_at: null,
      is_blue_verified: null,
      avatar: { image_url: null },
      privacy: { protected: null },
      verification: { verified: null },
      verification_info: { is_identity_verified: null },
    });
  });

  test.each(["business", "government", "none"])("verified as %s is not blue", verified_type => {
    expect(toAbout({ ...jack, verified_type }).is_blue_verified).toBe(false);
  });
});

describe("parseSid", () => {
  const good: [string, object[]][] = [
    ["jack", [{ username: "jack" }]],
    ["  @Jack_99 ", [{ username: "Jack_99" }]],
    ["12", [{ username: "12" }, { id: "12" }]],
    ["9223372036854775807", [{ id: "9223372036854775807" }]],
    ["@12", [{ username: "12" }]],
    ["https://x.com/jack", [{ username: "jack" }]],
    ["HTTPS://X.COM/jack", [{ username: "jack" }]],
    ["http://www.twitter.com/jack/", [{ username: "jack" }]],
    ["https://mobile.twitter.com/jack?lang=en#top", [{ username: "jack" }]],
    ["x.com/jack", [{ username: "jack" }]],
    ["https://x.com/jack/status/20", [{ username: "jack" }]],
    ["https://x.com/i/user/12", [{ id: "12" }]],
    ["https://x.com/12", [{ username: "12" }]],
  ];
  test.each(good)("%j", (sid, expected) => expect(parseSid(sid)).toEqual(expected));

  const bad = [
    "",
    "@",
    "@@jack",
    "two words",
    "sixteen_letters_",
    "jäck",
    "12345678901234567890",
    "-12",
    "https://x.com",
    "https://x.com/",
    "https://x.com/home",
    "https://x.com/i/user/jack",
    "https://x.com/i/lists/12",
    "https://x.com/a%2Fb",
    "https://x.com.site.example/jack",
    "https://site.example/x.com/jack",
    "ftp://x.com/jack",
    "https://x.com@site.example/jack",
    "../users/12",
  ];
  test.each(bad)("refuses %j, naming the field", sid => {
    expect(errorOf(() => parseSid(sid))).toEqual(["validation_failed", "sid"]);
  });
});

describe("parseUsername", () => {
  test.each([
    ["jack", "jack"],
    ["@jack", "jack"],
    ["12", "12"],
    ["https://x.com/jack", "jack"],
  ])("%j", (given, username) => expect(parseUsername(given)).toEqual({ username }));

  test.each([
    ["https://x.com/jack/status/12", "12"],
    ["https://twitter.com/i/web/status/12?s=20", "12"],
    ["12", "12"],
    ["https://x.com/jack", "https://x.com/jack"],
  ])("the post of %j is %j", (given, id) => expect(postIdIn(given)).toBe(id));

  test.each(["", "https://x.com/home", "https://other.example/jack", "sixteen_letters_", "a b"])(
    "refuses %j",
    given => {
      expect(errorOf(() => parseUsername(given))).toEqual(["validation_failed", "username"]);
    },
  );
});

function errorOf(run: () => unknown): unknown[] {
  try {
    return ["answered", run()];
  } catch (error) {
    const { data } = error as { data?: { details?: { field: string }[] } };
    return [codeOf(error), data?.details?.[0]?.field];
  }
}
