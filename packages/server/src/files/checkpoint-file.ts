import { open, stat, truncate } from "node:fs/promises";
import {
  type LogCheckpoint,
  parseCheckpointLine,
  renderCheckpointLine,
} from "@svc/audit-log/checkpoint-line";

/** Only the service's own user may read or write the file. */
const FILE_MODE = 0o600;

/** Bytes read first from the end of the file: some hundred checkpoints. */
const TAIL_BYTES = 64 * 1024;

/**
 * Most bytes searched from the end of the file for a checkpoint of this log: some 50,000 checkpoints, or half
 * a day. Without a bound, a start after a change of the gateway's id would read a file of years.
 */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

export interface CheckpointFileOptions {
  readonly path: string;
  /** Called once, when the search for a checkpoint meets lines that are not checkpoints. */
  readonly onDamage: (damage: FileDamage) => void;
}

export interface FileDamage {
  readonly path: string;
  /** Lines that the search for the newest checkpoint skipped, as count. */
  readonly skippedLines: number;
}

/**
 * The append-only file of signed checkpoints, one JSON line each. Only the owner of the store writes it. A
 * full disk or a crash can leave an incomplete line. The writer never appends to such a line, and a reader
 * skips it. That loses nothing: an incomplete line proves nothing, and an attacker who can damage a line can
 * also remove it.
 */
export class CheckpointFile {
  readonly #options: CheckpointFileOptions;
  #mustMend = false;
  #damageReported = false;

  constructor(options: CheckpointFileOptions) {
    this.#options = options;
  }

  /**
   * Appends one checkpoint; resolves when it is on disk. @throws when it is not; the file is then unchanged,
   * or the next append repairs it first.
   */
  async append(checkpoint: LogCheckpoint): Promise<void> {
    if (this.#mustMend) await this.mend();
    const { path } = this.#options;
    const file = await open(path, "a", FILE_MODE);
    try {
      const { size } = await file.stat();
      try {
        await file.writeFile(renderCheckpointLine(checkpoint));
        await file.sync();
      } catch (error) {
        this.#mustMend = true;
        await file.truncate(size);
        this.#mustMend = false;
        throw error;
      }
    } finally {
      await file.close();
    }
  }

  /**
   * Removes an incomplete line from the end of the file. A line that lacks only its newline is kept, because
   * its checkpoint may have been given to somebody.
   */
  async mend(): Promise<void> {
    const { path } = this.#options;
    const last = lastLine(await readTail(path, TAIL_BYTES));
    if (last.byteLength > 0) {
      if (parseCheckpointLine(`${last.toString("utf8")}\n`) === null)
        await truncate(path, (await stat(path)).size - last.byteLength);
      else await appendNewline(path);
    }
    this.#mustMend = false;
  }

  /** The newest checkpoint of this log in the file; null when there is none. Damaged lines are skipped. */
  async newest(logId: string): Promise<LogCheckpoint | null> {
    for (let tailBytes = TAIL_BYTES; ; tailBytes *= 4) {
      const tail = await readTail(this.#options.path, tailBytes);
      const whole = tail.byteLength < tailBytes;
      // The tail of a longer file starts in the middle of a line.
      const start = whole ? 0 : tail.indexOf(NEWLINE) + 1;
      const found = newestIn(tail.toString("utf8", start), logId);
      if (found.checkpoint === null && !whole && tailBytes < MAX_SEARCHED_BYTES) continue;
      if (found.skippedLines > 0) this.#reportDamage(found.skippedLines);
      return found.checkpoint;
    }
  }

  #reportDamage(skippedLines: number): void {
    if (this.#damageReported) return;
    this.#damageReported = true;
    this.#options.onDamage({ path: this.#options.path, skippedLines });
  }
}

interface Found {
  readonly checkpoint: LogCheckpoint | null;
  readonly skippedLines: number;
}

function newestIn(text: string, logId: string): Found {
  const lines = text.split("\n").slice(0, -1);
  let skippedLines = 0;
  for (const line of lines.reverse()) {
    const checkpoint = parseCheckpointLine(`${line}\n`);
    if (checkpoint === null) skippedLines += 1;
    else if (checkpoint.logId === logId) return { checkpoint, skippedLines };
  }
  return { checkpoint: null, skippedLines };
}

/** The bytes after the last newline. */
function lastLine(tail: Buffer): Buffer {
  return tail.subarray(tail.lastIndexOf(NEWLINE) + 1);
}

async function appendNewline(path: string): Promise<void> {
  const file = await open(path, "a", FILE_MODE);
  try {
    await file.writeFile("\n");
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The last bytes of the file, or the whole of a shorter file. Empty when the file does not exist. */
async function readTail(path: string, bytes: number): Promise<Buffer> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const position = Math.max(0, size - bytes);
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - position), position });
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
