import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { eventExamples } from "../../../../../services/api/openapi/examples.ts";
import { formats } from "../../../../../services/contracts/endpoint-options.ts";
import { eventTypes } from "../../../../../services/contracts/events.ts";
import {
  formatProblem,
  formatted,
  isForPrograms,
  type PeoplesFormat,
} from "../../../../../services/domain/delivery/formats/formats.ts";
import { isBuiltIn } from "../../../../../services/domain/delivery/formats/messages.ts";
import { newsOf } from "../../../../../services/domain/delivery/formats/news.ts";
import { newsHtml } from "../../../../../services/domain/delivery/formats/news-html.ts";
import * as receivers from "./receivers.ts";

const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);
const schemas = Object.fromEntries(
  Object.entries(receivers).map(([name, schema]) => [name, ajv.compile(schema)]),
);
const peoples = formats.filter(format => !isForPrograms(format) && !isBuiltIn(format)) as PeoplesFormat[];
const url = new URL("https://example.com/hooks/topic");

// biome-ignore lint/suspicious/noExplicitAny: the schemas say what is in it.
type Body = any;

/** The body of a message, once its receiver would take it. */
function taken(format: PeoplesFormat, events: object[], template: string | null = null): Body {
  const message = formatted(
    format,
    template,
    url,
    events.map(event => JSON.stringify(event)),
  );
  const check = schemas[format];
  if (!check) return message.body;
  const body: Body = JSON.parse(message.body);
  if (!check(body))
    throw new Error(`${format}: ${ajv.errorsText(check.errors)}: ${message.body.slice(0, 500)}`);
  if (format === "ntfy") expect(Buffer.byteLength(String(body.message))).toBeLessThanOrEqual(4_096);
  if (format === "discord") expect(textsOf(body.embeds ?? [])).toBeLessThanOrEqual(6_000);
  if (format === "slack") expect(textsOf(body.blocks ?? [])).toBeLessThanOrEqual(13_000);
  return body;
}

/** The length of all texts that are shown. */
function textsOf(value: unknown, name = ""): number {
  if (typeof value === "string") return /^(url|timestamp|type)$/.test(name) ? 0 : value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => sum + textsOf(each, key), 0);
}

const item = (fields: object) => ({
  ...eventExamples["rss.item.created"],
  data: { ...eventExamples["rss.item.created"].data, item: { id: "1", ...fields } },
});

test.each([
  [
    "microblog.post.created",
    "Corvid Lab (@corvid_lab)",
    "Hello.\nA nest in a birch. https://example.com/nest.jpg\nhttps://example.com/nests/2018",
    "https://x.com/corvid_lab/status/1050118621198921728",
  ],
  [
    "chatserver.message.created",
    "alva in Corvid Club",
    "Hello.",
    "https://discord.com/channels/2001/2011/1050118621198921728",
  ],
  ["messenger.message.created", "Bird Radio", "Hello.", "https://t.me/bird_radio/42"],
  ["rss.item.created", "A new post", "Hello.", "https://example.com/posts/42"],
  ["rss.item.updated", "Updated: A new post, corrected", "Hello.", "https://example.com/posts/42"],
  [
    "web.page.changed",
    "Prices changed",
    "- Basic: 10 a month\n+ Basic: 12 a month",
    "https://example.com/prices",
  ],
  ["site.page.added", "Install is new", "", "https://example.com/docs/install"],
  [
    "site.page.changed",
    "Install changed",
    "- Basic: 10 a month\n+ Basic: 12 a month",
    "https://example.com/docs/install",
  ],
  [
    "site.page.removed",
    "Install is gone",
    "It answered 404 in two visits.",
    "https://example.com/docs/install",
  ],
  [
    "site.page.moved",
    "Install has moved",
    "https://example.com/docs/install → https://example.com/docs/setup\nThe former address redirects there.",
    "https://example.com/docs/setup",
  ],
  [
    "site.changed",
    "Documentation: many pages changed alike",
    "Seen on 8 of 8 pages.\n+ We move on 1 May: read more",
    null,
  ],
  [
    "site.checked",
    "Documentation was checked",
    "31 pages were visited: 1 new, 1 changed, 0 gone, 1 moved.",
    null,
  ],
  ["web.item.created", "Warden of the aviary", "Vienna\nFull time", "https://example.org/jobs/warden"],
  [
    "search.result.found",
    "Crows bend wire",
    "A crow made a hook of a straight wire.",
    "https://example.org/crows-bend-wire",
  ],
  ["source.failing", "Prices cannot be read", "The page answers 500 since four polls.", null],
  ["source.recovered", "Prices can be read again", "The page can be read again.", null],
  ["source.gone", "Example Journal is gone", "The feed answers 410 Gone.", null],
  [
    "source.gap",
    "Example Journal may have lost items",
    "The feed holds none of the items of the last poll; others may have come and gone between.",
    null,
  ],
  [
    "quota.warning",
    "The quota of pages of this day is nearly used up",
    "800 of 1000 are used. It resets at 2025-03-26 00:00 UTC.",
    null,
  ],
  [
    "quota.exceeded",
    "The quota of pages of this day is used up",
    "1000 of 1000 are used. It resets at 2025-03-26 00:00 UTC.",
    null,
  ],
  ["webhook.test", "Test event", "Magpie reaches this endpoint.", null],
] as const)("%s is told in words", (type, title, text, link) => {
  expect(newsOf(JSON.stringify(eventExamples[type]))).toMatchObject({ type, title, text, url: link });
});

test("a changed field says from what to what", () => {
  const example = eventExamples["web.page.changed"];
  const change = {
    title: "Prices",
    url: "https://example.com/prices",
    fields: { price: { from: 10, to: 12.5 }, stock: { from: null, to: "in stock" } },
  };
  const { text, fields } = newsOf(JSON.stringify({ ...example, data: { ...example.data, change } }));
  expect(text).toBe("price: 10 → 12.5\nstock: nothing → in stock");
  expect(fields).toEqual(["price: 10 → 12.5", "stock: nothing → in stock"]);
});

test("what is attached is named by its alt text, and a picture alone is news too", () => {
  const post = (full_text: string, media: object[]) => {
    const example = eventExamples["microblog.post.created"];
    const told = { ...Object(example.data.post), legacy: { full_text }, media, links: [] };
    return newsOf(JSON.stringify({ ...example, data: { ...example.data, post: told } })).text;
  };
  const nest = {
    type: "image",
    url: "https://m.example/1.jpg",
    preview_url: null,
    alt: "A nest\nin a tree.",
  };
  const clip = { type: "video", url: null, preview_url: null, alt: null };
  expect(post("Hello.", [nest, clip])).toBe("Hello.\nA nest in a tree. https://m.example/1.jpg\nvideo");
  expect(post("", [nest])).toBe("A nest in a tree. https://m.example/1.jpg");
  const chat = eventExamples["chatserver.message.created"];
  const file = { id: "1", filename: "n.png", url: "https://c.example/n.png", alt: "A nest." };
  const message = { ...Object(chat.data.message), content: "", attachments: [file, { ...file, alt: null }] };
  expect(newsOf(JSON.stringify({ ...chat, data: { ...chat.data, message } })).text).toBe(
    "A nest. https://c.example/n.png\nn.png https://c.example/n.png",
  );
});

test("a message of a chat server has names in place of ids, as far as they are told", () => {
  const chat = eventExamples["chatserver.message.created"];
  const mentions = [
    { id: "1", name: "alva", type: "account" },
    { id: "2", name: "general", type: "channel" },
    { id: "3", name: "keepers", type: "role" },
  ];
  const content = "<@1> and <@!1> see <#2> <@&3> <@4>";
  const message = { ...Object(chat.data.message), content, mentions };
  expect(newsOf(JSON.stringify({ ...chat, data: { ...chat.data, message } })).text).toBe(
    "@alva and @alva see #general @keepers <@4>",
  );
});

test("what a message is about stands below its text: poll, quote, preview and links that it does not show", () => {
  const example = eventExamples["messenger.message.created"];
  const message = {
    ...Object(example.data.message),
    text: "Read here, or https://example.com/shown",
    poll: { options: [{ text: "Twigs" }, { text: "Wire" }] },
    quoted: { id: "4", author: "Bird Radio", text: "Silver\nagain." },
    card: { url: "https://example.com/nests", title: "Nests" },
    links: [
      { url: "https://example.com/nests", text: "here" },
      { url: "https://example.com/shown" },
      { url: "https://example.com/more", text: "Read" },
      { url: "mailto:ada@example.com", text: "write" },
    ],
  };
  expect(newsOf(JSON.stringify({ ...example, data: { ...example.data, message } })).text).toBe(
    "Read here, or https://example.com/shown\n• Twigs\n• Wire\n> Bird Radio: Silver again.\nNests https://example.com/nests\nhttps://example.com/more",
  );
});

test("an event of a type to come is told by its name", () => {
  const { data } = eventExamples["web.page.changed"];
  expect(newsOf(JSON.stringify({ type: "web.page.moved", data })).title).toBe("Prices: web.page.moved");
});

test("every receiver takes every type, alone, in a batch, and with a template", () => {
  const all = eventTypes.map(type => eventExamples[type]);
  for (const format of peoples) {
    for (const event of all) taken(format, [event]);
    taken(format, all);
    for (const event of all) taken(format, [event], "{{source.name}}: {{title}} {{url}}");
  }
});

test("the formats in full", () => {
  const event = eventExamples["rss.item.created"];
  expect(taken("slack", [event])).toEqual({
    text: "A new post",
    blocks: [
      { type: "header", text: { type: "plain_text", text: "A new post", emoji: false } },
      { type: "section", text: { type: "plain_text", text: "Hello.", emoji: false } },
      {
        type: "context",
        elements: [
          {
            type: "mrkdwn",
            text: "<https://example.com/posts/42|Open> · Example Journal · 2025-03-25T09:30:01.000Z",
          },
        ],
      },
    ],
    unfurl_links: false,
  });
  expect(taken("discord", [event])).toEqual({
    embeds: [
      {
        title: "A new post",
        description: "Hello.",
        url: "https://example.com/posts/42",
        timestamp: "2025-03-25T09:30:01.000Z",
        footer: { text: "Example Journal" },
        color: 0x3b82f6,
      },
    ],
    allowed_mentions: { parse: [] },
  });
  expect(taken("apprise", [eventExamples["source.gone"]])).toEqual({
    title: "Example Journal is gone",
    body: "The feed answers 410 Gone.",
    type: "failure",
    tag: "all",
    format: "text",
  });
  expect(taken("text", [event])).toBe("A new post\nHello.\nhttps://example.com/posts/42\n");
});

test.each([
  ["@everyone and @here", "@\u200beveryone and @\u200bhere"],
  [
    "<@123456> <@&42> <!channel> <#7>",
    "<\u200b@\u200b123456> <\u200b@\u200b&42> <\u200b!channel> <\u200b#7>",
  ],
  ["@&4711, @All", "@\u200b&4711, @\u200bAll"],
  ["mail me@example.com or @corvid; a < b", "mail me@example.com or @corvid; a < b"],
])("Apprise passes on %j of an author as a text that mentions nobody", (said, shown) => {
  const example = item({ title: said, content_text: said });
  for (const template of [null, "{{title}}: {{text}}"]) {
    const sent: Body = taken("apprise", [example], template);
    expect(`${sent.title} ${sent.body}`).toContain(shown);
    if (said !== shown) expect(`${sent.title} ${sent.body}`).not.toContain(said);
  }
});

test("ntfy gets JSON at its root, with the topic of the endpoint", () => {
  const endpoint = new URL("https://ntfy.example.com/base/my_topic?auth=abc");
  const { url: target, body } = formatted("ntfy", null, endpoint, [
    JSON.stringify(eventExamples["source.failing"]),
  ]);
  expect(target.href).toBe("https://ntfy.example.com/base?auth=abc");
  expect(JSON.parse(body)).toEqual({
    topic: "my_topic",
    title: "Prices cannot be read",
    message: "The page answers 500 since four polls.",
    tags: ["warning"],
  });
});

test("texts mention nobody and become no markup", () => {
  const text = "<!channel> <!here> <@U012> @everyone & *bold* [a](https://evil.example) `x`";
  const event = item({ title: text, content_text: text, url: "https://example.com/a|b>c" });
  const slack = JSON.stringify(taken("slack", [event, event]));
  expect(slack).not.toMatch(/<[!@]/);
  expect(slack).toContain("&lt;!channel&gt;");
  expect(slack).toContain("<https://example.com/a%7Cb%3Ec|");
  expect(taken("slack", [event]).blocks[1].text).toEqual({ type: "plain_text", text, emoji: false });
  expect(taken("slack", [event], "*{{title}}*").text).toBe(
    "*&lt;!channel&gt; &lt;!here&gt; &lt;@U012&gt; @everyone &amp; *bold* [a](https://evil.example) `x`*",
  );
  const [embed] = taken("discord", [event]).embeds;
  expect(embed.description).toBe(
    "\\<!channel\\> \\<!here\\> \\<\\@U012\\> \\@everyone & \\*bold\\* \\[a\\]\\(https://evil.example\\) \\`x\\`",
  );
});

test("an address that is none of the web becomes no link", () => {
  const event = item({ title: "x", url: "javascript:alert(1)", external_url: "ftp://example.com/" });
  for (const format of peoples) expect(JSON.stringify(taken(format, [event]))).not.toMatch(/script:|ftp:/);
});

test("a batch that is too large for one message says how much is missing", () => {
  const events = Array.from({ length: 1_000 }, (_, n) =>
    item({ title: `Item ${n}`, content_text: "y".repeat(200) }),
  );
  for (const format of ["slack", "discord", "ntfy", "apprise"] as const)
    expect(JSON.stringify(taken(format, events))).toMatch(/… and \d+ more/);
  expect(taken("discord", events).embeds[0].title).toBe("1000 events");
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom("<", ">", "&", "\\", "*", "`", "|", "@", "😀", "\n", "{", "}", "é"),
    maxLength: 9_000,
  }),
  fc.constantFrom("&".repeat(50_000), "😀".repeat(30_000), "\\".repeat(7_000), "<!everyone>".repeat(5_000)),
  fc.webUrl(),
);

describe("what a judge says of a change", () => {
  const page = eventExamples["web.page.changed"];
  const judgement = { judged: true, meaningful: true, confidence: 1, reason: "r", goal: "g" };
  const of = (summary: string, event: object = page) =>
    newsOf(JSON.stringify({ ...event, data: { ...page.data, judgement: { ...judgement, summary } } }));

  test("leads its text, and its HTML", () => {
    const before = newsOf(JSON.stringify(page));
    const news = of("The price\nfell.");
    expect(news.text).toBe(`The price fell.\n${before.text}`);
    expect(newsHtml(news)).toBe(`<p><strong>The price fell.</strong></p>${newsHtml(before)}`);
    expect(newsHtml(of("<b>"))).toContain("<strong>&lt;b&gt;</strong>");
  });

  test("is all that there is of an event without a text", () => {
    const event = { type: "site.page.added" };
    expect(newsHtml(of("A page.", event))).toBe("<p><strong>A page.</strong></p>");
  });

  test("has a name in templates", () => {
    const judged = { ...page, data: { ...page.data, judgement: { ...judgement, summary: "It fell." } } };
    expect(taken("text", [judged], "{{summary}}")).toBe("It fell.\n");
    expect(taken("text", [page], "-{{summary}}-")).toBe("--\n");
  });
});

test("every receiver takes any text, in any number, with any template", () => {
  const events = fc.array(fc.record({ title: hostile, content_text: hostile, url: hostile, name: hostile }), {
    minLength: 1,
    maxLength: 12,
  });
  const templates = fc.constantFrom(null, "{{title}}", "{{text}}\n{{url}} & <b>", "{{author}}");
  fc.assert(
    fc.property(events, templates, fc.constantFrom(...peoples), (drafts, template, format) => {
      const made = drafts.map(({ name, ...fields }) => {
        const event = item(fields);
        return { ...event, data: { ...event.data, source: { ...event.data.source, name } } };
      });
      taken(format, made, template);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["slack", "{{title}} {{ source.name }}", url.href, undefined],
  ["slack", "no name", url.href, undefined],
  [
    "slack",
    "{{tilte}}",
    url.href,
    { field: "template", problem: expect.stringContaining("Known are: title, text, url") },
  ],
  [
    "slack",
    "{{constructor}}",
    url.href,
    { field: "template", problem: expect.stringContaining("{{constructor}}") },
  ],
  ["slack", "{{#each}}", url.href, { field: "template", problem: expect.stringContaining("{{#each}}") }],
  ["slack", "{{title", url.href, { field: "template", problem: expect.stringContaining("braces") }],
  ["standard", "{{title}}", url.href, { field: "template", problem: expect.stringContaining("`format`") }],
  ["ntfy", null, "https://ntfy.sh/", { field: "url", problem: expect.stringContaining("topic") }],
  ["ntfy", null, "https://ntfy.sh/topic", undefined],
  ["standard", null, url.href, undefined],
] as const)("%s with %j to %s", (format, template, endpoint, problem) => {
  expect(formatProblem(format, template, new URL(endpoint))).toEqual(problem);
});
