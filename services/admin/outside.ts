import type { Post } from "../contracts/connectors.contract.ts";
import type { MicroblogPost } from "../contracts/social.ts";

/** What this room asks of the others. */
export interface Outside {
  /** One page of an account's posts, newest first. */
  history(page: {
    uid: string;
    cursor?: string;
    limit: number;
  }): Promise<{ posts: MicroblogPost[]; next_cursor: string | null }>;
  /** Takes posts of an account in, oldest first. */
  receive(externalId: string, posts: Post[]): Promise<{ isTracked: boolean }>;
}

/** As a poll of the account would tell it: the same identity, so that nobody is told twice. */
export function asPost(post: MicroblogPost): Post {
  return { postId: post.rest_id, revision: "1", type: "microblog.post.created", data: { post } };
}
