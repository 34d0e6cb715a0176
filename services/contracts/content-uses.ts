import type { Use } from "../domain/crawl/content-usage.ts";
import { rule } from "./schema.ts";

export type { Use };

/** What content may be wanted for, in the words of `metadata.content_usage`. */
const uses = ["train_ai", "ai_input", "search", "tdm"] as const satisfies readonly Use[];

/** What content is wanted for. A page is not read whose site refuses any of these uses. */
export const contentUses = rule({
  type: "array",
  min: 1,
  max: uses.length,
  unique: true,
  items: { type: "enum", values: uses },
});
