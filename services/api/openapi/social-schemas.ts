import { shape, source } from "./schemas.ts";

const text = { type: "string" };
const nullableText = { type: ["string", "null"] };
const nullableTime = { type: ["string", "null"], format: "date-time" };
const nullableFlag = { type: ["boolean", "null"] };
const count = { type: ["integer", "null"], minimum: 0, description: "Null where the network tells none." };

const accountId = { ...text, description: "Id of the account on its network." };
const displayName = { ...text, description: "Display name." };
const handle = { ...text, description: "Without the @." };
const opened = { ...nullableTime, description: "When the account was opened." };
const isProtected = { ...nullableFlag, description: "Its owner approves who follows." };

const author = shape({ rest_id: accountId, name: displayName, username: handle });

export const microblogPost = shape({
  rest_id: { ...text, description: "Id of the post." },
  core: shape({ user_results: shape({ result: { ...author, description: "The author." } }) }),
  legacy: shape({
    full_text: { ...text, description: "Whole, however long." },
    created_at: { ...text, description: "As in `Wed Oct 10 20:19:24 +0000 2018`." },
    favorite_count: count,
    repost_count: count,
    reply_count: count,
  }),
});

export const microblogProfile = shape({
  id: accountId,
  name: displayName,
  username: handle,
  description: { ...nullableText, description: "What the account says of itself." },
  profile_image_url: { ...nullableText, description: "URL of its picture." },
  protected: isProtected,
  verified: { ...nullableFlag, description: "The network vouches for it." },
  followers_count: count,
  following_count: count,
  created_at: opened,
});

export const microblogAbout = shape({
  id: accountId,
  name: displayName,
  username: handle,
  created_at: opened,
  about_profile: shape({
    account_based_in: { ...nullableText, description: "Country." },
    created_country_accurate: { ...nullableFlag, description: "The country in which it was opened is sure." },
    location_accurate: { ...nullableFlag, description: "`account_based_in` is sure." },
    source: { ...nullableText, description: "By which app or store it connects." },
    username_changes: {
      anyOf: [
        shape({
          count: { ...text, description: "A number, as a string." },
          last_changed_at_msec: { ...nullableText, description: "Unix time in milliseconds, as a string." },
        }),
        { type: "null" },
      ],
    },
  }),
  avatar: shape({ image_url: { ...nullableText, description: "URL of its picture." } }),
  is_blue_verified: { ...nullableFlag, description: "Premium verification." },
  profile_image_shape: { ...nullableText, description: "As in `Circle`." },
  privacy: shape({ protected: isProtected }),
  verification: shape({ verified: { ...nullableFlag, description: "Legacy verification." } }),
  verification_info: shape({
    is_identity_verified: { ...nullableFlag, description: "The network has seen proof of who it is." },
  }),
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
  id: { type: "integer", description: "Counts within its channel." },
  text: { ...text, description: "Of the message, or the caption of what is attached." },
  date: { type: "integer", description: "Unix time in seconds." },
  channelId: { ...nullableText, description: "The channel or group." },
  channelTitle: { ...nullableText, description: "Its display name." },
  fromId: { ...nullableText, description: "Who wrote it; null for posts of channels." },
  views: count,
  forwards: count,
  hasMedia: { type: "boolean", description: "Something is attached." },
  mediaType: {
    enum: ["photo", "video", "document", "url", null],
    description: "`url` is the preview of a link; null without media, and for media of other kinds.",
  },
});

export const messengerMessages = shape({
  total: { type: "integer", description: "Of all that fit, as far as the platform tells." },
  messages: { type: "array", items: messengerMessage, description: "Newest first." },
});

export const trackJob = shape(
  {
    id: { ...text, description: "`jobId` of the answer to `POST /track/{source}`." },
    state: {
      enum: ["waiting", "active", "completed", "failed"],
      description:
        "`waiting` until somebody decides, `active` while the channel that has let us in is about to be tracked.",
    },
    returnvalue: { ...source, description: "When `completed`: the source, which is tracked now." },
    failedReason: { ...text, description: "When `failed`: why, as a sentence." },
  },
  ["returnvalue", "failedReason"],
);
