import {
  listMonitorChecks,
  type MonitorCheck,
  type PageState,
  readMonitorCheck,
} from "../../contracts/monitors.contract.ts";
import { checkNames, checkPage, type FoundPage, statusNames } from "../../domain/firecrawl/monitor-forms.ts";
import { answerWith, ask } from "./ask.ts";
import { checkSent, few, place, usual } from "./monitor.ts";

const id = { type: "string", min: 1, max: 64 } as const;

/** Their name of a state, and ours. A check that waits is under way here. */
const checkStates = new Map<string, MonitorCheck["status"]>(
  Object.entries(checkNames).map(([ours, theirs]) => [theirs, ours as MonitorCheck["status"]]),
);
const pageStates = new Map<string, PageState>(
  Object.entries(statusNames)
    .filter(([ours]) => ours !== "moved")
    .map(([ours, theirs]) => [theirs, ours as PageState]),
);

interface ChecksAsked {
  id: string;
  limit?: number;
  offset?: number;
  status?: string;
}

/** Answers `GET /monitor/{id}/checks`. */
export const listChecksAnswer = answerWith<ChecksAsked>(
  {
    ...{ id, limit: few, offset: place },
    status: { type: "enum", values: [...checkStates.keys(), "queued"], optional: true },
  },
  async (asked, { id, limit = usual, offset = 0, status }) => {
    const state = checkStates.get(status ?? "");
    const isNone = status !== undefined && !state;
    const { data } = await ask(asked, listMonitorChecks, {
      ...{ id, limit, offset },
      ...(state && { status: state }),
    });
    return { success: true, data: isNone ? [] : data.map(checkSent) };
  },
);

interface CheckAsked {
  id: string;
  check: string;
  limit?: number;
  skip?: number;
  status?: string;
}

/** Answers `GET /monitor/{id}/checks/{check}`. */
export const readCheckAnswer = answerWith<CheckAsked>(
  {
    ...{ id, check: id, limit: few, skip: place },
    status: { type: "enum", values: [...pageStates.keys()], optional: true },
  },
  async (asked, { id, check, limit = usual, skip = 0, status }) => {
    const state = pageStates.get(status ?? "");
    const { data } = await ask(asked, readMonitorCheck, {
      ...{ id, check, limit, offset: skip },
      ...(state && { status: state }),
    });
    const { pages, next_cursor, ...found } = data;
    const query = new URLSearchParams({
      ...{ skip: String(skip + pages.length), limit: String(limit) },
      ...(status !== undefined && { status }),
    });
    const self = `${asked.origin}/v2/monitor/${encodeURIComponent(id)}/checks/${encodeURIComponent(check)}`;
    const next = next_cursor === null ? null : `${self}?${query}`;
    const sent = pages.map(page => checkPage(page as FoundPage));
    return { success: true, next, data: { ...checkSent(found), pages: sent, next } };
  },
);
