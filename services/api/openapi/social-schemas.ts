import { shape, source } from "./schemas.ts";

const text = { type: "string" };
const nullableText = { type: ["string", "null"] };
const nullableTime = { type: ["string", "null"], format: "date-time" };
const nullableFlag = { type: ["boolean", "null"] };
const count = { type: ["integer", "null"], minimum: 0, description: "Null where the network tells none." };

const author = shape({ rest_id: text, name: text, username: { ...text, description: "Without the @." } });

export const microblogPost = shape({
  rest_id: text,
  core: shape({ user_results: shape({ result: { ...author, description: "The author." } }) }),
  legacy: shape({
    full_text: text,
    created_at: { ...text, description: "As in `Wed Oct 10 20:19:24 +0000 2018`." },
    favorite_count: count,
    repost_count: count,
    reply_count: count,
  }),
});

export const microblogProfile = shape({
  id: text,
  name: text,
  username: text,
  description: nullableText,
  profile_image_url: nullableText,
  protected: nullableFlag,
  verified: nullableFlag,
  followers_count: count,
  following_count: count,
  created_at: nullableTime,
});

export const microblogAbout = shape({
  id: text,
  name: text,
  username: text,
  created_at: nullableTime,
  about_profile: shape({
    account_based_in: nullableText,
    created_country_accurate: nullableFlag,
    location_accurate: nullableFlag,
    source: nullableText,
    username_changes: {
      anyOf: [shape({ count: text, last_changed_at_msec: nullableText }), { type: "null" }],
    },
  }),
  avatar: shape({ image_url: nullableText }),
  is_blue_verified: { ...nullableFlag, description: "Premium verification." },
  profile_image_shape: nullableText,
  privacy: shape({ protected: nullableFlag }),
  verification: shape({ verified: { ...nullableFlag, description: "Legacy verification." } }),
  verification_info: shape({ is_identity_verified: nullableFlag }),
});

export const chatMessage = shape({
  id: text,
  channelId: text,
  guildId: { ...nullableText, description: "The server; null in a channel that belongs to none." },
  authorId: text,
  authorName: text,
  content: { ...nullableText, description: "Null where the platform withholds it." },
  createdAt: { ...text, format: "date-time" },
  attachments: {
    type: "array",
    items: shape({
      id: text,
      filename: text,
      url: text,
      contentType: nullableText,
      size: { type: ["integer", "null"], description: "Bytes." },
    }),
  },
});

export const messengerMessage = shape({
  id: { type: "integer" },
  text,
  date: { type: "integer", description: "Unix time in seconds." },
  channelId: nullableText,
  channelTitle: nullableText,
  fromId: nullableText,
  views: count,
  forwards: count,
  hasMedia: { type: "boolean" },
  mediaType: { enum: ["photo", "video", "document", "url", null] },
});

export const messengerMessages = shape({
  total: { type: "integer", description: "Of all that fit, as far as the platform tells." },
  messages: { type: "array", items: messengerMessage, description: "Newest first." },
});

export const trackJob = shape(
  {
    id: text,
    state: { enum: ["waiting", "active", "completed", "failed"] },
    returnvalue: { ...source, description: "When `completed`: the source, which is tracked now." },
    failedReason: { ...text, description: "When `failed`: why, as a sentence." },
  },
  ["returnvalue", "failedReason"],
);
