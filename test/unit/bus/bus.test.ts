import { randomBytes } from "node:crypto";
import { isPart, MessageAssembly, partsOf, senderOf } from "../../../mixins/bus/message-parts.ts";
import { natsOptions } from "../../../mixins/bus/nats-client.ts";

describe("how NATS is reached", () => {
  test.each([
    ["nats://nats.example:4222", { servers: ["nats.example:4222"] }],
    ["nats://me:p%40ss@nats.example", { servers: ["nats.example"], user: "me", pass: "p@ss" }],
    ["nats://s3cret@nats.example", { servers: ["nats.example"], token: "s3cret" }],
    ["tls://a.example:1,tls://b.example:2", { servers: ["a.example:1", "b.example:2"], tls: {} }],
    [
      "nats://a.example:1, nats://u:p@b.example:2",
      { servers: ["a.example:1", "b.example:2"], user: "u", pass: "p" },
    ],
  ])("%s", (url, expected) => {
    expect(natsOptions(url)).toEqual({ timeout: expect.any(Number), ...expected });
  });
});

describe("messages in parts", () => {
  const most = 1000;

  test("come out as they went in, also when those of two are mixed", async () => {
    const messages = [randomBytes(5500), randomBytes(3300)];
    const [first = [], second = []] = await Promise.all(
      messages.map(message => partsOf(message, most, "näme-1")),
    );
    expect(first.every(part => part.length <= most && isPart(part))).toBe(true);
    expect(new Set([...first, ...second].map(senderOf))).toEqual(new Set(["näme-1"]));
    const assembly = new MessageAssembly();
    const whole: Buffer[] = [];
    for (let at = 0; at < first.length; at += 1)
      for (const part of [first[at], second[at]]) {
        const message = part && (await assembly.add(part));
        if (message) whole.push(message);
      }
    expect(whole.map(message => message.toString("hex")).sort()).toEqual(
      messages.map(message => message.toString("hex")).sort(),
    );
    expect(assembly.size).toBe(0);
  });

  test("are forgotten when they never become whole", async () => {
    let now = 0;
    const assembly = new MessageAssembly(() => now);
    const [cutOff = Buffer.of()] = await partsOf(randomBytes(5000), most, "a");
    await assembly.add(cutOff);
    now = 61_000;
    const [later = Buffer.of()] = await partsOf(randomBytes(5000), most, "a");
    await assembly.add(later);
    expect(assembly.size).toBe(1);
  });

  test("are no JSON", () => {
    expect(isPart(Buffer.from('{"ver":"5"}'))).toBe(false);
  });
});
