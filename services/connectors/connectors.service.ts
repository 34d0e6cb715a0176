import type { Context, Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { egressMixin, type HasEgress } from "../../mixins/egress/egress.mixin.ts";
import { healthMixin } from "../../mixins/health/health.mixin.ts";
import { actions, type CallMeta, handle } from "../contracts/action.ts";
import { pollSource, resolveSource } from "../contracts/connectors.contract.ts";
import { fail } from "../contracts/errors.ts";
import type { SourceKind } from "../contracts/source.ts";
import type { PolledConnector } from "./connector.ts";
import { HostLanes } from "./host-lanes.ts";
import { rssConnector } from "./rss/rss.connector.ts";
import { toolsFor } from "./tools.ts";
import { webConnector } from "./web/web.connector.ts";

/** The platforms of this installation. */
const connectors: Partial<Record<SourceKind, PolledConnector>> = { rss: rssConnector, web: webConnector };

/** Requests at a time per host. */
const laneWidth = 2;

type Connectors = Service & HasEgress & { lanes: HostLanes; closing: AbortController };

/** The room that speaks to platforms: what a source is, and what is new there. It keeps nothing. */
export function connectorsService(config: Config): ServiceSchema {
  const { pollMinIntervalMs: minIntervalMs } = config;
  const toolsOf = ({ egress, lanes, closing }: Connectors, ctx: Context<unknown, CallMeta>) =>
    toolsFor(ctx, { egress, lanes, closing: closing.signal, minIntervalMs });
  return {
    name: "connectors",
    mixins: [
      egressMixin(config),
      healthMixin("connectors", () =>
        Object.keys(connectors).map(name => ({ name: `connector:${name}`, status: "ok" as const })),
      ),
    ],
    actions: actions(
      handle(resolveSource, "public", function (this: Connectors, ctx) {
        return connectorOf(ctx.params.kind).resolve(ctx.params.sid, toolsOf(this, ctx));
      }),
      handle(pollSource, "public", function (this: Connectors, ctx) {
        return connectorOf(ctx.params.kind).poll(ctx.params, toolsOf(this, ctx));
      }),
    ),
    created(this: Connectors) {
      this.lanes = new HostLanes(laneWidth);
      this.closing = new AbortController();
    },
    async stopped(this: Connectors) {
      this.closing.abort(fail("overloaded", "The service is stopping; try again."));
    },
  } as ServiceSchema;
}

export default (): ServiceSchema => connectorsService(configFromEnv());

function connectorOf(kind: SourceKind): PolledConnector {
  const connector = connectors[kind];
  if (connector === undefined)
    throw fail("connector_unavailable", `This installation has no connector for ${kind}.`);
  return connector;
}
