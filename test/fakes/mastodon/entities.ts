/** Entities as they go over the wire (docs.joinmastodon.org/entities), with the fields that matter here. */
export interface AccountEntity {
  id: string;
  username: string;
  acct: string;
  url: string;
  display_name: string;
  note: string;
  avatar: string;
  locked: boolean;
  created_at: string;
  followers_count: number;
  following_count: number;
}

export interface StatusEntity {
  id: string;
  created_at: string;
  edited_at?: string;
  account: AccountEntity;
  content: string;
  spoiler_text: string;
  visibility: "public" | "unlisted" | "private" | "direct";
  reblog: StatusEntity | null;
  favourites_count: number;
  reblogs_count: number;
  replies_count: number;
  url?: string;
  in_reply_to_id?: string;
  in_reply_to_account_id?: string;
  card?: { url: string; title: string; description: string; image: string | null } | null;
  poll?: object | null;
  quote?: { state: string; quoted_status?: StatusEntity | null } | null;
  mentions?: { id: string; username: string; acct: string; url: string }[];
}

export function account(fields: Partial<AccountEntity> & { id: string; username: string }): AccountEntity {
  return {
    acct: fields.username,
    url: `https://social.example/@${fields.username}`,
    display_name: "",
    note: "",
    avatar: `https://social.example/avatars/${fields.id}.png`,
    locked: false,
    created_at: "2016-11-24T00:00:00.000Z",
    followers_count: 12,
    following_count: 3,
    ...fields,
  };
}

export function status(id: string, author: AccountEntity, fields: Partial<StatusEntity>): StatusEntity {
  return {
    id,
    created_at: "2018-10-10T20:19:24.000Z",
    account: author,
    content: "",
    spoiler_text: "",
    visibility: "public",
    reblog: null,
    favourites_count: 0,
    reblogs_count: 0,
    replies_count: 0,
    url: `https://social.example/@${author.username}/${id}`,
    ...fields,
  };
}
