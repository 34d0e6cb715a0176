import type { LookupFunction } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { Egress } from "../../../mixins/egress/egress.ts";
import { pinned } from "../../../mixins/egress/guard.ts";
import type { Admission } from "./destination-kind.ts";

/** Where a server is, and how it is spoken with. */
export interface ServerOptions {
  host: string;
  port: number;
  tls: boolean;
  /** Certificates in PEM. */
  ca?: string;
}

/** The server as URLs name it. */
export function authorityOf({ host, port }: Pick<ServerOptions, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Throws a 400 that names `field` for a server that the guard refuses, and `destination.tls` for one without TLS. */
export function admitServer(
  server: Pick<ServerOptions, "host" | "port" | "tls">,
  { admitUrl }: Pick<Admission, "admitUrl">,
  field = "destination.host",
): void {
  admitUrl(`https://${authorityOf(server)}`, field);
  if (!server.tls) admitUrl(`http://${authorityOf(server)}`, "destination.tls");
}

/** A `lookup` for the sockets to this server, which leads to what the guard has vetted. Rejects where the guard refuses. */
export async function lookupOf(
  { host, port }: Pick<ServerOptions, "host" | "port">,
  { egress }: { egress: Pick<Egress, "vet"> },
): Promise<LookupFunction> {
  return pinned(await egress.vet(host, port));
}

/** What `tls.connect` takes beside the host. */
export function tlsOf({ tls, ca }: Pick<ServerOptions, "tls" | "ca">): ConnectionOptions | false {
  return tls && { ...(ca && { ca }), minVersion: "TLSv1.2" };
}

/** What decides who gets the secrets, and how. */
export function identityOf(server: Pick<ServerOptions, "host" | "port" | "tls"> & { user: string }): string {
  return `${authorityOf(server)} ${server.tls} ${server.user}`;
}
