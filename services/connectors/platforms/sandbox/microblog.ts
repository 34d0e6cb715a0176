import { fail, invalid } from "../../../contracts/errors.ts";
import type { MicroblogAbout, MicroblogPost, MicroblogProfile } from "../../../contracts/social.ts";
import { isSearch } from "../../../contracts/source.ts";
import { type SandboxUser, world } from "../../../domain/sandbox/world.ts";
import { parseSearch, type Search, searchOf, toSearchSource } from "../../social/search.ts";
import type { SocialConnector } from "../../social/social-connector.ts";
import { languageOf, postDate } from "../microblog-format.ts";
import { addressesIn, detailsOf } from "../post-details.ts";
import { sandboxConnector } from "./connector.ts";
import { openedAt, tally } from "./schedule.ts";
import { usernameIn } from "./sid.ts";
import { postIdOf, type SandboxPost, type Simulator, timeOfPostId } from "./simulator.ts";

/** The simulated microblog. `sid`: a user name with or without @, an id, a profile's URL. */
export function sandboxMicroblog(simulator: Simulator): SocialConnector {
  return {
    ...sandboxConnector({
      kind: "microblog",
      simulator,
      find: async sid => {
        const search = parseSearch(sid);
        if (search) return toSearchSource(search, "");
        const { id, username, name } = userOf(sid, "sid");
        return { externalId: id, username, name };
      },
      accountsOf: async externalId =>
        isSearch(externalId) ? simulator.accountIds : [userById(externalId).id],
      belongs: (externalId, { text }) => {
        const search = searchOf(externalId);
        return !search || matches(search, text);
      },
      sourcesOf: account => [account],
      toPost: sandboxPost => {
        const post = toMicroblogPost(sandboxPost);
        return { postId: post.rest_id, revision: "1", type: "microblog.post.created", data: { post } };
      },
    }),
    async getPost(postId) {
      const at = timeOfPostId(postId);
      if (at === undefined) throw invalid("postId", "malformed", "`postId` must be a number.");
      await simulator.refresh();
      const [post] = simulator.after(simulator.accountIds, at - 1, 1);
      if (post?.at !== at || postIdOf(at) !== postId) throw fail("not_found", "There is no such post.");
      return toMicroblogPost(post);
    },
    async about(username) {
      return toAbout(userOf(username, "username"));
    },
    async profile(username) {
      return toProfile(userOf(username, "username"));
    },
    async post({ username }, text, remarks) {
      if (username === undefined)
        throw invalid("username", "required", "`username` must name the account that posts.");
      const { at } = await simulator.post(userOf(username, "username").id, text, remarks);
      return { id: postIdOf(at) };
    },
  };
}

/** Every word, or the whole hashtag, in any case. */
function matches(search: Search, text: string): boolean {
  const lower = text.toLowerCase();
  if ("words" in search)
    return search.words
      .toLowerCase()
      .split(" ")
      .every(word => lower.includes(word));
  return lower.match(/#[\p{L}\p{M}\p{N}_]+/gu)?.includes(`#${search.tag}`) ?? false;
}

function userOf(sid: string, field: "sid" | "username"): SandboxUser {
  const name = usernameIn(sid);
  if (name === null)
    throw invalid(field, "malformed", "Give a user name, 1 to 15 letters, digits and underscores.");
  const found = world.microblog.find(({ id, username }) => id === name || username === name);
  if (!found) throw fail("not_found", "There is no such user on the simulated microblog.");
  return found;
}

function userById(externalId: string): SandboxUser {
  const found = world.microblog.find(({ id }) => id === externalId);
  if (!found) throw fail("not_found", "There is no such user on the simulated microblog.");
  return found;
}

function toMicroblogPost({ account, at, text, language, media }: SandboxPost): MicroblogPost {
  const { id: rest_id, name, username } = userById(account);
  return {
    rest_id: postIdOf(at),
    core: { user_results: { result: { rest_id, name, username } } },
    legacy: {
      full_text: text,
      created_at: postDate(at),
      favorite_count: tally(at, 500),
      repost_count: tally(at + 1, 90),
      reply_count: tally(at + 2, 40),
    },
    language: languageOf(language),
    media: media ?? [],
    ...detailsOf({ links: addressesIn(text) }),
  };
}

function toProfile({
  id,
  name,
  username,
  description,
  followers,
  isVerified,
}: SandboxUser): MicroblogProfile {
  return {
    id,
    name,
    username,
    description,
    profile_image_url: null,
    protected: false,
    verified: isVerified,
    followers_count: followers,
    following_count: null,
    created_at: new Date(openedAt).toISOString(),
  };
}

function toAbout({ id, name, username, isVerified }: SandboxUser): MicroblogAbout {
  return {
    id,
    name,
    username,
    created_at: new Date(openedAt).toISOString(),
    about_profile: {
      account_based_in: null,
      created_country_accurate: null,
      location_accurate: null,
      source: "Sandbox",
      username_changes: { count: "0", last_changed_at_msec: null },
    },
    avatar: { image_url: null },
    is_blue_verified: isVerified,
    profile_image_shape: null,
    privacy: { protected: false },
    verification: { verified: isVerified },
    verification_info: { is_identity_verified: null },
  };
}
