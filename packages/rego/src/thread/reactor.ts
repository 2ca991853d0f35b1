import { Wasi } from "./wasi.ts";
import { type WasmMemory, wasm } from "./wasm.ts";

/** Most bytes of one answer. Far more than the largest explanation. */
const MAX_ANSWER_BYTES = 1024 * 1024;

interface ReactorExports {
  readonly memory: WasmMemory;
  _initialize(): void;
  alloc(size: number): number;
  call(at: number): number;
  evaluate(handle: number, at: number): number;
  out_ptr(): number;
}

/** The text of an answer, or of OPA's error. */
export type ReactorAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly text: string };

/** Open Policy Agent in one instance. Whatever it throws, the instance can not be used again. */
export interface Reactor {
  /** @param request JSON, as packages/rego/reactor/requests.go reads it */
  call(request: string): ReactorAnswer;
  /** @param input canonical JSON */
  evaluate(handle: number, input: string): ReactorAnswer;
}

export async function startReactor(module: WebAssembly.Module): Promise<Reactor> {
  const wasi = new Wasi();
  const names = wasm.Module.imports(module).map(({ name }) => name);
  const imports = { wasi_snapshot_preview1: wasi.imports(names) };
  const instance = await wasm.instantiate(module, imports);
  const program = instance.exports as ReactorExports;
  wasi.setMemory(program.memory);
  program._initialize();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const put = (text: string): number => {
    const bytes = encoder.encode(text);
    const at = program.alloc(bytes.length);
    new Uint8Array(program.memory.buffer, at >>> 0, bytes.length).set(bytes);
    return at;
  };
  const read = (length: number): ReactorAnswer => {
    const size = Math.abs(length);
    if (size > MAX_ANSWER_BYTES) return { kind: "error", text: "the answer is too long" };
    const text = decoder.decode(new Uint8Array(program.memory.buffer, program.out_ptr() >>> 0, size));
    return { kind: length < 0 ? "error" : "text", text };
  };
  return {
    call: (request) => read(program.call(put(request))),
    evaluate: (handle, input) => read(program.evaluate(handle, put(input))),
  };
}
