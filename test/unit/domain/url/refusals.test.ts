import { parseAllowList } from "../../../../services/domain/url/address-policy.ts";
import { admitUrl } from "../../../../services/domain/url/admit-url.ts";
import {
  permittingSetting,
  type RefusalRule,
  refusalMessage,
  refusalReasons,
} from "../../../../services/domain/url/refusals.ts";

/** What is refused, the rules that refuse it, and the settings that would permit it. */
const table: [url: string, rules: RefusalRule[], settings: string[]][] = [
  ["ftp://files.example/", ["scheme"], []],
  ["javascript:alert(1)", ["scheme"], []],
  ["https://user:password@example.com/", ["credentials"], []],
  ["https://user@example.com/", ["credentials"], []],
  ["https://example.com:22/", ["port"], ["EGRESS_ALLOW=example.com:22"]],
  ["https://10.0.0.7:25/", ["port"], ["EGRESS_ALLOW=10.0.0.7:25"]],
  ["https://127.0.0.1:8080/", ["loopback_address"], ["EGRESS_ALLOW=127.0.0.1:8080"]],
  ["https://0x7f.1/", ["loopback_address"], ["EGRESS_ALLOW=127.0.0.1:443"]],
  ["https://[::1]:9000/", ["loopback_address"], ["EGRESS_ALLOW=[::1]:9000"]],
  ["https://10.0.0.1/", ["private_address"], ["EGRESS_ALLOW=10.0.0.1:443"]],
  ["https://172.20.0.1/", ["private_address"], ["EGRESS_ALLOW=172.20.0.1:443"]],
  ["https://192.168.10.7/", ["private_address"], ["EGRESS_ALLOW=192.168.10.7:443"]],
  ["https://[fd00::1]/", ["private_address"], ["EGRESS_ALLOW=[fd00::1]:443"]],
  ["https://169.254.169.254/", ["link_local_address"], ["EGRESS_ALLOW=169.254.169.254:443"]],
  ["https://[fe80::1]/", ["link_local_address"], ["EGRESS_ALLOW=[fe80::1]:443"]],
  ["https://0.0.0.0/", ["reserved_address"], ["EGRESS_ALLOW=0.0.0.0:443"]],
  ["https://100.64.0.1/", ["reserved_address"], ["EGRESS_ALLOW=100.64.0.1:443"]],
  ["https://224.0.0.1/", ["reserved_address"], ["EGRESS_ALLOW=224.0.0.1:443"]],
  ["https://[::ffff:10.0.0.1]/", ["reserved_address"], ["EGRESS_ALLOW=[::ffff:a00:1]:443"]],
  ["https://localhost:3000/", ["internal_name"], ["EGRESS_ALLOW=localhost:3000"]],
  ["https://wiki/", ["internal_name"], ["EGRESS_ALLOW=wiki:443"]],
  ["https://printer.local/", ["internal_name"], ["EGRESS_ALLOW=printer.local:443"]],
  ["http://example.com/", ["https_only"], ["WEBHOOK_ALLOW_HTTP=true"]],
  [
    "http://192.168.1.5:8080/hook",
    ["private_address", "https_only"],
    ["EGRESS_ALLOW=192.168.1.5:8080", "WEBHOOK_ALLOW_HTTP=true"],
  ],
  [
    "http://user@laptop/",
    ["credentials", "internal_name", "https_only"],
    ["EGRESS_ALLOW=laptop:80", "WEBHOOK_ALLOW_HTTP=true"],
  ],
];

const nothing = parseAllowList([]);

test.each(table)("%s is refused by %j", (text, rules) => {
  expect(admitUrl(text, nothing, { onlyHttps: true })).toMatchObject({ admitted: false, rules });
});

test.each(table)("what is refused at %s is permitted by %j", (_text, rules, settings) => {
  const url = new URL(_text);
  const port = Number(url.port || (url.protocol === "http:" ? 80 : 443));
  const host = url.hostname.replace(/^\[|\]$/g, "");
  expect(rules.flatMap(rule => permittingSetting(rule, host, port) ?? [])).toEqual(settings);
  if (settings.length === 0 || rules.includes("credentials")) return;
  const entry = settings.find(setting => setting.startsWith("EGRESS_ALLOW="))?.slice("EGRESS_ALLOW=".length);
  const onlyHttps = !settings.includes("WEBHOOK_ALLOW_HTTP=true");
  const allow = parseAllowList(entry === undefined ? [] : [entry]);
  expect(admitUrl(_text, allow, { onlyHttps }).admitted).toBe(true);
});

test("every rule that a spelling breaks is in the table", () => {
  const named = new Set(table.flatMap(([, rules]) => rules));
  const spelt = Object.keys(refusalReasons).filter(rule => rule !== "resolved_address");
  expect([...named].sort()).toEqual(spelt.sort());
});

test.each([
  [
    refusalMessage(["private_address"]),
    "This URL is not allowed: its address belongs to a private network. See /guide/your-own-network.",
  ],
  [
    refusalMessage(["scheme"], "redirect"),
    "The page redirects to a URL that is not allowed: only http and https URLs are requested.",
  ],
  [
    refusalMessage(["port"]),
    "This URL is not allowed: its port is one that browsers refuse, as 6000, 6665 to 6669 and 10080 are. See /guide/your-own-network.",
  ],
  [
    refusalMessage(["resolved_address"], "page"),
    "The page leads to a URL that is not allowed: its name does not lead to the public internet. See /guide/your-own-network.",
  ],
  [
    refusalMessage(["internal_name", "https_only"]),
    "This URL is not allowed: its name belongs to a private network: it has no dot, or an ending such as .local or .internal, and only https URLs are accepted here, because a webhook carries what you track. See /guide/your-own-network.",
  ],
])("a refusal in words: %s", (message, expected) => expect(message).toBe(expected));
