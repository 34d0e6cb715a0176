import type { Egress } from "../egress/egress.ts";
import type { BrowserProcess } from "./browser-process.ts";
import type { OnError } from "./listen.ts";
import { leave, openRoom, type Room } from "./session.ts";

/** A room that is open before anybody asks for it, so that the first page of a tenant does not wait for one. */
export class SpareRoom {
  readonly #options: { egress: Egress; onError: OnError };
  #room: Promise<Room | undefined> | undefined;
  /** The browser that it is in. */
  #process: BrowserProcess | undefined;
  #isWanted = false;

  constructor(options: { egress: Egress; onError: OnError }) {
    this.#options = options;
  }

  /** Opens one, and has `renew` open another once it is taken. Resolves when it is open; what fails leaves no room. */
  async prepare(process: BrowserProcess): Promise<void> {
    this.#isWanted = true;
    await this.renew(process);
  }

  async renew(process: BrowserProcess): Promise<void> {
    if (!this.#isWanted || process.retired || this.#process === process) return;
    const former = this.close();
    const room = openRoom(process, {}, this.#options).catch(() => undefined);
    this.#process = process;
    this.#room = room;
    await former;
    if ((await room) === undefined && this.#room === room) this.#forget();
  }

  /** The room, where it is in this browser. It belongs to the caller then. */
  async take(process: BrowserProcess): Promise<Room | undefined> {
    if (this.#process !== process) return undefined;
    const room = this.#room;
    this.#forget();
    return await room;
  }

  /** Also where its browser has ended: its proxy has not. */
  async close(): Promise<void> {
    const room = this.#room;
    this.#forget();
    const open = await room;
    if (open !== undefined) await leave(open);
  }

  #forget(): void {
    this.#process = undefined;
    this.#room = undefined;
  }
}
