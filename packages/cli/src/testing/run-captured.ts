import { shownSecret } from "@svc/contract/testing/shown-secret";
import type { ExitCode } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { runCli } from "../run-cli.ts";

/** Bytes that a pipe hands over at once. */
const CHUNK_BYTES = 65_536;

export interface Surroundings
  extends Partial<
    Pick<
      Terminal,
      | "environment"
      | "workingDirectory"
      | "errorIsTerminal"
      | "inputIsTerminal"
      | "outIsTerminal"
      | "onInterrupt"
    >
  > {
  readonly stdin?: string | Uint8Array;
  /** For a command whose answer is a new key. */
  readonly showsKeys?: boolean;
  /** Bytes of stdin that arrive at once. */
  readonly chunkBytes?: number;
  /** Called with each piece that the command writes to stdout. */
  readonly onOut?: (text: string) => void;
}

/**
 * Runs a command as a process would, and keeps what it wrote.
 * @throws when it prints a secret: a key of its environment or of stdin, or any whole API key
 */
export async function runCaptured(
  args: readonly string[],
  { stdin = "", chunkBytes = CHUNK_BYTES, showsKeys = false, onOut, ...surroundings }: Surroundings = {},
): Promise<{ readonly exitCode: ExitCode; readonly out: string; readonly error: string }> {
  let [out, error] = ["", ""];
  const exitCode = await runCli(args, {
    environment: {},
    workingDirectory: process.cwd(),
    errorIsTerminal: false,
    ...surroundings,
    stdin: chunksOf(Buffer.from(stdin), chunkBytes),
    writeOut: (text) => {
      out += text;
      onOut?.(text);
    },
    writeError: (text) => (error += text),
  });
  const key = args.includes("--api-key-stdin") ? String(stdin).trim() : undefined;
  const secret = showsKeys
    ? null
    : shownSecret(out + error, { SVC_API_KEY: key, ...surroundings.environment });
  if (secret !== null) throw new Error(`svc-cli ${args.join(" ")} prints ${secret}`);
  return { exitCode, out, error };
}

async function* chunksOf(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
