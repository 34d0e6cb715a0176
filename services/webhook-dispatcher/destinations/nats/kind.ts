import { invalid } from "../../../contracts/errors.ts";
import type { DestinationKind } from "../destination-kind.ts";
import { admitServer, authorityOf, identityOf } from "../server.ts";

/** A subject of NATS that a stream of JetStream takes. */
export const natsKind: DestinationKind<"nats"> = {
  secrets: ["password", "token", "credentials"],
  inFiles: false,
  urlOf: options => `nats://${authorityOf(options)}/${options.subject}`,
  serverOf: ({ user = "", ...server }) => identityOf({ ...server, user }),
  admit: (options, admission) => {
    const { user, password, token, credentials } = options;
    admitServer(options, admission);
    if ((user === undefined) !== (password === undefined))
      throw invalid("destination.password", "required", "Give `user` and `password` together.");
    if ([user, token, credentials].filter(each => each !== undefined).length > 1)
      throw invalid(
        "destination.user",
        "exactly_one",
        "Give a user, a token or credentials, and one of them at most.",
      );
  },
};
