import { hostCheck } from "../../../services/api/http/hosts.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

function verdict(host: string | undefined, hosts: string[] = [], publicUrl?: string): unknown {
  try {
    hostCheck(hosts, publicUrl)(host);
    return "passes";
  } catch (error) {
    return codeOf(error);
  }
}

const passing = [
  undefined,
  ...[
    "127.0.0.1:3000",
    "127.0.0.1",
    "[::1]:3000",
    "[fd00::7]",
    "10.244.1.7:3001",
    "192.168.1.5:3000",
    "203.0.113.9",
  ],
  ...[
    "localhost:3000",
    "LOCALHOST",
    "localhost.",
    "app.localhost:3000",
    "magpie:3000",
    "mybox",
    "mybox.local:3000",
  ],
  ...["magpie-api.magpie.svc", "magpie-api.magpie.svc.cluster.local:3000", "gateway.internal", "box.lan"],
];

test.each(passing.map(host => [host]))("%s is a name that no page on the web can have", host => {
  expect(verdict(host)).toBe("passes");
});

test.each([
  ...["rebind.example", "rebind.example:3000", "127.0.0.1.nip.io", "localhost.evil.example", "evil.example."],
  ...["xlocal.example", "magpie.example.com", "a.svc.example"],
])("%s is refused unless it is named", host => {
  expect(verdict(host)).toBe("misdirected_request");
  const [name = ""] = host.split(":");
  expect(verdict(host, [name.replace(/\.$/, "")])).toBe("passes");
  expect(verdict(host, ["*"])).toBe("passes");
});

test("PUBLIC_URL names the gateway, with any port, and no name beside it", () => {
  const url = "https://magpie.example.com";
  expect(verdict("magpie.example.com", [], url)).toBe("passes");
  expect(verdict("Magpie.Example.com:8443", [], url)).toBe("passes");
  expect(verdict("www.magpie.example.com", [], url)).toBe("misdirected_request");
});

test("a star before a name is for all below it", () => {
  const hosts = ["*.example.com"];
  expect(
    ["a.example.com", "a.b.example.com", "example.com", "aexample.com"].map(host => verdict(host, hosts)),
  ).toEqual(["passes", "passes", "misdirected_request", "misdirected_request"]);
});

test("a name that was refused once is refused again, and so is one after a name that passed", () => {
  const check = hostCheck([], undefined);
  const ask = (host: string) => {
    try {
      check(host);
      return true;
    } catch {
      return false;
    }
  };
  expect(["evil.example", "evil.example", "localhost", "evil.example", "localhost"].map(ask)).toEqual([
    false,
    false,
    true,
    false,
    true,
  ]);
});
