/** Imported before the program: threads deliver as the search of this module's address says. */
import { threadLimits } from "../../../services/webhook-dispatcher/threads/threaded-lanes.ts";

for (const [name, value] of new URL(import.meta.url).searchParams)
  if (name in threadLimits) threadLimits[name as keyof typeof threadLimits] = Number(value);
