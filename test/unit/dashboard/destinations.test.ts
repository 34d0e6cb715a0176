import { destinationOf } from "../../../dashboard/webhook/destination-body.ts";
import { destinations, fieldsOf } from "../../../dashboard/webhook/destinations.ts";
import {
  type DestinationOptions,
  type DestinationType,
  destinationRules,
  destinationTypes,
} from "../../../services/contracts/destinations.ts";
import type { Rule } from "../../../services/contracts/schema.ts";
import { destinationKinds } from "../../../services/webhook-dispatcher/destinations/kinds.ts";

/** The options of a type as its contract has them. */
function rulesOf(type: DestinationType): [name: string, rule: Rule & { default?: unknown }][] {
  const { type: _, ...options } = destinationRules[type].props as Record<string, Rule>;
  return Object.entries(options);
}

const options = destinationTypes.flatMap(type =>
  rulesOf(type).map(([name, rule]) => ({
    type,
    name,
    rule,
    field: Object.fromEntries(fieldsOf(type))[name],
  })),
);

test("each type of destination can be chosen, and each of its options has one field", () => {
  expect(Object.keys(destinations).sort()).toEqual([...destinationTypes].sort());
  for (const type of destinationTypes)
    expect([type, ...fieldsOf(type).map(([name]) => name)].sort()).toEqual(
      [type, ...rulesOf(type).map(([name]) => name)].sort(),
    );
});

test.each(options)("$type: the field $name is typed as its option is", ({ rule, field }) => {
  const kinds: Record<string, unknown[]> = {
    string: [undefined, "lines"],
    number: ["number"],
    boolean: ["switch"],
  };
  expect(kinds[rule.type]).toContain(field?.kind);
});

test.each(options)("$type: the field $name may be empty if its option may be left out", ({ rule, field }) => {
  expect(field?.isOptional ?? false).toBe(rule.optional ?? false);
  expect(field?.preset).toBe(rule.default === undefined ? undefined : String(rule.default));
});

test.each(destinationTypes)("%s: what is stored as a secret is no plain text in the form", type => {
  const secrets = fieldsOf(type).filter(([, { isSecret }]) => isSecret);
  expect(secrets.map(([name]) => name).sort()).toEqual([...destinationKinds[type].secrets].sort());
});

test.each(destinationTypes)("%s: files are said to be files", type => {
  expect(destinations[type].unit === "file").toBe(destinationKinds[type].inFiles);
});

const server = { host: "db.test", database: "shop", user: "u", password: " p " };
const written = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`destination.${name}`, value]));
const stored = { type: "postgresql", ...server, password: "•••" } as DestinationOptions;

test.each<[DestinationType, object, object]>([
  ["folder", { path: "" }, {}],
  ["folder", { path: " shop/eu ", bucket: "of another type" }, { path: "shop/eu" }],
  ["postgresql", { ...server, port: "", tls: "true", ca: "" }, { ...server, tls: true }],
  ["postgresql", { ...server, port: "6432", tls: "false" }, { ...server, port: 6432, tls: false }],
  [
    "nats",
    { host: "n", subject: "s", user: "", password: "", token: "t" },
    { host: "n", subject: "s", token: "t" },
  ],
])("the fields of a %s %j make %j", (type, values, made) => {
  expect(destinationOf(type, written(values), null)).toEqual({ type, ...made });
});

test("a secret that is not touched is sent back as it is shown, and half of one is refused", () => {
  const sent = (password: string) => destinationOf("postgresql", written({ ...server, password }), stored);
  expect(sent("•••")).toMatchObject({ password: "•••" });
  expect(sent("new")).toMatchObject({ password: "new" });
  expect(() => sent("•••new")).toThrow("Password: type all of it again, for what is stored is not shown.");
  expect(destinationOf("postgresql", written({ ...server, password: "•" }), null)).toMatchObject({
    password: "•",
  });
});
