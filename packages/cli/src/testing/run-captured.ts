import type { ExitCode } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { runCli } from "../run-cli.ts";

/** Bytes that a pipe hands over at once. */
const CHUNK_BYTES = 65_536;

export interface Surroundings
  extends Partial<Pick<Terminal, "environment" | "workingDirectory" | "errorIsTerminal" | "outIsTerminal">> {
  readonly stdin?: string | Uint8Array;
  /** Bytes of stdin that arrive at once. */
  readonly chunkBytes?: number;
}

/** Runs a command as a process would, and keeps what it wrote. */
export async function runCaptured(
  args: readonly string[],
  { stdin = "", chunkBytes = CHUNK_BYTES, ...surroundings }: Surroundings = {},
): Promise<{ readonly exitCode: ExitCode; readonly out: string; readonly error: string }> {
  let [out, error] = ["", ""];
  const exitCode = await runCli(args, {
    environment: {},
    workingDirectory: process.cwd(),
    errorIsTerminal: false,
    ...surroundings,
    stdin: chunksOf(Buffer.from(stdin), chunkBytes),
    writeOut: (text) => (out += text),
    writeError: (text) => (error += text),
  });
  return { exitCode, out, error };
}

async function* chunksOf(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
