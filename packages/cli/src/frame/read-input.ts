import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Terminal } from "./terminal.ts";

/** Stands for stdin on the command line. */
export const STDIN = "-";

type Input = Pick<Terminal, "stdin" | "workingDirectory">;

/** What the shell hands over: stdin, and the pipes of `<(...)`. Somebody writes to them already. */
const HANDED_OVER = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * The path again. A pipe by name would be waited for until somebody writes to it, and a device may never
 * end. @throws an Error that says so, and what looking at the file throws
 */
export function requireFile(path: string): string {
  const found = statSync(path);
  if (found.isFile() || found.isDirectory() || HANDED_OVER.test(path)) return path;
  throw new Error("it is a pipe or a device, and not a file; - reads stdin where it is offered");
}

/** The bytes of a file, or of stdin. At most `maxBytes` of a file. @throws what reading it throws */
export function openInput(
  path: string,
  { stdin, workingDirectory }: Input,
  maxBytes = Infinity,
): AsyncIterable<Uint8Array> {
  if (path === STDIN) return stdin;
  return createReadStream(requireFile(resolve(workingDirectory, path)), { end: maxBytes - 1 });
}

/** The whole text. @throws what reading it throws */
export async function readInput(path: string, terminal: Input): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of openInput(path, terminal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
