import type { Routes } from "../../../support/http-site.ts";
import type { AttendedService } from "../attended-service.ts";

/** What an attack is given. */
export interface Stage {
  service: AttendedService;
  /** Where the attack's own `site` answers, without a slash at the end. */
  site: string;
  /** Asks as the attacker, whose key has no limit of requests. An answer that never comes is the status 0. */
  ask(
    method: string,
    path: string,
    body?: object | string,
    headers?: Record<string, string>,
  ): Promise<Answer>;
}

export interface Answer {
  /** 0 when the connection ended or two minutes went by without an answer. */
  status: number;
  /** The `code` of an error. */
  code: string | undefined;
  /** The text of the answer, its first 100,000 characters. */
  text: string;
}

/** Input of one key, of a site or of a stranger, that may cost others their service. */
export interface Attack {
  /** The pages of its site; paths are below the attack's own address. */
  site?: () => Routes;
  /** Takes minutes or much memory, so that a short run leaves it out. */
  isLong?: boolean;
  /** Sends it and waits for what comes of it. Returns that in a few words, such as `400 validation_failed`. */
  run(stage: Stage): Promise<string>;
}

/** Attacks by name. */
export type Attacks = Record<string, Attack>;

/** An attack of one request. */
export function asking(method: string, path: string, body: (site: string) => object | string): Attack["run"] {
  return async ({ ask, site }) => inWords(await ask(method, path, body(site)));
}

export function inWords({ status, code }: Answer): string {
  return status === 0 ? "no answer" : code === undefined ? `${status}` : `${status} ${code}`;
}
