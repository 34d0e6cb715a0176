import type { TimeSlices } from "../../../mixins/async/time-slices.ts";
import type { MappedPage } from "../../contracts/map.contract.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";

/** A page that one of the sources names. */
export interface FoundPage extends MappedPage {
  /** What a link to it says. */
  linkText?: string;
}

/** What one source has given. */
export interface Source {
  pages: FoundPage[];
  /** False where the source was cut short or could not be read: it may have more. */
  isWhole: boolean;
}

/** Pages of one map. */
const mostPages = 50_000;

/**
 * The pages of the sources, each once (by its canonical URL) and in the order of the sources; those that `takes` refuses
 * are left out. When the time of `slices` is over, those that have not been checked are left out too.
 */
export async function uniteSources(
  sources: readonly Source[],
  takes: (url: string) => boolean,
  slices: Pick<TimeSlices, "next">,
): Promise<{ pages: MappedPage[]; isWhole: boolean }> {
  const byKey = new Map<string, FoundPage>();
  let isWhole = sources.every(source => source.isWhole);
  for (const page of sources.flatMap(({ pages }) => pages)) {
    if (!(await slices.next())) return { pages: [...byKey.values()].map(asMapped), isWhole: false };
    const canonical = canonicalUrl(page.url);
    const known = canonical && byKey.get(canonical.key);
    if (known) merge(known, page);
    else if (canonical && takes(canonical.url)) {
      if (byKey.size < mostPages) byKey.set(canonical.key, { ...page, url: canonical.url });
      else isWhole = false;
    }
  }
  return { pages: [...byKey.values()].map(asMapped), isWhole };
}

function merge(known: FoundPage, page: FoundPage): void {
  known.title ??= page.title;
  known.description ??= page.description;
  known.linkText ??= page.linkText;
}

function asMapped({ url, title, description, linkText }: FoundPage): MappedPage {
  return { url, title: title ?? linkText ?? null, description };
}
