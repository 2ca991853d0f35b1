import type { LogFault } from "./log-fault.ts";
import { MAX_CHECKPOINT_FAULTS } from "./log-report.ts";
import { parseNote, signersOf } from "./signed-note.ts";

/** Most keys that a report names as needed, as count: a log has one key and those that it replaced. */
const MAX_NEEDED_KEYS = 5;

/**
 * What is wrong with the notes of one log. Notes of keys that nobody gave say nothing while no other fault
 * is found and no given key signed any of them: the keys may be those of another deployment.
 */
export class FaultList {
  readonly #faults: LogFault[] = [];
  readonly #needed = new Set<string>();
  #canBeJudged = false;

  get faults(): readonly LogFault[] {
    return this.#faults;
  }

  /** The keys that the notes name as `<name>+<id>`, when nothing but their absence is wrong; else none. */
  get neededKeys(): readonly string[] {
    return this.#canBeJudged ? [] : [...this.#needed];
  }

  /** A given key has signed a note. */
  addTrusted(): void {
    this.#canBeJudged = true;
  }

  add(fault: LogFault): void {
    this.#canBeJudged = true;
    this.#push(fault);
  }

  /** The fault is why this note could not be used. */
  addOfNote(note: string, fault: LogFault): void {
    if (!fault.code.endsWith("_unknown_key")) return this.add(fault);
    const signed = parseNote(note);
    for (const signer of signed === null ? [] : signersOf(signed))
      if (this.#needed.size < MAX_NEEDED_KEYS) this.#needed.add(signer);
    this.#push(fault);
  }

  #push(fault: LogFault): void {
    if (this.#faults.length < MAX_CHECKPOINT_FAULTS) this.#faults.push(fault);
  }
}
