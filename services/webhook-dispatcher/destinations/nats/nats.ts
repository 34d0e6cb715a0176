import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  ErrorCode,
  type JetStreamClient,
  type NatsError,
} from "nats";
import type { DestinationOptionsOf } from "../../../contracts/destinations.ts";
import { type OpenDestination, refusal } from "../destination.ts";
import { authorityOf, tlsOf } from "../server.ts";

type Options = DestinationOptionsOf<"nats">;

/** Milliseconds for a connection, and for the answer to each message; the endpoint's time may end them sooner. */
const answerMs = 10_000;

/** Connects to one address that the guard has vetted; other servers of a cluster are not gone to. */
export const openNats: OpenDestination<"nats"> = async (options, { webhookId }, { egress }) => {
  const { subject } = options;
  const [first] = await egress.vet(options.host, options.port);
  const address = authorityOf({ host: first?.address ?? options.host, port: options.port });
  const connection = await connect(connectionOptions(options, address)).catch((error: NatsError) => {
    throw inWords(error, options);
  });
  const stream = connection.jetstream({ timeout: answerMs });
  return {
    write: async ({ events }) => {
      // Two endpoints may write to subjects of one stream, which knows messages by their ids alone.
      const sent = events.map(({ id, body }) => publish(stream, subject, `${id}.${webhookId}`, body));
      await Promise.all(sent).catch((error: NatsError) => {
        throw inWords(error, options);
      });
    },
    close: () => connection.close(),
  };
};

/** Resolves when the stream has it. What it has already, by the same id, is not added again. */
async function publish(stream: JetStreamClient, subject: string, msgID: string, body: string): Promise<void> {
  await stream.publish(subject, body, { msgID });
}

function connectionOptions(options: Options, address: string): ConnectionOptions {
  const { host, user, password: pass, token, credentials } = options;
  const tls = tlsOf(options);
  return {
    servers: address,
    name: "magpie",
    timeout: answerMs,
    reconnect: false,
    ignoreClusterUpdates: true,
    tls: tls ? ({ ...tls, servername: host } as ConnectionOptions["tls"]) : null,
    ...(user !== undefined && { user, pass }),
    ...(token !== undefined && { token }),
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
    }),
  };
}

const unauthorized = new Set<string>([
  ErrorCode.BadAuthentication,
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
  ErrorCode.BadCreds,
]);

/** What the server says; other errors are those of the connection. */
function inWords(error: NatsError, { subject }: Pick<Options, "subject">): unknown {
  const { code, api_error, chainedError } = error;
  if (unauthorized.has(code)) return refusal("The server refuses the credentials.");
  if (code === ErrorCode.NoResponders) return refusal(`No stream of JetStream takes the subject ${subject}.`);
  if (code === ErrorCode.ServerOptionNotAvailable)
    return refusal("The server has no TLS: switch it on there, or set `tls` to false.");
  if (api_error) return refusal(`${api_error.description} (${api_error.err_code ?? api_error.code})`);
  if (code === ErrorCode.Timeout) return new DOMException("NATS did not answer", "TimeoutError");
  return chainedError ?? error;
}
