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
