import type { RawData, WebSocket } from "ws";

/** The key value of the first frame, `{"type":"auth","key":"…"}`; undefined when it says anything else or nothing in time. */
export function firstFrameKey(socket: WebSocket, withinMs: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const settle = (key: string | undefined) => {
      clearTimeout(timer);
      socket.off("message", onMessage).off("close", onClose);
      resolve(key);
    };
    const onMessage = (data: RawData, isBinary: boolean) =>
      settle(isBinary ? undefined : keyIn(String(data)));
    const onClose = () => settle(undefined);
    const timer = setTimeout(onClose, withinMs);
    socket.on("message", onMessage).on("close", onClose);
  });
}

function keyIn(text: string): string | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    const { type, key } = Object(frame) as { type?: unknown; key?: unknown };
    return type === "auth" && typeof key === "string" ? key : undefined;
  } catch {
    // No JSON is no key.
    return undefined;
  }
}
