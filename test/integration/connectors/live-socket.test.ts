import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { jest } from "@jest/globals";
import { type WebSocket, WebSocketServer } from "ws";
import { dialSocket, keepSocket, type LiveSocket } from "../../../services/connectors/social/live-socket.ts";
import { isRefusal, refusal } from "../../../services/connectors/social/social-connector.ts";
import { ownCooldowns } from "../../fakes/cooldowns.ts";
import { until } from "../../support/until.ts";

const tools = {
  now: Date.now,
  random: Math.random,
  logger: console,
  cooldowns: ownCooldowns(),
  reconnectMs: 5,
};

/** All but intervals, of which the only one is that of the pings. */
const intervalsAlone: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: [
    "Date",
    "hrtime",
    "nextTick",
    "performance",
    "queueMicrotask",
    "setImmediate",
    "clearImmediate",
    "setTimeout",
    "clearTimeout",
  ],
};

describe("a held socket", () => {
  let server: Server;
  let peers: WebSocket[];
  let handshakes: IncomingHttpHeaders[];
  /** HTTP status of the next handshakes; else they succeed. */
  let refusals: number[];
  let told: string[];
  let ending: AbortController;
  const webSockets = new WebSocketServer({ noServer: true, autoPong: false });

  beforeEach(async () => {
    [peers, handshakes, refusals, told, ending] = [[], [], [], [], new AbortController()];
    server = createServer();
    server.on("upgrade", (request, socket: Socket, head) => {
      handshakes.push(request.headers);
      const status = refusals.shift();
      if (status) return void socket.end(`HTTP/1.1 ${status} No\r\nconnection: close\r\n\r\n`);
      webSockets.handleUpgrade(request, socket, head, peer => peers.push(peer));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(async () => {
    jest.useRealTimers();
    ending.abort();
    for (const peer of peers) peer.terminate();
    server.close();
    await once(server, "close");
  });

  const address = () => new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const hold = (change: Partial<LiveSocket> = {}) =>
    keepSocket(
      {
        dial: async () => dialSocket(address()),
        onOpen: async () => void told.push("open"),
        onMessage: async data => void told.push(data.toString()),
        onLost: () => told.push("lost"),
        errorOfStatus: status => (status === 401 ? refusal("no") : new Error(`status ${status}`)),
        ...change,
      },
      tools,
      ending.signal,
    );
  const stands = (times: number) => until("it stands", () => peers.length === times && told.includes("open"));

  test("says who connects", async () => {
    const held = hold();
    await until("it connects", () => peers.length === 1);
    expect(handshakes[0]?.["user-agent"]).toMatch(/^Magpie\//);
    ending.abort();
    await held;
  });

  test("hands on what comes while it is being opened, afterwards and in order", async () => {
    const gate = Promise.withResolvers<void>();
    const held = hold({
      onOpen: async () => {
        await gate.promise;
        told.push("open");
      },
    });
    await until("it connects", () => peers.length === 1);
    for (const text of ["a", "b"]) peers[0]?.send(text);
    await new Promise(resolve => peers[0]?.send("c", resolve));
    gate.resolve();
    await until("all are told", () => told.includes("c"));
    expect(told).toEqual(["open", "a", "b", "c"]);
    ending.abort();
    await held;
  });

  test("reports a loss once, however many attempts follow, and reconnects", async () => {
    const held = hold();
    await stands(1);
    refusals = [503, 429, 503];
    peers[0]?.close();
    await until("it stands again", () => told.filter(each => each === "open").length === 2);
    ending.abort();
    await held;
    expect(told).toEqual(["open", "lost", "open"]);
    expect(refusals).toEqual([]);
  });

  test.each(["dial", "onOpen"] as const)("what %s throws is a loss, and it is tried again", async step => {
    let calls = 0;
    const failOnce = () => {
      calls += 1;
      if (calls === 1) throw new Error("not now");
    };
    const dial = async () => {
      failOnce();
      return dialSocket(address());
    };
    const held = hold(step === "dial" ? { dial } : { onOpen: async () => failOnce() });
    await until("it connects again", () => calls === 2);
    ending.abort();
    await held;
    expect(told.filter(each => each === "lost")).toHaveLength(1);
  });

  test("what a message does wrong ends the connection", async () => {
    const held = hold({
      onMessage: async () => {
        throw new Error("no");
      },
    });
    await stands(1);
    peers[0]?.send("x");
    await until("it stands again", () => peers.length === 2);
    ending.abort();
    await held;
    expect(told.slice(0, 2)).toEqual(["open", "lost"]);
  });

  test("a refusal is the end", async () => {
    refusals = [503, 401];
    const error = await hold().catch(reason => reason);
    expect(isRefusal(error)).toBe(true);
    expect(peers).toEqual([]);
  });

  test("a peer that answers no ping is gone", async () => {
    jest.useFakeTimers(intervalsAlone);
    const held = hold();
    await stands(1);
    jest.advanceTimersByTime(30_000);
    expect(told).toEqual(["open"]);
    jest.advanceTimersByTime(30_000);
    await until("it is lost, and stands again", () => peers.length === 2);
    expect(told.slice(0, 2)).toEqual(["open", "lost"]);
    ending.abort();
    await held;
    expect(jest.getTimerCount()).toBe(0);
  });

  test("a peer that answers pings stays", async () => {
    jest.useFakeTimers(intervalsAlone);
    const held = hold();
    await stands(1);
    for (let n = 0; n < 3; n++) {
      const ping = once(peers[0] as WebSocket, "ping");
      jest.advanceTimersByTime(30_000);
      await ping;
      // What follows the pong shows that it has arrived.
      peers[0]?.pong();
      peers[0]?.send(String(n));
      await until("it is told", () => told.includes(String(n)));
    }
    expect(told).toEqual(["open", "0", "1", "2"]);
    ending.abort();
    await held;
  });

  test("a peer that answers no ping but sends messages stays", async () => {
    jest.useFakeTimers(intervalsAlone);
    const held = hold();
    await stands(1);
    for (let n = 0; n < 3; n++) {
      jest.advanceTimersByTime(30_000);
      peers[0]?.send(String(n));
      await until("it is told", () => told.includes(String(n)));
    }
    expect(told).toEqual(["open", "0", "1", "2"]);
    ending.abort();
    await held;
  });

  test("a peer that is not listened to for a while is not blamed for its silence", async () => {
    jest.useFakeTimers(intervalsAlone);
    const gate = Promise.withResolvers<void>();
    let socket: WebSocket | undefined;
    const held = hold({
      dial: async () => {
        socket = dialSocket(address());
        return socket;
      },
      onMessage: async data => {
        await gate.promise;
        told.push(data.toString());
      },
    });
    await stands(1);
    for (let n = 0; n < 2000; n++) peers[0]?.send(String(n));
    await until("it is not read", () => socket?.isPaused === true);
    for (let n = 0; n < 3; n++) jest.advanceTimersByTime(30_000);
    gate.resolve();
    await until("all is told", () => told.includes("1999"));
    expect(told.filter(each => each === "open" || each === "lost")).toEqual(["open"]);
    ending.abort();
    await held;
  });

  test("a socket that was ended before it began dials nobody", async () => {
    ending.abort();
    const dial = jest.fn<LiveSocket["dial"]>();
    await hold({ dial });
    expect(dial).not.toHaveBeenCalled();
  });
});
