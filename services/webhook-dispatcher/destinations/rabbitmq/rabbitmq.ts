import { setImmediate as nextTurn } from "node:timers/promises";
import { AMQPError, type Channel, Connection, type ReturnedMessage } from "rabbitmq-client";
import { untilAborted, within } from "../../../../mixins/async/timeout.ts";
import type { DestinationOptionsOf } from "../../../contracts/destinations.ts";
import type { OutgoingEvent } from "../../lanes/active-lane.ts";
import { type OpenDestination, type Refusal, refusal } from "../destination.ts";
import { lookupOf, tlsOf } from "../server.ts";

type Options = DestinationOptionsOf<"rabbitmq">;

const closeMs = 2_000;

/** Opens an exchange, on a channel whose messages the server confirms. */
export const openRabbitmq: OpenDestination<"rabbitmq"> = async (options, _writer, ways, signal) => {
  const lookup = await lookupOf(options, ways);
  const { host: hostname, port, vhost, user: username, password, tls, ca } = options;
  const connection = new Connection({
    ...{ hostname, port, vhost, username, password, connectionName: "magpie" },
    ...{ tls: tlsOf({ tls, ...(ca && { ca }) }), socket: { lookup, port } },
  });
  const end = () => connection.unsafeDestroy();
  // It would connect again by itself, by addresses of before: the next attempt opens another one.
  connection.on("error", end);
  try {
    const channel = await untilAborted(confirmedChannel(connection), signal);
    return {
      write: async ({ events }) => await publish(channel, options, events),
      close: async () => {
        await channel.close();
        await within(closeMs, connection.close(), end);
      },
    };
  } catch (error) {
    end();
    throw inWords(error);
  }
};

async function confirmedChannel(connection: Connection): Promise<Channel> {
  await new Promise<void>((resolve, reject) => {
    connection.once("connection", resolve).once("error", reject);
  });
  const channel = await connection.acquire();
  await channel.confirmSelect();
  return channel;
}

/** Publishes all of them in order. Resolves when each is in a queue, on disk where the queue is durable. */
async function publish(channel: Channel, options: Options, events: readonly OutgoingEvent[]): Promise<void> {
  const returned: ReturnedMessage[] = [];
  const note = (message: ReturnedMessage) => returned.push(message);
  channel.on("basic.return", note);
  try {
    await Promise.all(events.map(event => publishOne(channel, options, event)));
    // What no queue takes is returned before it is confirmed, and the library tells so a turn later.
    await nextTurn();
  } catch (error) {
    throw inWords(error);
  } finally {
    channel.off("basic.return", note);
  }
  const ids = new Set(events.map(({ id }) => id));
  const [lost] = returned.filter(({ messageId }) => ids.has(messageId ?? ""));
  if (lost) throw refusal(`No queue takes messages with the routing key "${lost.routingKey}".`);
}

async function publishOne(channel: Channel, options: Options, event: OutgoingEvent): Promise<void> {
  const { exchange, routing_key } = options;
  const { id: messageId, type, timestamp, body } = event;
  const routingKey = routing_key.replaceAll("{type}", type);
  const about = { messageId, type, timestamp: Math.floor(Date.parse(timestamp) / 1000), appId: "magpie" };
  const content = { contentType: "application/json", durable: true };
  await channel.basicPublish(
    { exchange, routingKey, mandatory: true, ...about, ...content },
    Buffer.from(body),
  );
}

/** Codes by which the library says that it lost the connection; all others are the server's. */
const ofConnection = /^(CONN_CLOSE|CH_CLOSE|CLOSING|\w+_TIMEOUT|UNEXPECTED_FRAME|CODEC)$/;

/** What the server says; other errors are those of the connection. */
function inWords(error: unknown): unknown {
  if (!(error instanceof AMQPError) || ofConnection.test(error.code)) return error;
  const { code, message } = error;
  if (code === "NACK")
    return said(error, "The server has refused the message: its queue is full, or has failed.");
  return said(error, `${message} (${code})`);
}

function said(cause: unknown, message: string): Error & Refusal {
  return Object.assign(refusal(message), { cause });
}
