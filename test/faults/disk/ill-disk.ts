import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { removeFolder } from "../../support/folders.ts";

const diskBytes = 96 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/**
 * A disk of its own for a data folder: a file with ext4 on it, mounted where only this process and its children see it. It
 * can be filled, slowed down, and broken as the kernel breaks it after an error: read-only, with files open. Linux, root.
 */
export class IllDisk {
  readonly #root = mkdtempSync(join(tmpdir(), "magpie-disk-"));
  readonly #image = join(this.#root, "image");
  readonly folder = join(this.#root, "mounted");
  #brake: Brake | undefined;

  constructor() {
    mkdirSync(this.folder);
    const file = openSync(this.#image, "w");
    ftruncateSync(file, diskBytes);
    closeSync(file);
    run("mkfs.ext4", "-q", "-F", "-m", "0", this.#image);
    this.#mount();
  }

  /** Until no byte fits. */
  fill(): void {
    const file = openSync(this.#ballast, "a");
    for (let size = chunkBytes; size >= 1; size = Math.floor(size / 4)) while (takes(file, size));
    closeSync(file);
  }

  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Each write of a process waits for about a second; an error where this machine cannot do that. */
  slowDown(pid: number): void {
    this.#brake = new Brake(pid, this.#device);
  }

  speedUp(): void {
    this.#brake?.release();
    this.#brake = undefined;
  }

  /** As after an error of the device: what is open for writing stays open, and takes nothing. */
  turnReadOnly(): void {
    run("mount", "-o", "remount,abort", this.folder);
  }

  /** Mounts it anew, checked; no file on it may be open. */
  repair(): void {
    run("umount", this.folder);
    try {
      run("e2fsck", "-f", "-y", this.#image);
    } catch (error) {
      // 1: errors were found, and corrected.
      if ((error as { status?: number }).status !== 1) throw error;
    }
    this.#mount();
  }

  async close(): Promise<void> {
    this.speedUp();
    run("umount", this.folder);
    await removeFolder(this.#root);
  }

  get #ballast(): string {
    return join(this.folder, "ballast");
  }

  /** As the kernel numbers it: `7:0`. */
  get #device(): string {
    const source = run("findmnt", "-no", "SOURCE", this.folder).trim();
    return readFileSync(`/sys/block/${basename(source)}/dev`, "utf8").trim();
  }

  #mount(): void {
    run("mount", "-o", "loop", this.#image, this.folder);
  }
}

function takes(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch {
    return false;
  }
}

const v1 = "/sys/fs/cgroup/blkio";
const v2 = "/sys/fs/cgroup";

/** Writes a second: a sync needs several. */
const slowWrites = 1;

/** A control group whose processes may write seldom to a device. */
class Brake {
  readonly #group: string;
  readonly #parent: string;
  readonly #members: () => string[];

  constructor(pid: number, device: string) {
    const isV1 = existsSync(`${v1}/blkio.throttle.write_iops_device`);
    this.#parent = isV1 ? v1 : v2;
    this.#group = join(this.#parent, `magpie-faults-${process.pid}`);
    this.#members = () => readFileSync(join(this.#group, "cgroup.procs"), "utf8").split("\n").filter(Boolean);
    if (!isV1) writeFileSync(`${v2}/cgroup.subtree_control`, "+io");
    mkdirSync(this.#group);
    if (isV1) writeFileSync(join(this.#group, "blkio.throttle.write_iops_device"), `${device} ${slowWrites}`);
    else writeFileSync(join(this.#group, "io.max"), `${device} wiops=${slowWrites}`);
    writeFileSync(join(this.#group, "cgroup.procs"), String(pid));
  }

  release(): void {
    for (const pid of this.#members()) writeFileSync(join(this.#parent, "cgroup.procs"), pid);
    rmdirSync(this.#group);
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
