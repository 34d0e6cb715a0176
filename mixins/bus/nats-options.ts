import type { ConnectionOptions } from "nats";

const connectTimeoutMs = 3000;

/**
 * How NATS is reached by `NATS_URL`: one URL, or several with commas between them. The first that carries a user and
 * password, or a token in the user's place, speaks for all; `tls://` asks for TLS.
 */
export function natsOptions(natsUrl: string): ConnectionOptions {
  const urls = natsUrl.split(",").map(part => new URL(part.trim()));
  const { username, password } = urls.find(url => url.username !== "") ?? { username: "", password: "" };
  return {
    servers: urls.map(({ host }) => host),
    timeout: connectTimeoutMs,
    ...(urls.some(({ protocol }) => protocol === "tls:") && { tls: {} }),
    ...credentials(decodeURIComponent(username), decodeURIComponent(password)),
  };
}

function credentials(user: string, pass: string): ConnectionOptions {
  if (user === "") return {};
  return pass === "" ? { token: user } : { user, pass };
}
