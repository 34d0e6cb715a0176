import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { QuotaCalls } from "../../../mixins/clients/quotas.ts";
import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { Config } from "../../../mixins/config/config.ts";
import type { Egress } from "../../../mixins/egress/egress.ts";
import { gateOf, logPath } from "../../../mixins/event-log/embedded.log.ts";
import { shareDatabase } from "../../../mixins/store/sqlite/database.ts";
import type { AskedByLanes } from "../context.ts";
import type { MailWay } from "../mail/mail-way.ts";
import { storeOptions } from "../webhooks.store.ts";
import { LaneThread, type ThreadOptions } from "./lane-thread.ts";
import type { MainThread, ThreadSettings } from "./messages.ts";
import { type Threading, type ThreadLimits, threadLimits } from "./threaded-lanes.ts";

const mostThreads = 4;

export interface ThreadingParts extends Pick<ThreadOptions, "onAttempted" | "onExpired" | "logger"> {
  config: Pick<Config, "dataDir" | "s3" | "eventRetentionMs" | "deliveryRetentionMs" | "webhooks" | "log">;
  masterSecret: string;
  egress: Pick<Egress, "settings" | "report">;
  tagged: Pick<TaggedSources, "of">;
  quotas: QuotaCalls;
  mail: Pick<MailWay, "deliver"> | undefined;
  asked: AskedByLanes;
  limits?: Partial<ThreadLimits>;
  onError(error: unknown): void;
}

/** Threads for lanes in one process with its data folder, one for each core beside the main thread's. */
export function openThreading(parts: ThreadingParts): Threading {
  const { config, tagged, quotas, mail, egress, asked, onError } = parts;
  const cores = Math.min(Math.max(availableParallelism() - 1, 1), mostThreads);
  const limits = { threads: cores, ...threadLimits, ...parts.limits };
  const files = [logPath(config.dataDir), join(config.dataDir, `${storeOptions.file}.db`)];
  const answers = {
    withQuotas: () => quotas.withQuotas(),
    charge: (...asked: Parameters<QuotaCalls["charge"]>) => quotas.charge(...asked),
    settle: (...asked: Parameters<QuotaCalls["settle"]>) => quotas.settle(...asked),
    uses: (keyId: string) => quotas.uses(keyId),
    tagged: async (...of: Parameters<MainThread["tagged"]>) => [...(await tagged.of(...of))],
    match: asked.expressions.match,
    transform: asked.expressions.transform,
    noteProblem: async (laneId: string, problem: string) => asked.noteProblem(laneId, problem),
  };
  return {
    limits,
    open: events =>
      new LaneThread(
        {
          ...parts,
          answers,
          settings: settingsOf(parts, limits.threads),
          mail: (stop, target, mailed) => sendMail(mail, stop, target, mailed),
          onRefused: egress.report,
        },
        events,
      ),
    share: () => {
      const ends = files.map(shareDatabase);
      return () => {
        for (const end of ends) end();
      };
    },
    onError,
  };
}

function settingsOf({ config, masterSecret, egress, mail }: ThreadingParts, threads: number): ThreadSettings {
  const { dataDir, s3, eventRetentionMs, deliveryRetentionMs, webhooks, log } = config;
  return {
    config: { dataDir, eventRetentionMs, deliveryRetentionMs, ...(s3 && { s3 }) },
    masterSecret,
    egress: egress.settings,
    gate: gateOf(logPath(dataDir)),
    backoffMs: webhooks.backoffMs,
    proxyUrl: webhooks.proxyUrl,
    folder: webhooks.folder,
    threads,
    hasMail: mail !== undefined,
    isDebug: ["debug", "trace"].includes(log.level),
  };
}

/** The lanes of the thread own the mail; this process has them for as long as it lives. */
function sendMail(
  mail: Pick<MailWay, "deliver"> | undefined,
  stop: AbortSignal,
  ...[target, events]: Parameters<MailWay["deliver"]>
): ReturnType<MailWay["deliver"]> {
  if (!mail) throw new Error("There is no mail server");
  return mail.deliver(target, events, {
    isHeld: true,
    began: exchange => stop.addEventListener("abort", () => exchange.abort()),
    ended: () => undefined,
  });
}
