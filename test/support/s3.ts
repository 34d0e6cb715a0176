import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { S3Config } from "../../mixins/config/config.ts";
import { builtByGo, versitygw } from "./go-program.ts";
import { needs } from "./needs.ts";
import { givenServer, type Server, startServer } from "./server.ts";

export interface TestS3 extends Server {
  /** False where no server of S3 can be had: what needs it is skipped, by `withS3`. */
  isThere: boolean;
  /** A place in its bucket that no other call has. */
  place(): S3Config;
}

const bucket = "magpie-test";
const keys = { accessKeyId: "AKIATEST", secretAccessKey: "a secret/of+tests" };

/** A server of S3 on a free port of 127.0.0.1, with one bucket. */
export async function startS3(): Promise<TestS3> {
  const path = await builtByGo(versitygw);
  if (path === null) return Object.assign(givenServer(""), { isThere: false, place: never });
  const server = await startServer({
    name: "versitygw",
    binary: { path, env: { ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey } },
    scheme: "http",
    args: (port, folder) => {
      mkdirSync(join(folder, "data", bucket), { recursive: true });
      return ["--keep-alive", "--port", `127.0.0.1:${port}`, "posix", join(folder, "data")];
    },
    ready: "listening on",
  });
  let places = 0;
  const place = () => {
    places += 1;
    return { endpoint: server.url, bucket, region: "us-east-1", prefix: `place-${places}/`, ...keys };
  };
  return Object.assign(server, { isThere: true, place });
}

function never(): never {
  throw new Error("There is no server of S3 here");
}

/** `describe` and `test` of what needs a server of S3. */
export const withS3 = ({ isThere }: TestS3) => needs(isThere, "Go, which builds a server of S3");
