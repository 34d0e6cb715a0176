import {
  type CheckState,
  type Counts,
  checkNames,
  type FoundPage,
  summaryOf,
  webhookPage,
} from "../../firecrawl/monitor-forms.ts";

type Data = Record<string, unknown>;

interface WrittenEvent {
  id: string;
  type: string;
  data: Data;
}

interface Told {
  success: boolean;
  type: string;
  id: string;
  data: unknown[];
  error?: string;
}

/**
 * An event, given as JSON, as Firecrawl sends it to webhooks. Events of monitors have its names; others keep theirs.
 * `metadata` is what the endpoint's owner wants to have with each.
 */
export function firecrawlBody(json: string, metadata: Data): string {
  const event = JSON.parse(json) as WrittenEvent;
  const { success, type, id, data, error } = toldOf(event);
  return JSON.stringify({
    ...{ success, type, id, webhookId: event.id, data },
    ...(error !== undefined && { error }),
    metadata,
  });
}

function toldOf(event: WrittenEvent): Told {
  const { id, type, data } = event;
  if (type === "monitor.page") return pageTold(data);
  if (type === "monitor.checked") return checkTold(data);
  return { success: true, type, id, data: [data] };
}

function pageTold(data: Data): Told {
  const {
    monitor,
    check_id: id,
    page,
  } = data as { monitor: { id: string }; check_id: string; page: FoundPage };
  const told = { type: "monitor.page", id, data: [webhookPage(monitor.id, id, page)] };
  return page.error === null ? { success: true, ...told } : { success: false, ...told, error: page.error };
}

function checkTold(data: Data): Told {
  const { monitor, check } = data as {
    monitor: { id: string };
    check: { id: string; status: CheckState; counts: Counts; error: string | null };
  };
  const { id, status, counts, error } = check;
  const ended = {
    monitorId: monitor.id,
    checkId: id,
    status: checkNames[status],
    summary: summaryOf(counts),
  };
  const told = { type: "monitor.check.completed", id, data: [ended] };
  return { success: status === "completed", ...told, ...(error !== null && { error }) };
}
