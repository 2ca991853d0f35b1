import { statfs } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

const BYTES_PER_GIB = 1024 ** 3;

/** Linux file system magic of tmpfs: its fsync costs nothing, so durability measured on it is none. */
const TMPFS_MAGIC = 0x01021994;

/** Where the figures come from. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGib: number;
  readonly node: string;
  readonly platform: string;
  /** Runnable processes over the last minute before the run: what else the machine was busy with. */
  readonly loadBefore: number;
  /** Whether the data folder is kept in memory: then nothing was durable and the comparison flatters. */
  readonly dataInMemory: boolean;
}

export async function describeMachine(dataFolder: string): Promise<Machine> {
  const { type } = await statfs(dataFolder);
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    memoryGib: Math.round(totalmem() / BYTES_PER_GIB),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    loadBefore: loadavg()[0] ?? 0,
    dataInMemory: process.platform === "linux" && type === TMPFS_MAGIC,
  };
}
