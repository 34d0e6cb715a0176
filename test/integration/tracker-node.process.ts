import { setTimeout as delay } from "node:timers/promises";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { actions, handle } from "../../services/contracts/action.ts";
import {
  type Post,
  pollSource,
  pollViews,
  resolveSource,
} from "../../services/contracts/connectors.contract.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";

/** Milliseconds in which every source has a new item, and for which a poll usually takes. */
const itemEveryMs = 700;
const usualPollMs = 30;

/** Receives both ends of each poll, with their times in nanoseconds by a clock that all processes share. */
type Polled = (end: "begins" | "ends", externalId: string, at: bigint) => void;

/** A platform whose sources grow by the clock, so that all processes see the same. */
function growingService(polled: Polled, pollMs: number): ServiceSchema {
  const newest = () => Math.floor(Date.now() / itemEveryMs) - Math.floor(Date.UTC(2026, 0) / itemEveryMs);
  const look = async (externalId: string) => {
    polled("begins", externalId, process.hrtime.bigint());
    const last = newest();
    await delay(pollMs);
    polled("ends", externalId, process.hrtime.bigint());
    return last;
  };
  const found = ({ seen }: { seen?: unknown }, last: number) => {
    const posts = Array.from({ length: last - Number(seen) }, (_, n) => post(Number(seen) + n + 1));
    return { ok: true as const, posts, state: { seen: last }, nextInMs: 500 };
  };
  return {
    name: "connectors",
    actions: actions(
      handle(resolveSource, "public", ({ params: { kind, sid } }) => ({
        ...{ kind, externalId: sid, username: sid, name: sid },
        state: { seen: newest() },
      })),
      handle(pollSource, "public", async ({ params: { externalId, state } }) =>
        found(state, await look(externalId)),
      ),
      handle(pollViews, "public", async ({ params: { externalId, views } }) => {
        const last = await look(externalId);
        return { results: views.map(({ state }) => found(state, last)) };
      }),
    ),
  };
}

function post(n: number): Post {
  return { postId: String(n), revision: "1", type: "rss.item.created", data: { item: { n } } };
}

/** A tracker in a cluster, beside such a platform. */
export function trackerNode(
  env: Record<string, string>,
  polled: Polled,
  pollMs: number = usualPollMs,
): ServiceBroker {
  const broker = new ServiceBroker({ logger: false });
  broker.createService(growingService(polled, pollMs));
  broker.createService(trackerService(toConfig(env)));
  return broker;
}

const [env, pollMs] = process.argv.slice(2);
if (env?.startsWith("{")) {
  const say = (...said: unknown[]) => console.log(said.join(" "));
  const broker = trackerNode(JSON.parse(env), say, Number(pollMs) || undefined);
  await broker.start();
  console.log("ready");
}
