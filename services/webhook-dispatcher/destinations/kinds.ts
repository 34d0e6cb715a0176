import type { DestinationOptions, DestinationType } from "../../contracts/destinations.ts";
import type { DestinationKind } from "./destination-kind.ts";
import { folderKind } from "./folder/kind.ts";
import { natsKind } from "./nats/kind.ts";
import { postgresqlKind } from "./postgresql/kind.ts";
import { rabbitmqKind } from "./rabbitmq/kind.ts";
import { s3Kind } from "./s3/kind.ts";

/** What each type of destination is. */
export const destinationKinds: { [Type in DestinationType]: DestinationKind<Type> } = {
  folder: folderKind,
  nats: natsKind,
  postgresql: postgresqlKind,
  rabbitmq: rabbitmqKind,
  s3: s3Kind,
};

/** The kind of some options, for callers that do not know their type. */
export function kindOf<Type extends DestinationType>({ type }: { type: Type }): DestinationKind<Type> {
  return destinationKinds[type];
}

/** Whether each attempt at this destination writes a file. */
export function writesFiles(destination: DestinationOptions | null | undefined): boolean {
  return destination ? kindOf(destination).inFiles : false;
}
