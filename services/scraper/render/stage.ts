import type { Session } from "../../../mixins/browser/session.ts";
import type { PageLoad } from "./page-load.ts";

/** The page to act in, and the bounds of that. */
export interface Stage {
  session: Session;
  load: PageLoad;
  /** Milliseconds since the epoch at which the page should be read. */
  deadline: number;
  signal: AbortSignal;
}
