import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { Dispatcher } from "undici";
import { isStaleConnection } from "../../../../mixins/egress/connections.ts";
import { product } from "../../../../mixins/egress/identity.ts";
import type { DestinationOptionsOf } from "../../../contracts/destinations.ts";
import type { Blame } from "../../../domain/delivery/apply-outcome.ts";
import { type OpenDestination, type Refusal, refusal } from "../destination.ts";
import { linesOf } from "../lines.ts";
import { endpointOf } from "./kind.ts";

/** Bytes of an answer that are read. */
const answerBytes = 16_384;
const wordsLength = 500;

/** Opens a bucket. It has no connection of its own: requests go out as those to URLs do. */
export const openS3: OpenDestination<"s3"> = async (options, _writer, { agent }) => {
  const root = rootOf(options);
  /** The keys that are derived from the secret, by day. */
  const derived = new Map<string, ArrayBuffer>();
  return {
    write: async ({ events, path }, signal) => {
      const body = Buffer.from(linesOf(events));
      const answer = await put(`${root}${path}`, body, { options, derived, agent, signal });
      const text = await textOf(answer);
      if (answer.statusCode < 200 || answer.statusCode >= 300) throw refusalOf(answer, text);
    },
    close: async () => undefined,
  };
};

/** An endpoint that begins with the bucket's name means it already; every other one has the bucket in the path. */
function rootOf(options: DestinationOptionsOf<"s3">): string {
  const { bucket, prefix } = options;
  const url = new URL(endpointOf(options));
  const server = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  const root = url.host.startsWith(`${bucket}.`) ? server : `${server}/${bucket}`;
  return prefix === undefined ? `${root}/` : `${root}/${prefix}/`;
}

interface Put {
  options: DestinationOptionsOf<"s3">;
  derived: Map<string, ArrayBuffer>;
  agent: Dispatcher;
  signal: AbortSignal;
}

/** Puts an object; once more where the server has just closed the connection. */
async function put(url: string, body: Buffer, way: Put): Promise<Dispatcher.ResponseData> {
  const { region, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = way.options;
  const signer = new AwsV4Signer({
    ...{ method: "PUT", url, region, accessKeyId, secretAccessKey, service: "s3", cache: way.derived },
    headers: {
      "content-type": "application/x-ndjson",
      "x-amz-content-sha256": createHash("sha256").update(body).digest("hex"),
    },
  });
  const signed = await signer.sign();
  const headers = { ...Object.fromEntries(signed.headers), "user-agent": product };
  const { origin, pathname: path } = signed.url;
  const asked = { origin, path, method: "PUT", headers, body, signal: way.signal } as const;
  const send = () => way.agent.request(asked);
  return await send().catch(error => {
    if (!isStaleConnection(error)) throw error;
    return send();
  });
}

/** The beginning of the answer's body. */
async function textOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes > answerBytes) break;
  }
  return Buffer.concat(parts).toString();
}

function refusalOf({ statusCode: status, headers }: Dispatcher.ResponseData, text: string): Error & Refusal {
  const [, code = ""] = /<Code>([\w.-]{1,64})<\/Code>/.exec(text) ?? [];
  const [, message = ""] = /<Message>([^<]*)<\/Message>/.exec(text) ?? [];
  const words = [code, message].filter(Boolean).join(": ").slice(0, wordsLength);
  const blame = blameOf(status);
  const retryAfter = [headers["retry-after"]].flat()[0];
  const said = words === "" ? `The server has answered ${status}.` : words;
  return refusal(said, { status, retryAfter, ...(blame && { blame }) });
}

/** What a server of files refuses has its cause in the bucket or the key, never in the events; a missing bucket is gone. */
function blameOf(status: number): Blame | undefined {
  return status >= 300 && status < 500 && status !== 404 && status !== 429 ? "endpoint" : undefined;
}
