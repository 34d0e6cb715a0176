/**
 * Types of fields, written by hand so that a change of what goes over the wire breaks a test: `?` after a type takes
 * null too, and only where it stands. Fields beyond those named are let through; none of those named may be missing.
 */
type Shape = string | { [field: string]: Shape } | [Shape];

const author = { rest_id: "string", name: "string", username: "string" };

const post = {
  rest_id: "string",
  core: { user_results: { result: author } },
  legacy: {
    full_text: "string",
    created_at: "string",
    favorite_count: "number?",
    repost_count: "number?",
    reply_count: "number?",
  },
  language: "string?",
  media: [{ type: "string", url: "string?", preview_url: "string?", alt: "string?" }],
} satisfies Shape;

const chatMessage = {
  id: "string",
  channelId: "string",
  guildId: "string?",
  authorId: "string",
  authorName: "string",
  content: "string?",
  createdAt: "string",
  attachments: [
    {
      id: "string",
      filename: "string",
      url: "string",
      contentType: "string?",
      size: "number?",
      alt: "string?",
    },
  ],
} satisfies Shape;

const messengerMessage = {
  id: "number",
  text: "string",
  date: "number",
  channelId: "string?",
  channelTitle: "string?",
  fromId: "string?",
  views: "number?",
  forwards: "number?",
  hasMedia: "boolean",
  mediaType: "string?",
};

const profile = {
  id: "string",
  name: "string",
  username: "string",
  description: "string?",
  profile_image_url: "string?",
  protected: "boolean?",
  verified: "boolean?",
  followers_count: "number?",
  following_count: "number?",
  created_at: "string?",
};

const about = {
  id: "string",
  name: "string",
  username: "string",
  created_at: "string?",
  about_profile: {
    account_based_in: "string?",
    created_country_accurate: "boolean?",
    location_accurate: "boolean?",
    source: "string?",
    username_changes: "object?",
  },
  avatar: { image_url: "string?" },
  is_blue_verified: "boolean?",
  profile_image_shape: "string?",
  privacy: { protected: "boolean?" },
  verification: { verified: "boolean?" },
  verification_info: { is_identity_verified: "boolean?" },
};

export const shapes = { post, chatMessage, messengerMessage, profile, about } satisfies Record<string, Shape>;

/** The paths at which a value departs from the shape. */
export function faults(value: unknown, shape: Shape, path = ""): string[] {
  if (typeof shape === "string") return isOfType(value, shape) ? [] : [`${path}: ${typeof value}`];
  if (typeof value !== "object" || value === null) return [`${path}: ${value}`];
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path}: no list`];
    return value.flatMap((item, at) => faults(item, shape[0], `${path}[${at}]`));
  }
  const fields = value as Record<string, unknown>;
  return Object.entries(shape).flatMap(([name, of]) => faults(fields[name], of, `${path}.${name}`));
}

function isOfType(value: unknown, type: string): boolean {
  if (value === null) return type.endsWith("?");
  return typeof value === type.replace("?", "") && (typeof value !== "number" || Number.isFinite(value));
}
