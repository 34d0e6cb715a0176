import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { type ChannelEntity, type GuildEntity, type MessageEntity, nextId, toGuildCreate } from "./guilds.ts";

interface Session {
  id: string;
  intents: number;
  /** What it was sent, or would have been while nobody was connected. */
  sent: { t: string; s: number; d: unknown }[];
  socket: WebSocket | undefined;
}

interface Received {
  op: number;
  d: { token: string; intents: number; session_id: string; seq: number };
}

const op = {
  dispatch: 0,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  ack: 11,
  heartbeat: 1,
};
const intent = { guildMessages: 1 << 9, messageContent: 1 << 15 };

/** The live side of the stand-in (docs.discord.com, "Gateway"). */
export class FakeGateway {
  url = "";
  /** Where sessions are to be gone on with, if elsewhere. */
  resumeUrl: string | undefined;
  isCut = false;
  /** Milliseconds between heartbeats. */
  heartbeatMs = 45_000;
  answersHeartbeats = true;
  /** Whether lost sessions can be gone on with. */
  resumes = true;
  /** What closes the next connection that identifies. */
  closeWith: number | undefined;
  /** Of every handshake. */
  readonly userAgents: (string | undefined)[] = [];
  readonly identified: number[] = [];
  resumed = 0;
  readonly #token: string;
  readonly #guilds: GuildEntity[];
  #sessions: Session[] = [];
  readonly #server = new WebSocketServer({ noServer: true });

  constructor(token: string, guilds: GuildEntity[]) {
    this.#token = token;
    this.#guilds = guilds;
  }

  get connections(): number {
    return this.#server.clients.size;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.userAgents.push(request.headers["user-agent"]);
    if (this.isCut) socket.destroy();
    else this.#server.handleUpgrade(request, socket, head, opened => this.#greet(opened));
  }

  /** Breaks what stands. */
  cut(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  /** Asks everyone to connect again, as Discord does now and then. */
  askToReconnect(): void {
    for (const socket of this.#server.clients) this.#send(socket, { op: op.reconnect, d: null });
  }

  /** Sends a text as it is. */
  say(text: string): void {
    for (const socket of this.#server.clients) socket.send(text);
  }

  message(
    sent: MessageEntity,
    { guild_id }: ChannelEntity,
    t: "MESSAGE_CREATE" | "MESSAGE_UPDATE" = "MESSAGE_CREATE",
  ): void {
    for (const session of this.#sessions) {
      if (!(session.intents & intent.guildMessages)) continue;
      const content = session.intents & intent.messageContent ? sent.content : "";
      this.#dispatch(session, t, { ...sent, content, guild_id });
    }
  }

  removed(ids: string[], { id: channel_id, guild_id }: ChannelEntity): void {
    const place = { channel_id, guild_id };
    for (const session of this.#sessions)
      if (ids.length === 1) this.#dispatch(session, "MESSAGE_DELETE", { id: ids[0], ...place });
      else this.#dispatch(session, "MESSAGE_DELETE_BULK", { ids, ...place });
  }

  guild(t: "GUILD_CREATE" | "GUILD_DELETE", d: object): void {
    for (const session of this.#sessions) this.#dispatch(session, t, d);
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #greet(socket: WebSocket): void {
    socket.on("message", data => this.#answer(socket, JSON.parse(String(data)) as Received));
    this.#send(socket, { op: op.hello, d: { heartbeat_interval: this.heartbeatMs } });
  }

  #answer(socket: WebSocket, { op: code, d }: Received): void {
    if (code === op.heartbeat) {
      if (this.answersHeartbeats) this.#send(socket, { op: op.ack });
    } else if (d.token !== this.#token) socket.close(4004, "Authentication failed.");
    else if (this.closeWith !== undefined) socket.close(this.closeWith);
    else if (code === op.identify) this.#identify(socket, d.intents);
    else if (code === op.resume) this.#resume(socket, d);
  }

  #identify(socket: WebSocket, intents: number): void {
    this.identified.push(intents);
    const session: Session = { id: nextId(), intents, sent: [], socket };
    this.#sessions = [session];
    const members = this.#guilds.filter(({ isMember }) => isMember);
    this.#dispatch(session, "READY", {
      v: 10,
      session_id: session.id,
      resume_gateway_url: this.resumeUrl ?? this.url,
      guilds: members.map(({ id }) => ({ id, unavailable: true })),
    });
    for (const each of members) this.#dispatch(session, "GUILD_CREATE", toGuildCreate(each));
  }

  #resume(socket: WebSocket, { session_id, seq }: Received["d"]): void {
    const session = this.#sessions.find(({ id }) => id === session_id);
    if (!session || !this.resumes) {
      this.#send(socket, { op: op.invalidSession, d: false });
      return;
    }
    this.resumed += 1;
    session.socket = socket;
    for (const each of session.sent.filter(({ s }) => s > seq))
      this.#send(socket, { op: op.dispatch, ...each });
    this.#dispatch(session, "RESUMED", {});
  }

  #dispatch(session: Session, t: string, d: unknown): void {
    const event = { t, s: session.sent.length + 1, d };
    session.sent.push(event);
    if (session.socket) this.#send(session.socket, { op: op.dispatch, ...event });
  }

  #send(socket: WebSocket, payload: object): void {
    socket.send(JSON.stringify(payload), () => undefined);
  }
}
