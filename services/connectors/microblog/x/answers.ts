/*
 * What X answers, as far as it is used; every field may be missing. X is renaming tweets to posts field by field, so
 * both spellings are read (OpenAPI description of the X API v2, 2.167).
 */

export interface XAnswer<Data> {
  data?: Data;
  includes?: { users?: XUser[] };
  /** Also in answers with status 200, in place of what is missing. */
  errors?: XProblem[];
  meta?: { next_token?: string };
}

export interface XPost {
  id: string;
  text: string;
  author_id?: string;
  /** ISO 8601. */
  created_at?: string;
  /** An edited post has an id of its own; its first one leads the list. */
  edit_history_post_ids?: string[];
  edit_history_tweet_ids?: string[];
  /** The whole text of a long post; `text` is cut. */
  note_post?: { text?: string };
  note_tweet?: { text?: string };
  public_metrics?: {
    like_count?: number;
    reply_count?: number;
    repost_count?: number;
    retweet_count?: number;
  };
}

export interface XUser {
  id: string;
  name: string;
  username: string;
  /** ISO 8601. */
  created_at?: string;
  description?: string;
  profile_image_url?: string;
  protected?: boolean;
  verified?: boolean;
  /** `blue`, `business`, `government` or `none`. */
  verified_type?: string;
  is_identity_verified?: boolean;
  public_metrics?: { followers_count?: number; following_count?: number };
}

/** RFC 7807. */
export interface XProblem {
  type?: string;
  title?: string;
  detail?: string;
  /** Of a stream, for example `TooManyConnections`. */
  connection_issue?: string;
}

/** A line of the filtered stream. */
export interface XMessage extends XAnswer<XPost>, XProblem {
  matching_rules?: { id?: string; tag?: string }[];
}

export interface XRule {
  id: string;
  value: string;
  tag?: string;
}
