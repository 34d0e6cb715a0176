import type { ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killed, order, startChild } from "../support/child-process.ts";
import { removeFolder } from "../support/folders.ts";
import { linkIn, type MailServer, startMailServer } from "../support/mail-server.ts";
import { until } from "../support/until.ts";
import type { MailOrder } from "./mail.process.ts";

const address = "person@example.org";

test("kill -9 before a digest and in the middle of it loses nothing; its copy is the same mail", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-mail-kill-"));
  const server = await startMailServer();
  let child = await start(dataDir, server);
  const restart = async () => {
    await killed(child);
    child = await start(dataDir, server);
  };
  const tell = (what: MailOrder) => order(child, what);
  const news = () => server.mails.filter(({ headers }) => headers.has("list-unsubscribe"));
  try {
    await tell({ add: `mailto:${address}` });
    await until("the owner is asked", () => server.mails.length > 0);
    const token = linkIn(server.mails[0], "confirm").split("/").at(-1) ?? "";
    await restart();
    await tell({ confirm: token });
    await tell({ append: items("early", 20) });
    await tell({ waits: true });
    await restart();
    await tell({ append: items("late", 10) });
    // The server takes the mail and does not say so before the process dies.
    let taken = 0;
    const killing: Promise<void>[] = [];
    server.hold(() => {
      taken += 1;
      if (taken === 1) killing.push(killed(child));
      return taken === 1;
    });
    await tell({ due: true }).catch(() => undefined);
    await until("it was taken", () => taken === 1);
    await Promise.all(killing);
    child = await start(dataDir, server);
    await tell({ append: items("after", 5) });
    await until("the copy came", () => news().length === 2);
    const [one, copy] = news();
    expect(copy?.id).toBe(one?.id);
    expect(copy?.headers.get("subject")).toEqual(["30 events: early 0"]);
    expect(shownIn(copy)).toEqual([...titles("early", 20), ...titles("late", 10)]);
    await tell({ due: true });
    await until("the rest came", () => news().length === 3);
    expect(shownIn(news()[2])).toEqual(titles("after", 5));
    expect(news()[2]?.id).not.toBe(one?.id);
  } finally {
    await killed(child);
    await server.close();
    await removeFolder(dataDir);
  }
});

function titles(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${name} ${n}`);
}

function shownIn(mail: { parts: Map<string, string> } | undefined): string[] {
  return mail?.parts.get("text/plain")?.match(/^(early|late|after) \d+$/gm) ?? [];
}

function items(name: string, count: number) {
  return titles(name, count).map(title => ({
    bodyId: title,
    type: "rss.item.created" as const,
    timestamp: new Date().toISOString(),
    data: {
      source: { id: "a", source: "RSS", externalId: "https://a.test/", username: "a", name: "A" },
      item: { id: title, title },
    },
  }));
}

function start(dataDir: string, server: MailServer): Promise<ChildProcess> {
  return startChild(join(import.meta.dirname, "mail.process.ts"), [dataDir, server.url]);
}
