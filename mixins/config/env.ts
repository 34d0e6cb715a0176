import { distance } from "fastest-levenshtein";
import type { SettingType } from "./setting-types.ts";
import { type Setting, settings } from "./settings.ts";

/** A setting that does not parse, or that names what cannot be used. The message names the variable and says why. */
export class ConfigError extends Error {
  constructor(name: string, expectation: string, options?: ErrorOptions) {
    super(`${name}: ${expectation}`, options);
  }
}

type Name = keyof typeof settings;

/** The variables that are set, by name. */
export type Env = Partial<Record<Name, string>>;

type Parsed<Of extends Name> = (typeof settings)[Of]["type"] extends SettingType<infer Value> ? Value : never;
type Value<Of extends Name> = (typeof settings)[Of] extends { default: string }
  ? Parsed<Of>
  : Parsed<Of> | undefined;

/** The only reader of the environment. A variable that is set to nothing counts as unset. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const names = Object.keys(settings) as Name[];
  return Object.fromEntries(names.flatMap(name => (source[name] ? [[name, source[name]]] : [])));
}

const longestSlips = 2;

/** Variables that are no setting, and look like one with a slip of the keyboard. */
export function misspelt(source: NodeJS.ProcessEnv = process.env): { name: string; meant: string }[] {
  const known = Object.keys(settings);
  return Object.keys(source).flatMap(name => {
    if (known.includes(name)) return [];
    const most = Math.min(longestSlips, Math.floor(name.length / 5));
    const meant = known.find(each => distance(each, name.toUpperCase()) <= most);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** The value of a setting, or of its default; undefined where neither is. */
export function readSetting<Of extends Name>(name: Of, env: Env): Value<Of> {
  const { type, default: fallback }: Setting = settings[name];
  const text = env[name] ?? fallback;
  if (text === undefined) return undefined as Value<Of>;
  const value = type.parse(text);
  if (value === undefined) throw new ConfigError(name, type.expected);
  return value as Value<Of>;
}

/** The same, of a setting that another one requires; `by` says which. */
export function requireSetting<Of extends Name>(name: Of, env: Env, by: string): NonNullable<Value<Of>> {
  const value = readSetting(name, env);
  if (value === undefined || value === null)
    throw new ConfigError(name, `${settings[name].type.expected}, required ${by}`);
  return value;
}
