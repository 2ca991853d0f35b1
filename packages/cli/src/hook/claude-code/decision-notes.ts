import { hash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDecisionId } from "@svc/contract/decision-id";

/** Milliseconds after which a note is removed: its call was refused by somebody else, or is lost. */
const NOTE_LIFE_MS = 24 * 60 * 60 * 1_000;

/** Number of notes from which old ones are looked for. */
const MANY_NOTES = 256;

/** Only this user may read a note, or put one there. */
const OWNERS_MODE = 0o700;

/** A call of a client, by its own names. */
interface NotedCall {
  readonly sessionId: string;
  readonly callId: string;
}

/** What the process before a call leaves to the one after it: which decision allowed the call. */
export class DecisionNotes {
  readonly #folder: string;

  constructor(folder: string = join(tmpdir(), `svc-hook-${String(process.getuid?.() ?? "user")}`)) {
    this.#folder = folder;
  }

  /** @throws when the note cannot be kept */
  write(call: NotedCall, decisionId: string): void {
    this.#open();
    fs.writeFileSync(this.#pathOf(call), decisionId, { mode: 0o600 });
  }

  /** The decision that allowed the call; null when nobody noted one. */
  read(call: NotedCall): string | null {
    this.#open();
    try {
      const text = fs.readFileSync(this.#pathOf(call), "utf8");
      return parseDecisionId(text) === null ? null : text;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  }

  /** Removes the note of a call that was reported, and notes that nobody will ask for. */
  remove(call: NotedCall): void {
    fs.rmSync(this.#pathOf(call), { force: true });
    const names = fs.readdirSync(this.#folder);
    if (names.length < MANY_NOTES) return;
    for (const name of names) {
      const path = join(this.#folder, name);
      const { mtimeMs } = fs.statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > NOTE_LIFE_MS) fs.rmSync(path, { force: true });
    }
  }

  /** @throws when the folder belongs to somebody else: it lies where everybody may write */
  #open(): void {
    if (!fs.existsSync(this.#folder)) this.#make();
    if (process.getuid === undefined) return;
    const found = fs.lstatSync(this.#folder);
    const isOurs = found.uid === process.getuid() && (found.mode & 0o077) === 0 && found.isDirectory();
    if (!isOurs)
      throw new Error(`${this.#folder}: expected a folder that only this user may open. Remove it.`);
  }

  #make(): void {
    try {
      fs.mkdirSync(this.#folder, { mode: OWNERS_MODE });
    } catch (error) {
      // Another hook made it meanwhile.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }

  #pathOf({ sessionId, callId }: NotedCall): string {
    return join(this.#folder, hash("sha256", JSON.stringify([sessionId, callId])));
  }
}
