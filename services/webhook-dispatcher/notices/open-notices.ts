import type { Dispatcher as Agent } from "undici";
import type { Config } from "../../../mixins/config/config.ts";
import type { Queues, Worker } from "../../../mixins/queue/queue.ts";
import type { JobNotice } from "../../contracts/webhook.contract.ts";
import type { WebhookRoom } from "../room.ts";
import { announceJob } from "./announce-job.ts";
import { mendNotices } from "./mend-notices.ts";
import { Places } from "./places.ts";
import { prepareJob } from "./prepare-job.ts";
import {
  jobSecretsCollection,
  type NoticeRoom,
  type NoticeRun,
  noticesCollection,
  type StoredJobSecret,
  type StoredNotice,
} from "./room.ts";
import { passOver, runNotice } from "./run-notice.ts";

/** Exchanges at a time, in all and for one key: a receiver that is slow leaves room for those of others. */
const concurrency = 64;
const perKey = 8;
/** An exchange takes 5 s at the most. */
const graceMs = 6_000;

/** What jobs tell their own webhooks. */
export interface Notices {
  prepare(job: Parameters<typeof prepareJob>[1]): Promise<{ secret?: string }>;
  announce(notice: JobNotice): Promise<null>;
  /** Sees to notices that lost their runs; until the signal fires. */
  mend(signal: AbortSignal): Promise<void>;
  /** The key was deleted: nothing more is sent for it. */
  forget(keyId: string): Promise<void>;
  /** Begins no more attempts; resolves when those under way are settled. */
  close(): Promise<void>;
}

interface Means {
  room: WebhookRoom;
  queues: Queues;
  agent: Agent;
  schedule: Config["webhooks"]["backoffMs"];
  logger: NoticeRoom["logger"];
}

/** Lets the deliveries of notices begin. */
export function openNotices({ room, queues, agent, schedule, logger }: Means): Notices {
  const { endpoints, vault, egress, allowHttp } = room;
  const notices = endpoints.collection<StoredNotice>(noticesCollection);
  const jobSecrets = endpoints.collection<StoredJobSecret>(jobSecretsCollection);
  const queue = queues.queue<NoticeRun>("notices");
  const places = new Places(perKey);
  const own = {
    endpoints,
    vault,
    egress,
    allowHttp,
    notices,
    jobSecrets,
    queue,
    agent,
    schedule,
    places,
    logger,
  };
  const worker = work(own);
  return {
    prepare: job => prepareJob(own, job),
    announce: notice => announceJob(own, notice, Date.now()),
    mend: signal => mendNotices(own, Date.now(), signal),
    forget: async keyId => {
      await jobSecrets.remove(keyId);
      await notices.removeMany({ keyId });
    },
    close: () => worker.close(graceMs),
  };
}

function work(room: NoticeRoom): Worker {
  return room.queue.work(
    {
      concurrency,
      onStalled: ({ payload }) => passOver(room, payload),
    },
    job =>
      runNotice(room, job).catch(error => {
        if (job.starts === 1) room.logger.warn("notice.trouble", { ...job.payload, error });
        throw error;
      }),
  );
}
