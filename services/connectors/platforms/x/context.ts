import type { DriverTools } from "../../social/social-connector.ts";
import type { XApi } from "./api.ts";
import type { ReadBudget, ReadBudgetSettings } from "./read-budget.ts";

export interface XSettings extends ReadBudgetSettings {
  /** X_BEARER_TOKEN of the app, for all reads. */
  bearerToken?: string;
  /** X_ACCESS_TOKEN: OAuth 2.0, of the account that follows; without it, nobody is followed. */
  accessToken?: string;
  /** X_BASE_URL, for a stand-in. */
  baseUrl?: string;
  /** Minutes of posts that a new connection repeats, 1 to 5. Only some plans have it; polls fill the gap otherwise. */
  backfillMinutes?: number;
  /** Milliseconds of silence after which a stream counts as dead; X sends an empty line every 20 seconds. */
  silenceMs?: number;
  /** Milliseconds between two changes of the stream's rules. */
  rulesEveryMs?: number;
}

/** What the operations of the driver use. */
export interface XContext {
  api: XApi;
  budget: ReadBudget;
  settings: XSettings;
  /** Milliseconds of silence after which a stream counts as dead. */
  silenceMs: number;
  tools: DriverTools;
  /** The account that follows, once it is known. */
  ownId?: string;
}
