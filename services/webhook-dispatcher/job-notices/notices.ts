import type { Dispatcher as Agent } from "undici";
import type { Config } from "../../../mixins/config/config.ts";
import { eventId } from "../../../mixins/event-log/stored-event.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Queues, Worker } from "../../../mixins/queue/queue.ts";
import { codeOf } from "../../contracts/errors.ts";
import type { JobNotice } from "../../contracts/webhook-dispatcher.contract.ts";
import type { WebhookContext } from "../context.ts";
import {
  jobSecretsCollection,
  noticesCollection,
  type StoredJobSecret,
  type StoredNotice,
} from "../webhooks.store.ts";
import { type NoticeContext, type NoticeRun, PerKeyLimit } from "./context.ts";
import { noticeBody } from "./notice-body.ts";
import { addRun, reconcileNotices } from "./notice-runs.ts";
import { prepareJob } from "./prepare-job.ts";
import { postponeRun, runNotice } from "./run-notice.ts";

/** Exchanges at a time, in all and for one key, so that a slow receiver leaves capacity for others. */
const concurrency = 64;
const perKey = 8;
/** Milliseconds; an exchange takes at most 5 s. */
const graceMs = 6_000;

/** The notices that jobs send to their own webhooks. */
export interface Notices {
  prepare(job: Parameters<typeof prepareJob>[1]): Promise<{ secret?: string }>;
  /** `traceparent`: the place in the job's trace, which the notice continues. */
  announce(notice: JobNotice, traceparent?: string): Promise<null>;
  /** Queues notices that have lost their runs, until the signal fires. */
  reconcile(signal: AbortSignal): Promise<void>;
  /** Removes everything of a deleted key; nothing more is sent for it. */
  forget(keyId: string): Promise<void>;
  /** Starts no more attempts; resolves when those under way are recorded. */
  close(): Promise<void>;
}

interface NoticeOptions {
  context: WebhookContext;
  queues: Queues;
  agent: Agent;
  schedule: Config["webhooks"]["backoffMs"];
  logger: NoticeContext["logger"];
}

/** Starts the delivery of notices. */
export function openNotices({ context, queues, agent, schedule, logger }: NoticeOptions): Notices {
  const { endpoints, deliveries, vault, egress, allowHttp, onAttempted } = context;
  const notices = endpoints.collection<StoredNotice>(noticesCollection);
  const jobSecrets = endpoints.collection<StoredJobSecret>(jobSecretsCollection);
  const queue = queues.queue<NoticeRun>("notices");
  const perKeyLimit = new PerKeyLimit(perKey);
  const own = {
    endpoints,
    deliveries,
    vault,
    egress,
    allowHttp,
    onAttempted,
    notices,
    jobSecrets,
    queue,
    agent,
    schedule,
    perKeyLimit,
    logger,
  };
  const worker = startWorker(own);
  return {
    prepare: job => prepareJob(own, job),
    announce: (notice, traceparent) =>
      announceJob(own, { ...toStored(own, notice, Date.now()), ...(traceparent && { traceparent }) }),
    reconcile: signal => reconcileNotices(own, Date.now(), signal),
    forget: async keyId => {
      await jobSecrets.remove(keyId);
      await notices.removeMany({ keyId });
    },
    close: () => worker.close(graceMs),
  };
}

function startWorker(context: NoticeContext): Worker {
  return context.queue.work(
    {
      concurrency,
      onStalled: ({ payload }) => postponeRun(context, payload),
    },
    job =>
      runNotice(context, job).catch(error => {
        if (job.starts === 1) logEvent(context.logger, "notice_run.failed", { ...job.payload, error });
        throw error;
      }),
  );
}

/** Stores a notice and queues its delivery; a notice that is announced twice is delivered once. */
async function announceJob(context: NoticeContext, notice: StoredNotice): Promise<null> {
  const kept = await keep(context, notice);
  if (kept) await addRun(context, kept, Date.now());
  return null;
}

/** Null if it was announced before and is delivered by now. */
async function keep({ notices }: NoticeContext, notice: StoredNotice): Promise<StoredNotice | null> {
  try {
    return await notices.insert(notice);
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
    // An earlier announcement may have been stored but not queued.
    return await notices.findById(notice._id);
  }
}

function toStored(
  { vault }: NoticeContext,
  { id, keyId, type, url, headers, ...notice }: JobNotice,
  now: number,
): StoredNotice {
  const event = eventId(keyId, id, notice.timestamp);
  return {
    _id: id,
    keyId,
    type,
    eventId: event,
    url,
    ...(Object.keys(headers).length > 0 && { sealedHeaders: vault.sealHeaders(id, headers) }),
    body: noticeBody(event, { id, keyId, type, url, headers, ...notice }),
    ...(notice.format === "firecrawl" && { format: notice.format }),
    attempts: 0,
    run: 1,
    dueAt: now,
    deferrals: 0,
  };
}
