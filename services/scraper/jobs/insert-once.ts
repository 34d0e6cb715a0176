import { codeOf } from "../../contracts/errors.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";

/** Inserts the record of a scrape; false when somebody has done so before. */
export async function insertOnce({ scrapes }: JobsRoom, scrape: StoredScrape): Promise<boolean> {
  try {
    await scrapes.insert(scrape);
    return true;
  } catch (error) {
    if (codeOf(error) === "conflict") return false;
    throw error;
  }
}
