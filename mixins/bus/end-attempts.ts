import { NodeTransport } from "nats/lib/src/node_transport.js";

const { setupHandlers } = NodeTransport.prototype;

/**
 * nats 2.29 gives up an attempt to connect that takes too long, but does not end it. When the server answers that one
 * after all, as one that was held up does, and closes it minutes later as nothing comes over it, the client takes this
 * for the end of its link: it makes another one beside the one that stands, and has every message twice from then on.
 * Here an attempt ends, at the latest, as soon as the next one begins.
 */
export function endAttempts(): void {
  Object.assign(NodeTransport.prototype, {
    discard(this: NodeTransport) {
      this.done = true;
      this.socket?.destroy();
    },
    setupHandlers(this: NodeTransport) {
      if (this.done) throw new Error("Another attempt was begun meanwhile");
      setupHandlers.call(this);
    },
    /** The client's own first writes on the link, which it leaves because it is silent, and waits for that. */
    disconnect(this: NodeTransport) {
      void this.close(new Error("The link is silent"));
    },
  });
}
