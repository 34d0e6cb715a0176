import type { View } from "../../domain/watch/view.ts";
import { type ComparedVersion, htmlDiff, unifiedDiff } from "./diff-forms.ts";
import { diffLines, type LineDiff } from "./line-diff.ts";
import { comparedLines, type KeptVersion } from "./version-forms.ts";

interface DatedVersion {
  /** ISO 8601. */
  at: string;
  kept: KeptVersion;
}

/** A comparison of two versions in a view; without `before`, all of `after` is new. */
export interface Comparison {
  before: DatedVersion | null;
  after: DatedVersion;
  view: View;
  as: "lines" | "unified" | "html";
}

/** Compares two versions line by line: as data, or as a text of the form asked for. */
export function compareVersions({ before, after, view, as }: Comparison): LineDiff | string {
  const read = ({ at, kept }: DatedVersion): ComparedVersion => ({
    at,
    title: kept.title,
    lines: comparedLines(kept, view),
  });
  const [old, current] = [before && read(before), read(after)];
  if (as === "unified") return unifiedDiff(old ?? { at: "nothing", title: "", lines: [] }, current);
  const lines = diffLines(old?.lines ?? [], current.lines);
  return as === "html" ? htmlDiff(old, current, lines) : lines;
}
