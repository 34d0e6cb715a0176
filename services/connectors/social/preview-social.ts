import type { Context } from "moleculer";
import type { CallMeta } from "../../contracts/caller.ts";
import type { Post } from "../../contracts/connectors.contract.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { ChatMessage, MessengerMessage, MicroblogPost } from "../../contracts/social.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { type Headline, headlineOf } from "../../domain/feed/headlines.ts";
import type { Previewed } from "../connector.ts";
import { type SocialHost, withNamedDriver } from "./ask-driver.ts";
import type { SocialConnector } from "./social-connector.ts";

/** Posts that are shown. */
const shown = 10;

/** What an account or channel is on its network, and its newest posts. */
export function previewNamed(
  host: SocialHost,
  ctx: Context<unknown, CallMeta>,
  { kind, sid }: { kind: SourceKind; sid: string },
): Promise<Previewed> {
  const wanted = { kind, text: sid, field: "sid" };
  return withNamedDriver(host, ctx, wanted, (driver, text, signal) => previewSocial(driver, text, signal));
}

/** A channel that has to approve us first shows no posts. */
async function previewSocial(
  connector: SocialConnector,
  sid: string,
  signal: AbortSignal,
): Promise<Previewed> {
  const source = connector.kind.toUpperCase();
  const nothing = { source, network: connector.driver, url: null, text: null, items: null };
  const admission = await connector.admission?.(sid, signal);
  if (admission?.state === "approval_needed")
    return { ...nothing, name: sid, notice: "It must approve Magpie first; tracking it asks for that." };
  const { externalId, name, notice } = await connector.resolve(sid, signal);
  try {
    const { posts } = await connector.history(externalId, { limit: shown }, signal);
    return { ...nothing, name, items: posts.slice(0, shown).map(toHeadline), ...(notice && { notice }) };
  } catch (error) {
    // It can be tracked all the same.
    if (codeOf(error) === undefined || signal.aborted) throw error;
    return { ...nothing, name, notice: notice ?? (error as Error).message };
  }
}

function toHeadline({ type, data }: Post): Headline {
  if (type === "microblog.post.created") {
    const { legacy, url } = data.post as MicroblogPost;
    return headline(legacy.full_text, legacy.created_at, url);
  }
  if (type === "chatserver.message.created") {
    const { content, createdAt, url } = data.message as ChatMessage;
    return headline(content, createdAt, url);
  }
  const { text, date, url } = data.message as MessengerMessage;
  return headline(text, date * 1000, url);
}

function headline(text: string | null, time: string | number | null, url: string | undefined): Headline {
  const at = new Date(time ?? Number.NaN);
  return {
    title: headlineOf(text),
    url: url ?? null,
    published_at: Number.isNaN(at.getTime()) ? null : at.toISOString(),
  };
}
