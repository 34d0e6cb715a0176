import type { DriverTools } from "../../social/social-connector.ts";
import type { ReadBudget } from "./read-budget.ts";
import type { XSettings } from "./x.connector.ts";
import type { XApi } from "./x-api.ts";

/** What the operations of the driver work with. */
export interface XRoom {
  api: XApi;
  budget: ReadBudget;
  settings: XSettings;
  /** Milliseconds of silence after which a stream is taken for dead. */
  silenceMs: number;
  tools: DriverTools;
  /** The account that follows, once it is known. */
  ownId?: string;
}
