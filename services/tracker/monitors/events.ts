import { createHash } from "node:crypto";
import type { NewEvent } from "../../../mixins/event-log/event-log.ts";
import type { MonitorCheck, MonitorPage } from "../../contracts/monitors.contract.ts";
import type { Source } from "../../contracts/source.ts";
import type { StoredMonitor } from "./monitors.store.ts";

type Of = Pick<StoredMonitor, "_id" | "keyId" | "name">;

/** A check has ended, or was skipped. A repeat makes the same event. */
export function checkedEvent(monitor: Of, check: MonitorCheck): NewEvent {
  return {
    bodyId: digest(["monitor.checked", check.id]),
    type: "monitor.checked",
    timestamp: check.ended_at ?? check.started_at,
    data: { source: null, monitor: named(monitor), check },
    keyIds: [monitor.keyId],
  };
}

/** What a check found of a page. */
export function pageEvent(monitor: Of, checkId: string, page: MonitorPage, source: Source | null): NewEvent {
  return {
    bodyId: digest(["monitor.page", checkId, page.id]),
    type: "monitor.page",
    timestamp: page.at,
    data: { source, monitor: named(monitor), check_id: checkId, page },
    keyIds: [monitor.keyId],
  };
}

function named({ _id: id, name }: Of): { id: string; name: string } {
  return { id, name };
}

function digest(parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
