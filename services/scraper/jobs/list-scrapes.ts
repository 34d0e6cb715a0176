import { findPage } from "../../../mixins/store/find-page.ts";
import type { Listed, ScrapeStanding, Wanted } from "../../contracts/inspection.contract.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";

/** The scrapes of all keys that are kept. */
export async function listScrapes({ scrapes }: JobsRoom, wanted: Wanted): Promise<Listed<ScrapeStanding>> {
  const { page, next_cursor } = await findPage(scrapes, { ...wanted, descending: true });
  return { data: page.map(describe), next_cursor, message: "Scrapes listed." };
}

function describe({ _id, keyId, url, status, startedAt, endedAt }: StoredScrape): ScrapeStanding {
  return {
    scrape_id: _id,
    key_id: keyId,
    url,
    status,
    started_at: startedAt ?? null,
    ended_at: endedAt ?? null,
  };
}
