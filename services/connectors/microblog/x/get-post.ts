import type { MicroblogPost } from "../../../contracts/social.ts";
import type { XPost } from "./answers.ts";
import { dataOf, missing } from "./judge.ts";
import { toMicroblogPost } from "./map-post.ts";
import { isId } from "./parse-sid.ts";
import type { XRoom } from "./room.ts";

/** One post by its id. */
export async function getPost(
  { api, budget }: XRoom,
  postId: string,
  signal: AbortSignal,
): Promise<MicroblogPost> {
  if (!isId(postId)) throw missing();
  const taken = await budget.take(1);
  let ids: string[] = [];
  try {
    const answer = await api.ask<XPost>(
      "posts",
      (client, requestOptions) => {
        const postFields = [
          "created_at" as const,
          "note_post" as const,
          "public_metrics" as const,
          "text" as const,
        ];
        return client.posts.getById(postId, { postFields, expansions: ["author_id"], requestOptions });
      },
      signal,
    );
    const post = dataOf(answer);
    ids = [post.id];
    return toMicroblogPost(post, answer.includes?.users);
  } finally {
    await budget.settle(taken, ids);
  }
}
