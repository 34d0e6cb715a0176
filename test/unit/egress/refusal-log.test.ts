import { createRefusalLog } from "../../../mixins/egress/egress.mixin.ts";
import type { RefusalRule } from "../../../services/domain/url/refusals.ts";

function world() {
  const lines: [string, Record<string, unknown>][] = [];
  const clock = { now: 0 };
  const logger = {
    warn: (...args: unknown[]) => void lines.push(args as [string, Record<string, unknown>]),
  } as unknown as Parameters<typeof createRefusalLog>[0];
  const log = createRefusalLog(logger, () => clock.now);
  const refuse = (host: string, rule: RefusalRule = "private_address", port = 80) =>
    log({ host, port, rules: [rule] });
  return { lines, clock, refuse };
}

test("names the host, the rule and the setting that would permit it", () => {
  const { lines, refuse } = world();
  refuse("[::1]", "loopback_address", 8080);
  refuse("wiki.corp", "resolved_address", 443);
  refuse("hooks.example", "https_only");
  expect(lines).toEqual([
    [
      "egress.refused",
      { host: "::1", port: 8080, rules: ["loopback_address"], permittedBy: "EGRESS_ALLOW=[::1]:8080" },
    ],
    [
      "egress.refused",
      {
        host: "wiki.corp",
        port: 443,
        rules: ["resolved_address"],
        permittedBy: "EGRESS_ALLOW=wiki.corp:443",
      },
    ],
    [
      "egress.refused",
      { host: "hooks.example", port: 80, rules: ["https_only"], permittedBy: "WEBHOOK_ALLOW_HTTP=true" },
    ],
  ]);
});

test("what no setting permits is not logged", () => {
  const { lines, refuse } = world();
  refuse("files.example", "scheme");
  refuse("user.example", "credentials");
  expect(lines).toEqual([]);
});

test("once per host and minute", () => {
  const { lines, clock, refuse } = world();
  for (clock.now = 0; clock.now < 60_000; clock.now += 1000) refuse("10.0.0.1");
  expect(lines).toHaveLength(1);
  refuse("10.0.0.2");
  refuse("10.0.0.1");
  expect(lines.map(([, { host }]) => host)).toEqual(["10.0.0.1", "10.0.0.2", "10.0.0.1"]);
  refuse("10.0.0.1");
  expect(lines).toHaveLength(3);
});

test("a flood of hosts fills neither the log nor the memory, and the next line has its size", () => {
  const { lines, clock, refuse } = world();
  for (let host = 0; host < 1000; host++) refuse(`10.0.${host >> 8}.${host & 255}`);
  expect(lines).toHaveLength(100);
  clock.now = 60_000;
  refuse("10.0.0.1");
  expect(lines.at(-1)?.[1]).toMatchObject({ host: "10.0.0.1", unlogged: 900 });
  refuse("10.0.0.2");
  expect(lines.at(-1)?.[1]).not.toHaveProperty("unlogged");
});
