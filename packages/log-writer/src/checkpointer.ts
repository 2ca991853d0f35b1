import { type CheckpointSigner, signCheckpoint } from "@svc/audit-log/checkpoint";
import { faultFields } from "@svc/contract/fault-fields";
import type { Logger } from "@svc/process/logger";
import type { AuditStore, LogHead, StoredCheckpoint } from "@svc/store/ports/audit-store";

/**
 * Milliseconds between looks at the log's head: rows are never older than this without a signed checkpoint.
 */
const CHECKPOINT_INTERVAL_MS = 1_000;

export interface CheckpointerOptions {
  readonly logId: string;
  readonly audit: AuditStore;
  readonly signer: CheckpointSigner;
  /**
   * Appends to the checkpoint file. The file outlives the store, so it shows when the end of the log
   * was cut off.
   */
  readonly appendToFile: (checkpoint: StoredCheckpoint) => Promise<void>;
  readonly log: Pick<Logger, "error" | "info">;
  readonly onFailure: () => void;
}

/** Signs this writer's log, as far as the writer acknowledged it, while rows arrive and at shutdown. */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #signedSize: number;
  /** The last checkpoint in the file: while the store refuses it, the same line is not appended again. */
  #filedNote = "";
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isFailing = false;

  /** `signedSize`: size of the last checkpoint that is already in the store; 0 for none. */
  constructor(options: CheckpointerOptions, signedSize: number) {
    this.#options = options;
    this.#signedSize = signedSize;
  }

  start(): void {
    this.#timer = setInterval(() => void this.sign(), CHECKPOINT_INTERVAL_MS);
  }

  /** Stops and signs what has arrived since. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#running;
    await this.sign();
  }

  /** Never rejects. Without a checkpoint decisions go on and rows stay chained; the failure is counted. */
  sign(): Promise<void> {
    this.#running = this.#running
      .then(() => this.#signHead())
      .then(() => this.#noteSuccess())
      .catch((error: unknown) => this.#noteFailure(error));
    return this.#running;
  }

  #noteSuccess(): void {
    if (this.#isFailing) this.#options.log.info({}, "checkpoints of the audit log can be written again");
    this.#isFailing = false;
  }

  /** One line for each outage, however many attempts fail. */
  #noteFailure(error: unknown): void {
    this.#options.onFailure();
    if (!this.#isFailing)
      this.#options.log.error(faultFields(error), "a checkpoint of the audit log could not be written");
    this.#isFailing = true;
  }

  /** Whether the store lacks acknowledged rows. The next append says so, and nothing is signed about it. */
  async #isSetBack({ logId, size }: LogHead): Promise<boolean> {
    const stored = (await this.#options.audit.heads()).find((candidate) => candidate.logId === logId);
    return stored === undefined || stored.size < size;
  }

  async #signHead(): Promise<void> {
    const { audit, logId, signer, appendToFile } = this.#options;
    // Rows behind this head are not this writer's: a signature would vouch for what somebody else appended.
    const head = await audit.ownHead();
    if (head === null || head.size <= this.#signedSize || (await this.#isSetBack(head))) return;
    const checkpoint = { logId, size: head.size, note: signCheckpoint(signer, head) };
    if (checkpoint.note !== this.#filedNote) await appendToFile(checkpoint);
    this.#filedNote = checkpoint.note;
    await audit.appendCheckpoint(checkpoint);
    this.#signedSize = head.size;
  }
}
