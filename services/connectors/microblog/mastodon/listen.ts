import type { mastodon } from "masto";
import { SerializerNativeImpl } from "masto/adapters/serializers/index.js";
import { refusal } from "../../social/refusal.ts";
import type { DriverTools, Listener } from "../../social/social-connector.ts";
import { dialSocket, keepSocket } from "../keep-socket.ts";
import { type Ask, type MastodonSettings, refusedToken } from "./api.ts";
import { isPost, toPost } from "./map-status.ts";

type Status = mastodon.v1.Status;

/** Ids of statuses that are remembered, to tell none twice. */
const maxRemembered = 1000;

/**
 * Listens to the account's own stream: posts of all whom it follows. masto's streaming client is not used: it tells
 * neither when a connection stands nor when it is lost, and waits ever longer without a bound.
 */
export async function listenToStream(
  { ask, settings, tools }: { ask: Ask; settings: MastodonSettings; tools: DriverTools },
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const told = new Set<string>();
  const held = {
    async dial() {
      const { configuration } = await ask(signal, ({ v2 }) => v2.instance.fetch());
      const url = new URL("/api/v1/streaming?stream=user", configuration.urls.streaming);
      return dialSocket(url, { authorization: `Bearer ${settings.accessToken}` });
    },
    onOpen: () => listener.onGap(),
    onLost({ message }: Error) {
      tools.logger.debug("mastodon.lost", { message });
      listener.onLost("The live connection to the Mastodon server is lost.");
    },
    meaningOf: (status: number) =>
      status === 401 || status === 403
        ? refusal(refusedToken)
        : new Error(`The Mastodon server answers the stream with status ${status}.`),
    async onMessage(data: Buffer) {
      const status = readStatus(data.toString());
      if (!status || !isPost(status) || !listener.isTracked(status.account.id)) return;
      if (told.has(status.id)) return;
      await listener.onPosts(status.account.id, [toPost(status)]);
      remember(told, status.id);
    },
  };
  await keepSocket(held, tools, signal);
}

const serializer = new SerializerNativeImpl();

/**
 * The status of a message of the stream. A post comes as `update`, since its author is followed, and as a
 * `notification` of type `status`, since we asked for notifications; which is first is not said. All else is null.
 */
function readStatus(text: string): Status | null {
  const { event, payload, error } = serializer.deserialize<Partial<Record<string, string>>>("json", text);
  if (error !== undefined) throw new Error("The Mastodon server ended the stream.");
  if (event === "update") return serializer.deserialize<Status>("json", payload ?? "null");
  if (event !== "notification") return null;
  const notification = serializer.deserialize<mastodon.v1.Notification>("json", payload ?? "null");
  return notification.type === "status" ? (notification.status ?? null) : null;
}

function remember(told: Set<string>, id: string): void {
  told.add(id);
  const [oldest] = told;
  if (told.size > maxRemembered && oldest !== undefined) told.delete(oldest);
}
