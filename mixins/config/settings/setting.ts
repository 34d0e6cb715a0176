import { integer, matching, type SettingType } from "../setting-types.ts";

export interface Setting {
  type: SettingType<unknown>;
  /** As an operator would write it. */
  default?: string;
  /** What holds where nothing is set, for settings without a default. */
  unset?: string;
  /** What it is for, in Markdown. */
  doc: string;
}

export type Settings = Record<string, Setting>;

export const port = integer(0, 65_535);
// Keys travel in headers: one that a header cannot carry as it is would never match.
export const key = matching(
  /^[!-~][ -~]{14,510}[!-~]$/,
  "16 to 512 printable ASCII characters, with no blank at either end",
);
