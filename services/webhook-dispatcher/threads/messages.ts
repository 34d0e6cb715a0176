import type { QuotaCalls } from "../../../mixins/clients/quotas.ts";
import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { Config } from "../../../mixins/config/config.ts";
import type { EgressSettings, Refused } from "../../../mixins/egress/egress.ts";
import type { Expressions } from "../expressions/expressions.ts";
import type { Sums } from "../lanes/attempt-sums.ts";
import type { MailedEvents, MailTarget } from "../mail/mail-way.ts";
import type { Answer } from "../sending/send.ts";
import type { Answered, Question } from "./port.ts";

/** What a thread of lanes begins with. */
export interface ThreadSettings {
  config: Pick<Config, "dataDir" | "s3" | "eventRetentionMs" | "deliveryRetentionMs">;
  /** Decrypts the secrets of endpoints. */
  masterSecret: string;
  egress: EgressSettings;
  /** Tells which entries of the event log may be read. */
  gate: SharedArrayBuffer;
  backoffMs: Config["webhooks"]["backoffMs"];
  proxyUrl: Config["webhooks"]["proxyUrl"];
  folder: Config["webhooks"]["folder"];
  /** How many such threads there are: they share what one would hold in memory. */
  threads: number;
  /** Whether there is a mail server. */
  hasMail: boolean;
  /** Whether each attempt is a line of the log. */
  isDebug: boolean;
}

/** Shards that change hands. */
export interface PassedShards {
  shards: number[];
  /** The keys that were busy. */
  keyIds: string[];
  /** Lanes that still have something under way where they were; `admit` follows for each. */
  withheld: string[];
}

interface OfKeys {
  /** Events were appended; endpoints or lanes were changed; quotas; the tags of sources. */
  is: "wake" | "reread" | "quotas" | "retagged";
  keyIds: string[];
}

interface Admit {
  is: "admit";
  laneIds: string[];
}

export type ToThread =
  | ({ is: "gain" } & PassedShards)
  | Admit
  | OfKeys
  /** Events were erased. */
  | { is: "erased" }
  /** Gives all shards back. */
  | { is: "pass" }
  | { is: "stop" }
  | Question
  | Answered;

/** Adds the keys of a wake to those of the one before it: many appends of one turn are told together. */
export function joinsWake(message: ToThread): ((last: ToThread) => boolean) | undefined {
  if (message.is !== "wake") return undefined;
  return last => {
    if (last.is !== "wake") return false;
    for (const keyId of message.keyIds) last.keyIds.push(keyId);
    return true;
  };
}

export type FromThread =
  | { is: "ready" }
  | ({ is: "passed" } & PassedShards)
  | Admit
  | { is: "attempted"; sums: Sums /** Those that went out since the last message. */; requests: number }
  | { is: "expired"; events: number }
  | { is: "logged"; level: "debug" | "info" | "error"; line: unknown[] }
  | { is: "refused"; refused: Refused }
  | { is: "abort"; mail: number }
  | Question
  | Answered;

/** What a thread asks of the main one. */
export type MainThread = Omit<QuotaCalls, "has"> & {
  tagged(...asked: Parameters<TaggedSources["of"]>): Promise<string[]>;
  mail(number: number, target: MailTarget, events: MailedEvents): Promise<Answer>;
  match: Expressions["match"];
  transform: Expressions["transform"];
  noteProblem(laneId: string, problem: string): Promise<void>;
};

/** What is asked of a thread. */
export type LaneThreadCalls = {
  /** Answers while the thread works. */
  beat(): Promise<void>;
  /** Events that its lanes have not delivered; see `laneLag` and `eventsWaiting`. */
  waiting(): Promise<Waiting>;
  writeError(): Promise<string | undefined>;
};

export interface Waiting {
  lag: number;
  waiting: number;
}
