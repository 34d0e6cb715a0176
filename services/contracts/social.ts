/** Shapes of the social platforms, as the interface gives them. A field that a network does not give is null. */

/** A post of the microblog. Fields beyond these pass through as the network gives them. */
export interface MicroblogPost {
  rest_id: string;
  core: { user_results: { result: MicroblogAuthor } };
  legacy: {
    full_text: string;
    /** As in `Wed Oct 10 20:19:24 +0000 2018`. */
    created_at: string;
    favorite_count: number | null;
    repost_count: number | null;
    reply_count: number | null;
  };
}

export interface MicroblogAuthor {
  rest_id: string;
  name: string;
  username: string;
}

/** A microblog account, as tracking answers it. */
export interface MicroblogProfile {
  id: string;
  name: string;
  username: string;
  description: string | null;
  profile_image_url: string | null;
  protected: boolean | null;
  verified: boolean | null;
  followers_count: number | null;
  following_count: number | null;
  /** ISO 8601. */
  created_at: string | null;
}

/** What the microblog tells of an account. */
export interface MicroblogAbout {
  id: string;
  name: string;
  username: string;
  /** ISO 8601. */
  created_at: string | null;
  about_profile: {
    account_based_in: string | null;
    created_country_accurate: boolean | null;
    location_accurate: boolean | null;
    source: string | null;
    username_changes: { count: string; last_changed_at_msec: string | null } | null;
  };
  avatar: { image_url: string | null };
  is_blue_verified: boolean | null;
  profile_image_shape: string | null;
  privacy: { protected: boolean | null };
  verification: { verified: boolean | null };
  verification_info: { is_identity_verified: boolean | null };
}

/** A message of a chat server. */
export interface ChatMessage {
  id: string;
  channelId: string;
  /** Null in a channel that belongs to no server. */
  guildId: string | null;
  authorId: string;
  authorName: string;
  /** Null where the platform withholds it. */
  content: string | null;
  /** ISO 8601. */
  createdAt: string;
  attachments: {
    id: string;
    filename: string;
    url: string;
    contentType: string | null;
    size: number | null;
  }[];
}

/** A message of the messenger. */
export interface MessengerMessage {
  id: number;
  text: string;
  /** Unix time in seconds. */
  date: number;
  channelId: string | null;
  channelTitle: string | null;
  fromId: string | null;
  views: number | null;
  forwards: number | null;
  hasMedia: boolean;
  mediaType: "photo" | "video" | "document" | "url" | null;
}

export interface MessengerMessages {
  total: number;
  messages: MessengerMessage[];
}
