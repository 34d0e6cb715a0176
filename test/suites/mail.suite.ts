import { MailClient, type MailWorld, newAddress } from "../support/mail-client.ts";
import { linkIn } from "../support/mail-server.ts";
import { until } from "../support/until.ts";

/** Addresses of mail as endpoints, over HTTP and SMTP. */
export function mailSuite(worldOf: () => MailWorld): void {
  let client: MailClient;

  beforeEach(async () => {
    worldOf().server.behave(() => undefined);
    client = await MailClient.open(worldOf());
  });

  const subjects = (address: string) =>
    client.newsTo(address).map(({ headers }) => headers.get("subject")?.[0]);

  test("an address is asked, gets events, then digests, and ends it", async () => {
    const address = newAddress();
    const endpoint = await client.addConfirmed(address);
    await client.append("Ravens");
    await until("the event came", () => subjects(address).includes("Ravens"));
    await client.change(endpoint.id, { digest: "1h" });
    await client.append("Rooks", "Jays", "Crows");
    await client.digestDue();
    await until("the digest came", () => client.newsTo(address).length === 2);
    expect(subjects(address)[1]).toBe("3 events: Rooks");
    await until("it is done", async () => (await client.lane())?.position === 4);
    const link = linkIn(client.newsTo(address)[1], "unsubscribe");
    expect((await client.visit("POST", link)).status).toBe(200);
    expect(await client.show(endpoint.id)).toMatchObject({ status: "DISABLED" });
    await client.append("Magpies");
    expect(await client.change(endpoint.id, { enabled: true })).toMatchObject({ status: "UNCONFIRMED" });
    const again = linkIn(await client.question(address, 1), "confirm");
    expect((await client.visit("POST", again)).status).toBe(200);
    await client.digestDue();
    await until("what was kept came", () => client.newsTo(address).length === 3);
    expect(subjects(address)[2]).toBe("Magpies");
  });

  test("changes do not put a digest off, and another interval begins anew", async () => {
    const address = newAddress();
    const endpoint = await client.addConfirmed(address, { digest: "1d" });
    await client.append("Ravens");
    const dueAt = async () => (await client.lane())?.digest?.dueAt;
    await until("it has its time", async () => (await dueAt()) !== undefined);
    const before = await dueAt();
    await client.change(endpoint.id, { name: "another", event_types: ["rss.item.created"] });
    expect(await dueAt()).toBe(before);
    await client.change(endpoint.id, { digest: "15m" });
    await until("it has another time", async () => {
      const at = await dueAt();
      return at !== undefined && at < Date.now() + 900_000;
    });
    expect(client.newsTo(address)).toEqual([]);
    await client.digestDue();
    await until("it came", () => subjects(address).includes("Ravens"));
  });

  test("a replay of a digest that waits, with events that are to come again, is one digest of both", async () => {
    const address = newAddress();
    const endpoint = await client.addConfirmed(address);
    await client.append("One", "Two");
    await until("they came", () => client.newsTo(address).length === 2);
    await until("they are done", async () => (await client.lane())?.position === 2);
    await client.change(endpoint.id, { digest: "1h" });
    const since = new Date().toISOString();
    await client.append("Three");
    await until("it waits", async () => Boolean((await client.lane())?.digest));
    const delivered = async () => {
      const reply = await client.ask("GET", `/webhooks/${endpoint.id}/deliveries`);
      return reply.json<{ data: { event_id: string; seq: number }[] }>().data;
    };
    await until("they are listed", async () => (await delivered()).length === 2);
    const [first] = (await delivered()).filter(({ seq }) => seq === 1);
    const again = { event_ids: [first?.event_id] };
    expect((await client.ask("POST", `/webhooks/${endpoint.id}/replay`, again)).status).toBe(200);
    expect((await client.ask("POST", `/webhooks/${endpoint.id}/replay`, { since })).status).toBe(200);
    await client.digestDue();
    await until("the digest came", () => client.newsTo(address).length === 3);
    expect(subjects(address)[2]).toBe("2 events: One");
  });

  test("an old link does not agree once more, and one may unsubscribe an address that the endpoint had", async () => {
    const [address, other] = [newAddress(), newAddress()];
    const endpoint = await client.addConfirmed(address);
    await client.append("Ravens");
    await until("it came", () => client.newsTo(address).length === 1);
    const confirm = linkIn(await client.question(address), "confirm");
    const unsubscribe = linkIn(client.newsTo(address)[0], "unsubscribe");
    expect((await client.visit("POST", unsubscribe)).status).toBe(200);
    expect((await client.visit("POST", confirm)).status).toBe(404);
    expect(await client.change(endpoint.id, { enabled: true })).toMatchObject({ status: "UNCONFIRMED" });
    const second = linkIn(await client.question(address, 1), "confirm");
    expect((await client.visit("POST", second)).status).toBe(200);

    await client.change(endpoint.id, { url: `mailto:${other}` });
    const page = await client.visit("POST", unsubscribe);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(address)]);
    expect(page.text).not.toContain(other);
    expect(await client.show(endpoint.id)).toMatchObject({ status: "UNCONFIRMED" });
    const back = await client.change(endpoint.id, { url: `mailto:${address}` });
    expect(back).toMatchObject({ status: "UNCONFIRMED" });
    await client.question(address, 2);
  });

  test("what is refused or asks nobody uses up no question", async () => {
    const address = newAddress();
    const url = `mailto:${address}`;
    for (let tries = 0; tries < 4; tries += 1)
      expect((await client.ask("POST", "/webhooks", { url, format: "slack" })).status).toBe(400);
    const endpoint = await client.add(newAddress(), { enabled: false });
    for (let tries = 0; tries < 4; tries += 1) {
      await client.change(endpoint.id, { url });
      await client.change(endpoint.id, { url: `mailto:${newAddress()}` });
      const misfit = await client.ask("PATCH", `/webhooks/${endpoint.id}`, {
        url,
        enabled: true,
        headers: { "x-a": "b" },
      });
      expect(misfit.status).toBe(400);
    }
    await client.add(address);
    await client.question(address);
  });

  test("what the server says of itself is shown to nobody", async () => {
    const address = newAddress();
    const endpoint = await client.addConfirmed(address);
    worldOf().server.behave(({ stage }) =>
      stage === "connect" ? "554 5.7.1 Not from relay-account" : undefined,
    );
    await client.append("Ravens");
    const listed = async () => (await client.ask("GET", `/webhooks/${endpoint.id}/deliveries`)).text;
    await until("it has failed", async () => (await listed()).includes('"failed"'));
    expect(await listed()).not.toContain("relay-account");
    worldOf().server.behave(() => undefined);
    await until("it came", () => subjects(address).includes("Ravens"));
  });

  test("a test event does not wait for the digest, and is in none; one that failed is", async () => {
    const address = newAddress();
    const endpoint = await client.addConfirmed(address, { digest: "1d" });
    await client.append("Ravens");
    const tested = async () => (await client.ask("POST", `/webhooks/${endpoint.id}/test`)).text;
    expect(await tested()).toContain("sent by itself");
    expect(subjects(address)).toEqual(["Test event"]);
    worldOf().server.behave(({ stage }) => (stage === "recipient" ? "450 4.2.0 Later" : undefined));
    expect(await tested()).toContain("answered 450");
    worldOf().server.behave(() => undefined);
    await client.digestDue();
    await until("the digest came", () => client.newsTo(address).length === 2);
    expect(subjects(address)[1]).toBe("2 events: Ravens");
    await until("all is done", async () => (await client.lane())?.position === 3);
    const listed = await client.ask("GET", `/webhooks/${endpoint.id}/deliveries`);
    expect(listed.text).toContain('"http_status":450');
  });

  test("addresses whose server does not answer hold up no question of another key", async () => {
    const { server } = worldOf();
    const isSlow = (to: string) => to.startsWith("slow.");
    server.hold(() => isSlow(server.mails.at(-1)?.to ?? ""));
    const slow = await MailClient.open(worldOf());
    for (let n = 0; n < 6; n += 1) await slow.add(`slow.${newAddress()}`);
    const held = () => server.mails.filter(({ to }) => isSlow(to)).length;
    await until("the first have come to the server", () => held() > 1);
    const address = newAddress();
    await client.addConfirmed(address);
    await client.append("Ravens");
    await until("it came", () => client.newsTo(address).length === 1);
    expect(held()).toBeLessThanOrEqual(2 * worldOf().nodes.length);
    server.hold(() => false);
  });
}
