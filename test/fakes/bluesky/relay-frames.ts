import { BlockMap, blocksToCarFile } from "@atproto/repo";
import { ErrorFrame, MessageFrame } from "@atproto/xrpc-server";

/** Messages of a relay as they go over the wire: DAG-CBOR frames, commits with a CAR of their blocks. */

type Lex = ConstructorParameters<typeof MessageFrame>[0];

export interface Write {
  collection: string;
  rkey: string;
  /** Absent: it is deleted. */
  record?: Record<string, unknown>;
}

export interface CommitOptions {
  /** The commit names its records without carrying them, as large ones do. */
  isBare?: boolean;
}

export async function commitFrame(
  seq: number,
  repo: string,
  writes: Write[],
  { isBare = false }: CommitOptions = {},
): Promise<Uint8Array> {
  const blocks = new BlockMap();
  const ops = [];
  for (const { collection, rkey, record } of writes) {
    const cid = record ? await blocks.add(record as Lex) : null;
    ops.push({ action: record ? "create" : "delete", path: `${collection}/${rkey}`, cid });
  }
  const commit = await blocks.add({ did: repo, version: 3, seq });
  const body = {
    seq,
    rebase: false,
    tooBig: isBare,
    repo,
    commit,
    rev: "3jzfcijpj2z2a",
    since: null,
    blocks: isBare ? new Uint8Array() : await blocksToCarFile(commit, blocks),
    ops,
    blobs: [],
    time: new Date().toISOString(),
  };
  return new MessageFrame(body as Lex, { type: "#commit" }).toBytes();
}

export function identityFrame(seq: number, did: string): Uint8Array {
  return new MessageFrame({ seq, did, time: new Date().toISOString() }, { type: "#identity" }).toBytes();
}

export function errorFrame(error: string): Uint8Array {
  return new ErrorFrame({ error, message: error }).toBytes();
}

/** The identifier of a record. */
export async function cidOf(record: Record<string, unknown>): Promise<string> {
  return (await new BlockMap().add(record as Lex)).toString();
}
