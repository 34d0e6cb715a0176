import type { DestinationKind } from "../destination-kind.ts";
import { admitServer, authorityOf, identityOf } from "../server.ts";

/** An exchange of RabbitMQ's. */
export const rabbitmqKind: DestinationKind<"rabbitmq"> = {
  secrets: ["password"],
  inFiles: false,
  urlOf: options => {
    const [scheme, path] = [options.tls ? "amqps" : "amqp", [options.vhost, options.exchange]];
    return `${scheme}://${authorityOf(options)}/${path.map(encodeURIComponent).join("/")}`;
  },
  serverOf: identityOf,
  admit: admitServer,
};
