/** The memory of an instance. Its buffer is another one after the memory has grown. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

interface WasmApi {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
  instantiate(module: WebAssembly.Module, imports: object): Promise<{ readonly exports: object }>;
  readonly Module: { imports(module: WebAssembly.Module): readonly { readonly name: string }[] };
}

/** WebAssembly of JavaScript, which the libraries of types know for browsers alone. */
export const wasm = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;
