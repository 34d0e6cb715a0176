import type { mastodon } from "masto";
import { SerializerNativeImpl } from "masto/adapters/serializers/index.js";
import { dialSocket, keepSocket } from "../../social/live-socket.ts";
import { type DriverTools, type Listener, quoteAnswer, refusal } from "../../social/social-connector.ts";
import { type Ask, type MastodonSettings, refusedToken } from "./api.ts";
import { isPost, toPost } from "./map-post.ts";

type Status = mastodon.v1.Status;

/** Ids of statuses that are remembered, so that none is published twice. */
const maxRemembered = 1000;

/**
 * Listens to the account's own stream, with the posts of everyone it follows. masto's streaming client is not used: it
 * reports neither when a connection opens nor when it is lost, and its waits grow without limit.
 */
export async function listen(
  { ask, settings, tools }: { ask: Ask; settings: MastodonSettings; tools: DriverTools },
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const published = new Set<string>();
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
      const status = readStatus(data.toString());
      if (!status || !isPost(status) || !listener.isTracked(status.account.id)) return;
      if (published.has(status.id)) return;
      await listener.onPosts(status.account.id, [toPost(status)]);
      remember(published, status.id);
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

/**
 * The status of a message of the stream. A post arrives as `update`, because its author is followed, and as a
 * `notification` of type `status`, because notifications are on, in any order. Null for all other messages.
 */
function readStatus(text: string): Status | null {
  const { event, payload, error } = serializer.deserialize<Partial<Record<string, string>>>("json", text);
  if (error !== undefined) throw new Error("The Mastodon server ended the stream.");
  if (event === "update") return serializer.deserialize<Status>("json", payload ?? "null");
  if (event !== "notification") return null;
  const notification = serializer.deserialize<mastodon.v1.Notification>("json", payload ?? "null");
  return notification.type === "status" ? (notification.status ?? null) : null;
}

function remember(published: Set<string>, id: string): void {
  published.add(id);
  const [oldest] = published;
  if (published.size > maxRemembered && oldest !== undefined) published.delete(oldest);
}
