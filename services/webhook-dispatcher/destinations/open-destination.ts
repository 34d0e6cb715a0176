import type { DestinationOptions, DestinationType } from "../../contracts/destinations.ts";
import type { Destination, DestinationWays, OpenDestination, Writer } from "./destination.ts";

/** What opens each type of destination. */
const drivers: { [Type in DestinationType]: () => Promise<OpenDestination<Type>> } = {
  folder: async () => (await import("./folder/folder.ts")).openFolder,
  nats: async () => (await import("./nats/nats.ts")).openNats,
  postgresql: async () => (await import("./postgresql/postgresql.ts")).openPostgresql,
  rabbitmq: async () => (await import("./rabbitmq/rabbitmq.ts")).openRabbitmq,
  s3: async () => (await import("./s3/s3.ts")).openS3,
};

/** Opens a destination by the driver of its type. */
export async function openDestination(
  options: DestinationOptions,
  writer: Writer,
  ways: DestinationWays,
  signal: AbortSignal,
): Promise<Destination> {
  const open = (await drivers[options.type]()) as OpenDestination<DestinationType>;
  return await open(options, writer, ways, signal);
}
