import { createServer, type Server } from "node:net";
import { smtpMailer } from "../../../mixins/mail/mailer.ts";
import { serverOf } from "../../../mixins/mail/smtp.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { until } from "../../support/until.ts";

const from = { name: "", address: "magpie@example.com" };
const mail = { to: "person@example.org", subject: "s", text: "t", id: "i" };
const never = new AbortController().signal;

test("what the server says is told apart: accepted, refused for now or for good, and of whom", async () => {
  const server = await startMailServer();
  const mailer = smtpMailer({ url: server.url, from });
  const send = () => mailer.send(mail, "k", never);
  expect(await send()).toEqual({ result: "accepted", code: 250, text: expect.stringContaining("250") });
  server.behave(({ stage }) => (stage === "recipient" ? "550 5.1.1 Nobody" : undefined));
  const refused = { result: "refused", code: 550, stage: "recipient", isFinal: true };
  expect(await send()).toMatchObject(refused);
  server.behave(({ stage }) => (stage === "content" ? "452 4.3.1 Full" : undefined));
  expect(await send()).toMatchObject({ ...refused, code: 452, stage: "content", isFinal: false });
  server.behave(({ stage }) => (stage === "connect" ? "554 5.7.1 Not you" : undefined));
  expect(await send()).toMatchObject({ result: "refused", stage: "session" });
  expect(server.mails).toHaveLength(1);
  await server.close();
  expect(await send()).toEqual({ result: "unsent", reason: "connection" });
});

test("a wrong password is no refusal of the mail, and is in no answer", async () => {
  const server = await startMailServer({ login: "magpie:right" });
  const url = server.url.replace("right", "s%40cret");
  const receipt = await smtpMailer({ url, from }).send(mail, "k", never);
  expect(receipt).toEqual({ result: "unsent", reason: "connection" });
  await server.close();
});

test("a server that says nothing is left in time, at a signal, and when the process stops", async () => {
  const silent = await startSilent();
  const mailer = smtpMailer({ url: silent.url, from, exchangeMs: 50 });
  expect(await mailer.send(mail, "k", never)).toEqual({ result: "unsent", reason: "timeout" });
  const patient = smtpMailer({ url: silent.url, from });
  const stop = new AbortController();
  const sent = patient.send(mail, "k", stop.signal);
  await until("it is connected", () => silent.connections() === 1);
  stop.abort(new Error("over"));
  expect(await sent).toEqual({ result: "unsent", reason: "connection" });
  await until("it has hung up", () => silent.connections() === 0);

  const many = new AbortController();
  const all = Array.from({ length: 6 }, () => patient.send(mail, "k", many.signal));
  await until("as many as one key may", () => silent.connections() === 4);
  const other = patient.send(mail, "another key", many.signal);
  await until("another key has a place", () => silent.connections() === 5);
  patient.close();
  expect(await Promise.race(all)).toEqual({ result: "unsent", reason: "connection" });
  expect(await patient.send(mail, "k", never)).toEqual({ result: "unsent", reason: "connection" });
  many.abort(new Error("over"));
  await Promise.all([...all, other]);
  silent.server.close();
});

test("a password goes out over TLS only, except to this machine", () => {
  const tls = (url: string) => {
    const { secure, requireTLS } = serverOf(url).options;
    return { secure, requireTLS };
  };
  expect(tls("smtp://u:p@mail.test:587")).toEqual({ secure: false, requireTLS: true });
  expect(tls("smtps://u:p@mail.test")).toEqual({ secure: true, requireTLS: false });
  expect(tls("smtp://mail.test:25")).toEqual({ secure: false, requireTLS: false });
  expect(tls("smtp://u:p@127.0.0.1:25")).toEqual({ secure: false, requireTLS: false });
  expect(serverOf("smtps://a%40b:p%3Aq@mail.test").login).toEqual({ user: "a@b", pass: "p:q" });
  expect(serverOf("smtp://[::1]:25").options.host).toBe("::1");
});

/** Takes connections and says nothing. */
async function startSilent(): Promise<{ url: string; server: Server; connections: () => number }> {
  let count = 0;
  const server = createServer(socket => {
    count += 1;
    socket.on("error", () => undefined);
    socket.resume();
    socket.once("close", () => {
      count -= 1;
    });
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, server, connections: () => count };
}
