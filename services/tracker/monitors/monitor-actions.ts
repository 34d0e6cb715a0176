import type { ActionEntry } from "../../contracts/action.ts";
import * as contract from "../../contracts/monitors.contract.ts";
import { operations } from "../../contracts/service.ts";
import type { TrackerContext } from "../context.ts";
import { listChecks, readCheck, runMonitor } from "./checks.ts";
import { changeMonitor, createMonitor, listMonitors, readMonitor, removeMonitor } from "./monitors.ts";

const { published } = operations(({ context }: { context: TrackerContext }) => context);

/** The tracker's actions of monitors. */
export const monitorActions: ActionEntry[] = [
  published(contract.createMonitor, (context, wanted, { caller, ctx }) =>
    createMonitor(context, caller, wanted, ctx.meta.idempotencyKey),
  ),
  published(contract.listMonitors, (context, page, { caller }) => listMonitors(context, caller, page)),
  published(contract.readMonitor, (context, wanted, { caller }) => readMonitor(context, caller, wanted)),
  published(contract.changeMonitor, (context, wanted, { caller }) => changeMonitor(context, caller, wanted)),
  published(contract.removeMonitor, (context, wanted, { caller }) => removeMonitor(context, caller, wanted)),
  published(contract.runMonitor, (context, wanted, { caller }) => runMonitor(context, caller, wanted)),
  published(contract.listMonitorChecks, (context, page, { caller }) => listChecks(context, caller, page)),
  published(contract.readMonitorCheck, (context, wanted, { caller }) => readCheck(context, caller, wanted)),
];
