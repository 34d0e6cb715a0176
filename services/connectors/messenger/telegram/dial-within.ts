import type { TcpTransport } from "@mtcute/node";

type Transport = Pick<TcpTransport, "connect" | "packetCodec">;
type Connection = Awaited<ReturnType<Transport["connect"]>>;

/** The same transport, which gives up an address that does not answer; the library waits as long as the system does. */
export function dialWithin(transport: Transport, ms: number, signal: AbortSignal): Transport {
  return {
    packetCodec: () => transport.packetCodec(),
    connect: dc => within(transport.connect(dc), ms, signal),
  };
}

async function within(dialling: Promise<Connection>, ms: number, signal: AbortSignal): Promise<Connection> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error(`no connection within ${ms} ms`));
  const timer = setTimeout(giveUp, ms);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([dialling, late]);
  } catch (error) {
    // One that comes about all the same is of no use; one that fails has failed already.
    dialling.then(
      connection => connection.close(),
      () => undefined,
    );
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
