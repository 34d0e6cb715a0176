/*
 * What receivers take, by the limits that they publish, as JSON Schemas. Lengths are in UTF-16 units, which is never less
 * than the receivers' own count.
 */

const slackText = (types: string[], maxLength: number) => ({
  type: "object",
  required: ["type", "text"],
  additionalProperties: false,
  properties: {
    type: { enum: types },
    text: { type: "string", minLength: 1, maxLength },
    emoji: { type: "boolean" },
  },
});

const block = (type: string, properties: object, required: string[]) => ({
  type: "object",
  required: ["type", ...required],
  additionalProperties: false,
  properties: { type: { const: type }, ...properties },
});

/** https://docs.slack.dev/reference/block-kit/blocks, https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack = {
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: {
    text: { type: "string", minLength: 1, maxLength: 40_000 },
    unfurl_links: { type: "boolean" },
    blocks: {
      type: "array",
      minItems: 1,
      maxItems: 50,
      items: {
        oneOf: [
          block("header", { text: slackText(["plain_text"], 150) }, ["text"]),
          block("section", { text: slackText(["plain_text", "mrkdwn"], 3_000) }, ["text"]),
          block(
            "context",
            { elements: { type: "array", minItems: 1, maxItems: 10, items: slackText(["mrkdwn"], 3_000) } },
            ["elements"],
          ),
        ],
      },
    },
  },
};

/** https://discord.com/developers/docs/resources/webhook#execute-webhook and its limits of embeds. */
export const discord = {
  type: "object",
  required: ["allowed_mentions"],
  anyOf: [{ required: ["content"] }, { required: ["embeds"] }],
  additionalProperties: false,
  properties: {
    allowed_mentions: {
      type: "object",
      required: ["parse"],
      additionalProperties: false,
      properties: { parse: { type: "array", maxItems: 0 } },
    },
    content: { type: "string", minLength: 1, maxLength: 2_000 },
    embeds: {
      type: "array",
      minItems: 1,
      maxItems: 10,
      items: {
        type: "object",
        required: ["title"],
        additionalProperties: false,
        properties: {
          title: { type: "string", minLength: 1, maxLength: 256 },
          description: { type: "string", minLength: 1, maxLength: 4_096 },
          url: { type: "string", pattern: "^https?://", maxLength: 2_048 },
          timestamp: { type: "string", format: "date-time" },
          color: { type: "integer", minimum: 0, maximum: 0xffffff },
          footer: {
            type: "object",
            required: ["text"],
            additionalProperties: false,
            properties: { text: { type: "string", minLength: 1, maxLength: 2_048 } },
          },
          author: {
            type: "object",
            required: ["name"],
            additionalProperties: false,
            properties: { name: { type: "string", minLength: 1, maxLength: 256 } },
          },
        },
      },
    },
  },
};

/** https://docs.ntfy.sh/publish/#publish-as-json; the size of the message in bytes is checked beside it. */
export const ntfy = {
  type: "object",
  required: ["topic", "message"],
  additionalProperties: false,
  properties: {
    topic: { type: "string", pattern: "^[-_A-Za-z0-9]{1,64}$" },
    title: { type: "string", minLength: 1, maxLength: 250 },
    message: { type: "string", minLength: 1 },
    click: { type: "string", pattern: "^https?://" },
    tags: { type: "array", maxItems: 5, items: { enum: ["warning", "white_check_mark"] } },
  },
};

/** https://appriseit.com/api/usage/ */
export const apprise = {
  type: "object",
  required: ["body"],
  additionalProperties: false,
  properties: {
    body: { type: "string", minLength: 1, maxLength: 32_768 },
    title: { type: "string", minLength: 1, maxLength: 250 },
    type: { enum: ["info", "success", "warning", "failure"] },
    tag: { const: "all" },
    format: { enum: ["text", "markdown", "html"] },
  },
};

const textOf = (maxLength: number) => ({ type: "string", minLength: 1, maxLength });
const strict = (properties: object, required: string[]) => ({
  ...{ type: "object", properties, required },
  additionalProperties: false,
});

const textBlock = strict(
  {
    type: { const: "RichTextBlock" },
    inlines: {
      type: "array",
      minItems: 1,
      items: strict({ type: { const: "TextRun" }, text: textOf(20_000), weight: { enum: ["Bolder"] } }, [
        "type",
        "text",
      ]),
    },
  },
  ["type", "inlines"],
);

/** https://adaptivecards.io/explorer/AdaptiveCard.html, and the envelope that workflows of Teams take. */
export const teams = strict(
  {
    type: { const: "message" },
    attachments: {
      type: "array",
      ...{ minItems: 1, maxItems: 1 },
      items: strict(
        {
          contentType: { const: "application/vnd.microsoft.card.adaptive" },
          content: strict(
            {
              $schema: { const: "http://adaptivecards.io/schemas/adaptive-card.json" },
              type: { const: "AdaptiveCard" },
              version: { const: "1.4" },
              body: { type: "array", minItems: 1, items: textBlock },
              actions: {
                type: "array",
                maxItems: 6,
                items: strict(
                  {
                    type: { const: "Action.OpenUrl" },
                    title: textOf(40),
                    url: { type: "string", format: "uri" },
                  },
                  ["type", "url"],
                ),
              },
            },
            ["type", "version", "body"],
          ),
        },
        ["contentType", "content"],
      ),
    },
  },
  ["type", "attachments"],
);

/** https://core.telegram.org/bots/api#sendmessage */
export const telegram = strict(
  {
    chat_id: textOf(100),
    message_thread_id: { type: "integer" },
    text: textOf(4_096),
    link_preview_options: strict({ is_disabled: { type: "boolean" } }, []),
  },
  ["chat_id", "text"],
);

/** https://spec.matrix.org/v1.11/client-server-api/#mtext */
export const matrix = strict(
  { msgtype: { const: "m.text" }, body: textOf(60_000), "m.mentions": { type: "object" } },
  ["msgtype", "body"],
);

/** https://pushover.net/api */
export const pushover = strict(
  {
    ...{ token: textOf(30), user: textOf(30), device: textOf(25) },
    ...{ title: textOf(250), message: textOf(1_024), url: textOf(512) },
    priority: { type: "integer", minimum: -2, maximum: 1 },
  },
  ["token", "user", "message"],
);

/** https://gotify.net/api-docs#/message/createMessage */
export const gotify = strict(
  {
    ...{ title: { type: "string" }, message: textOf(100_000), priority: { type: "integer" } },
    extras: { type: "object" },
  },
  ["message"],
);
