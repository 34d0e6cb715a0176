import type { mastodon } from "masto";
import { SerializerNativeImpl } from "masto/adapters/serializers/index.js";
import type { Post } from "../../../contracts/connectors.contract.ts";
import { dialSocket, keepSocket } from "../../social/live-socket.ts";
import { type DriverTools, type Listener, quoteAnswer, refusal } from "../../social/social-connector.ts";
import { deletedPost, editedPost } from "../post-details.ts";
import { type Ask, type MastodonSettings, refusedToken } from "./api.ts";
import { isPost, toPost } from "./map-post.ts";

type Status = mastodon.v1.Status;

/** Statuses that are remembered, so that none is published twice, and a deletion finds its author. */
const maxRemembered = 10_000;

/**
 * Listens to the account's own stream, with the posts of everyone it follows. masto's streaming client is not used: it
 * reports neither when a connection opens nor when it is lost, and its waits grow without limit.
 */
export async function listen(
  { ask, settings, tools }: { ask: Ask; settings: MastodonSettings; tools: DriverTools },
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  /** Authors by the ids of their statuses. */
  const published = new Map<string, string>();
  const held = {
    async dial() {
      const { configuration } = await ask(signal, ({ v2 }) => v2.instance.fetch());
      const url = streamUrl(configuration.urls.streaming, new URL(settings.url));
      return dialSocket(url, { authorization: `Bearer ${settings.accessToken}` });
    },
    onOpen: () => listener.onGap(),
    onLost: ({ message }: Error) =>
      listener.onLost(quoteAnswer("The live connection to the Mastodon server is lost.", message)),
    errorOfStatus: (status: number) =>
      status === 401 || status === 403
        ? refusal(refusedToken)
        : new Error(`The Mastodon server answers the stream with status ${status}.`),
    async onMessage(data: Buffer) {
      const { status, isEdit, deleted } = readMessage(data.toString());
      const author = status?.account.id ?? published.get(deleted ?? "");
      if (author === undefined || !listener.isTracked(author)) return;
      if (deleted !== undefined) return await listener.onPosts(author, [asDeleted(deleted)]);
      if (!status || !isPost(status) || (published.has(status.id) && !isEdit)) return;
      const post = toPost(status);
      if (isEdit) return await listener.onPosts(author, [editedPost(post, String(status.editedAt))]);
      await listener.onPosts(author, [post]);
      remember(published, status.id, author);
    },
  };
  await keepSocket(held, tools, signal);
}

/**
 * The account's own stream. GoToSocial names `wss` always: where it is asked without TLS, by the administrator's choice, its
 * stream on the same host has none either.
 */
function streamUrl(origin: string, home: URL): URL {
  const url = new URL("/api/v1/streaming?stream=user", origin);
  if (home.protocol === "http:" && url.host === home.host) url.protocol = "ws:";
  return url;
}

const serializer = new SerializerNativeImpl();

/** What a message of the stream says. */
interface StreamMessage {
  status?: Status | null;
  isEdit?: true;
  /** The id of a status; whose it was is not told. */
  deleted?: string;
}

/**
 * A post arrives as `update`, because its author is followed, and as a `notification` of type `status`, because
 * notifications are on, in any order; an edit as `status.update`. Messages of other types say nothing here.
 */
function readMessage(text: string): StreamMessage {
  const { event, payload, error } = serializer.deserialize<Partial<Record<string, string>>>("json", text);
  if (error !== undefined) throw new Error("The Mastodon server ended the stream.");
  if (event === "delete" && payload !== undefined) return { deleted: payload };
  const read = <T>() => serializer.deserialize<T | null>("json", payload ?? "null");
  if (event === "update") return { status: read<Status>() };
  if (event === "status.update") return { status: read<Status>(), isEdit: true };
  if (event !== "notification") return {};
  const notification = read<mastodon.v1.Notification>();
  return { status: notification?.type === "status" ? notification.status : null };
}

function asDeleted(id: string): Post {
  return deletedPost({ postId: id, type: "microblog.post.created", data: { post: { rest_id: id } } });
}

function remember(published: Map<string, string>, id: string, author: string): void {
  published.set(id, author);
  const [oldest] = published.keys();
  if (published.size > maxRemembered && oldest !== undefined) published.delete(oldest);
}
