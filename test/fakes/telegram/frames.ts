/** The intermediate framing (core.telegram.org/mtproto/mtproto-transports): its tag once, then lengths and packets. */
const tag = 0xeeeeeeee;

export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #isTagged = false;

  /** The packets that are whole by now. */
  read(data: Buffer): Uint8Array[] {
    this.#rest = Buffer.concat([this.#rest, data]);
    if (!this.#isTagged) this.#readTag();
    const packets: Uint8Array[] = [];
    while (this.#isTagged && this.#rest.length >= 4) {
      const end = 4 + this.#rest.readUInt32LE();
      if (this.#rest.length < end) break;
      packets.push(new Uint8Array(this.#rest.subarray(4, end)));
      this.#rest = this.#rest.subarray(end);
    }
    return packets;
  }

  #readTag(): void {
    if (this.#rest.length < 4) return;
    if (this.#rest.readUInt32LE() !== tag) throw new Error("the client speaks another framing");
    this.#rest = this.#rest.subarray(4);
    this.#isTagged = true;
  }
}

export function frame(packet: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packet.length);
  return Buffer.concat([length, packet]);
}
