import { randomBytes } from "node:crypto";
import { open, readFile, rename, unlink } from "node:fs/promises";
import { faultFields } from "@svc/contract/fault-fields";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { ControlMark, ControlMarkKeeper } from "@svc/store/control-head-guard";
import { isJsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";

/** Its name in the data directory. */
export const CONTROL_MARK_FILE = "control-mark.json";

/** Milliseconds between two writes, so that a burst of changes costs one. */
const WRITE_INTERVAL_MS = 250;

/** Only the service's own user may read or write the file. */
const FILE_MODE = 0o600;

export interface ControlMarkFileOptions {
  readonly path: string;
  /** A mark counts for the gateway id that wrote it. Under another one a process begins anew. */
  readonly gatewayId: string;
  readonly timers: Timers;
  readonly log: Pick<Logger, "error">;
}

/**
 * The newest control change that this process has read or written, in a file of the data directory. It
 * outlives the process, so a restart during a failover notices a database that lacks the change. The file is
 * replaced as a whole and may be a write interval behind. While it cannot be written, the process goes on and
 * says so once.
 */
export class ControlMarkFile implements ControlMarkKeeper {
  readonly known: ControlMark | null;
  readonly #options: ControlMarkFileOptions;
  #waiting: ControlMark | null = null;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isFailing = false;

  private constructor(options: ControlMarkFileOptions, known: ControlMark | null) {
    this.#options = options;
    this.known = known;
  }

  /** @throws when the file is there and cannot be read: then nobody knows what this process knew. */
  static async open(options: ControlMarkFileOptions): Promise<ControlMarkFile> {
    return new ControlMarkFile(options, await readMark(options));
  }

  get howToForget(): string {
    return `remove ${this.#options.path}`;
  }

  keep(mark: ControlMark): void {
    this.#waiting = mark;
    this.#cancel ??= this.#options.timers.after(WRITE_INTERVAL_MS, () => {
      this.#cancel = null;
      this.#writeSoon();
    });
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    this.#writeSoon();
    await this.#writing;
  }

  #writeSoon(): void {
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const mark = this.#waiting;
    if (mark === null) return;
    this.#waiting = null;
    const { path, gatewayId, log } = this.#options;
    try {
      await replaceFile(path, `${JSON.stringify({ gateway_id: gatewayId, ...mark })}\n`);
      this.#isFailing = false;
    } catch (error) {
      // The next change is written again. Until then the mark in memory still guards this run.
      if (!this.#isFailing) log.error({ ...faultFields(error), path }, NOT_WRITTEN);
      this.#isFailing = true;
    }
  }
}

const NOT_WRITTEN =
  "the newest control change could not be recorded: a restart during a failover may not notice lost changes";

async function readMark({ path, gatewayId }: ControlMarkFileOptions): Promise<ControlMark | null> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const content = parseContent(text);
  if (content === null)
    throw new Error(
      `${path}: expected the newest control change as JSON, found something else. Make sure that the ` +
        "database holds every kill switch that must be active, then remove the file",
    );
  return content.writer === gatewayId ? content.mark : null;
}

function parseContent(text: string): { readonly writer: unknown; readonly mark: ControlMark } | null {
  const parsed = parseStrictJsonText(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { gateway_id: writer, revision, digest = null } = parsed.value;
  if (typeof revision !== "number" || (digest !== null && typeof digest !== "string")) return null;
  return { writer, mark: { revision, digest } };
}

/** A reader finds the old file or the new one, also after a crash of the machine. */
async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(beside, "wx", FILE_MODE);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}
