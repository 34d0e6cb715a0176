/** Accounts and posts of a small X; what its API tells of them is the API's affair. */
export interface Account {
  id: string;
  name: string;
  username: string;
  created_at: string;
  description: string;
  profile_image_url: string;
  protected: boolean;
  verified: boolean;
  verified_type: string;
}

export interface StoredPost {
  id: string;
  author: Account;
  text: string;
  isRetweet: boolean;
  /** Ids of its versions, the first one first. */
  versions: string[];
  /** What else its API tells of it, by the names of fields: `entities`, `attachments`, … */
  more: Record<string, unknown>;
}

const epoch = 1_288_834_974_657;

export class XNetwork {
  readonly accounts: Account[] = [];
  /** Oldest first. */
  readonly posts: StoredPost[] = [];
  #sequence = 0n;

  addAccount(id: string, username: string, name: string, more: Partial<Account> = {}): Account {
    const account = {
      id,
      name,
      username,
      created_at: "2018-10-10T20:19:24.000Z",
      description: `What ${name} says of itself`,
      profile_image_url: `https://pbs.twimg.com/profile_images/${id}/bird_normal.jpg`,
      protected: false,
      verified: true,
      verified_type: "blue",
      ...more,
    };
    this.accounts.push(account);
    return account;
  }

  account(id: string): Account {
    const found = this.accounts.find(each => each.id === id);
    if (!found) throw new Error(`no account ${id}`);
    return found;
  }

  addPost(authorId: string, text: string, { isRetweet = false, edits = "", more = {} } = {}): StoredPost {
    const id = this.#nextId();
    const edited = this.posts.findIndex(post => post.id === edits);
    const versions = [...(this.posts[edited]?.versions ?? []), id];
    // Of an edited post the timeline shows the newest version alone.
    if (edited >= 0) this.posts.splice(edited, 1);
    const post = { id, author: this.account(authorId), text, isRetweet, versions, more };
    this.posts.push(post);
    return post;
  }

  /** As X makes them: the time above 22 bits of sequence. */
  #nextId(): string {
    this.#sequence += 1n;
    return String((BigInt(Date.now() - epoch) << 22n) + this.#sequence);
  }
}

/** When a post was made, of its id. */
export function timeOf(id: string): string {
  return new Date(Number(BigInt(id) >> 22n) + epoch).toISOString();
}
