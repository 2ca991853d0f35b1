import { randomFillSync } from "node:crypto";
import type { WasmMemory } from "./wasm.ts";

/** Results of WASI functions. */
const SUCCESS = 0;
const BAD_FILE = 8;

const STDERR = 2;

/** Most of what a failing program says that is kept, in characters. */
const KEPT_OUTPUT = 2_000;

/** Bytes of a subscription and of an event of `poll_oneoff`. */
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;

/** The program ended itself, as Go does after a panic. */
export class ProgramExit extends Error {}

type WasiFunction = (...args: never[]) => number;

/**
 * What a program of Go needs of WASI preview 1, and nothing else: no file, no network, no environment, no
 * argument, and no time of day. What it prints is kept for the error that ends it.
 */
export class Wasi {
  #memory: WasmMemory | null = null;
  #printed = "";

  /** Must be called before the program runs. */
  setMemory(memory: WasmMemory): void {
    this.#memory = memory;
  }

  /** The imports by name; every function of WASI that is not here answers that the file is not open. */
  imports(names: readonly string[]): Record<string, WasiFunction> {
    const known: Record<string, WasiFunction> = {
      args_sizes_get: (count: number, size: number) => this.#write32(count, 0, size, 0),
      args_get: () => SUCCESS,
      environ_sizes_get: (count: number, size: number) => this.#write32(count, 0, size, 0),
      environ_get: () => SUCCESS,
      clock_time_get: (id: number, _precision: bigint, at: number) => this.#clock(id, at),
      fd_write: (file: number, vectors: number, count: number, at: number) =>
        this.#print(file, vectors, count, at),
      poll_oneoff: (from: number, to: number, count: number, at: number) => this.#poll(from, to, count, at),
      proc_exit: (code: number) => this.#exit(code),
      random_get: (at: number, size: number) => {
        randomFillSync(this.#bytes(at, size));
        return SUCCESS;
      },
      sched_yield: () => SUCCESS,
    };
    return Object.fromEntries(names.map((name) => [name, known[name] ?? (() => BAD_FILE)] as const));
  }

  /** Only the clock that no one can read as a time of day moves. */
  #clock(id: number, at: number): number {
    const ns = id === 0 ? 0n : BigInt(Math.round(performance.now() * 1e6));
    this.#view().setBigUint64(at, ns, true);
    return SUCCESS;
  }

  /** Every wait ends at once: the scheduler of Go looks at the clock and waits again. */
  #poll(from: number, to: number, count: number, at: number): number {
    const view = this.#view();
    for (let index = 0; index < count; index++) {
      const event = to + index * EVENT_BYTES;
      const subscription = from + index * SUBSCRIPTION_BYTES;
      this.#bytes(event, EVENT_BYTES).fill(0);
      view.setBigUint64(event, view.getBigUint64(subscription, true), true);
      view.setUint8(event + 10, view.getUint8(subscription + 8));
    }
    view.setUint32(at, count, true);
    return SUCCESS;
  }

  #print(file: number, vectors: number, count: number, at: number): number {
    const view = this.#view();
    let written = 0;
    for (let vector = vectors; vector < vectors + count * 8; vector += 8) {
      const bytes = this.#bytes(view.getUint32(vector, true), view.getUint32(vector + 4, true));
      written += bytes.length;
      if (file === STDERR && this.#printed.length < KEPT_OUTPUT) {
        this.#printed += Buffer.from(bytes).toString("latin1");
      }
    }
    view.setUint32(at, written, true);
    return SUCCESS;
  }

  #exit(code: number): never {
    const first = this.#printed.slice(0, KEPT_OUTPUT).split("\n", 1)[0] ?? "";
    throw new ProgramExit(`the program ended with code ${String(code)}: ${first}`);
  }

  #write32(...pairs: readonly number[]): number {
    const view = this.#view();
    for (let at = 0; at < pairs.length; at += 2) view.setUint32(pairs[at] ?? 0, pairs[at + 1] ?? 0, true);
    return SUCCESS;
  }

  #bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#buffer(), at >>> 0, size);
  }

  #view(): DataView {
    return new DataView(this.#buffer());
  }

  /** Asked each time: when the memory grows, the buffer before is detached. */
  #buffer(): ArrayBuffer {
    if (this.#memory === null) throw new Error("the program runs before its memory is known");
    return this.#memory.buffer;
  }
}
