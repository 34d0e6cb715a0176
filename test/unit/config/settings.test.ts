import { readSetting, requireSetting } from "../../../mixins/config/env.ts";
import { type Setting, sections, settings } from "../../../mixins/config/settings.ts";

const all = Object.entries<Setting>(settings);

test("every setting is in one section of the reference", () => {
  expect(Object.values(sections).flatMap(Object.keys)).toEqual(Object.keys(settings));
});

test.each(all)(
  "%s has a default of its type or says what holds without one, and is explained",
  (_, setting) => {
    expect(setting.default === undefined).toBe(setting.unset !== undefined);
    if (setting.default !== undefined) expect(setting.type.parse(setting.default)).toBeDefined();
    expect(setting.doc).toMatch(/\.$/);
  },
);

test.each(all.filter(([, { default: fallback }]) => fallback !== undefined))(
  "%s takes its default",
  (name, { type, default: fallback = "" }) => {
    expect(readSetting(name as keyof typeof settings, {})).toEqual(type.parse(fallback));
  },
);

test("a message names the variable, what it takes, and never the value", () => {
  expect(() => readSetting("PORT", { PORT: "http" })).toThrow("PORT: a whole number from 0 to 65535");
  expect(() => readSetting("ADMIN_KEY", { ADMIN_KEY: "s3cret" })).not.toThrow("s3cret");
});

test("a setting that another one requires is asked for by name", () => {
  expect(() => requireSetting("LLM_MODEL", {}, "with LLM_BASE_URL")).toThrow(
    "LLM_MODEL: the model's name, required with LLM_BASE_URL",
  );
});
