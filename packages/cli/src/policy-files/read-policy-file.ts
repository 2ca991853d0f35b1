import { MAX_POLICY_BYTES } from "@svc/contract/limits";
import type { PolicyMediaType } from "@svc/contract/policy";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { openInput, STDIN } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

/** The text of a policy, and what messages call it. */
export interface PolicyFile {
  readonly name: string;
  readonly source: string;
  readonly mediaType: PolicyMediaType;
}

type Input = Pick<Terminal, "workingDirectory" | "stdin">;

/** One byte more than a policy may have is enough to refuse it by name. @throws CommandFailure `usage` */
export async function readPolicyFile(file: string, terminal: Input): Promise<PolicyFile> {
  const source = await readUtf8(file, terminal, "a policy file");
  const mediaType = file.endsWith(".json") ? "application/json" : "application/yaml";
  return { name: file === STDIN ? "stdin" : file, source, mediaType };
}

async function readUtf8(file: string, terminal: Input, what: string): Promise<string> {
  try {
    const bytes = await readBytes(openInput(file, terminal, MAX_POLICY_BYTES + 1));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const because = readFault(error);
    throw new CommandFailure("usage", `${file}: expected ${what} in UTF-8, found: ${because}`, error);
  }
}

async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_POLICY_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** The line, from 1, of an offset in UTF-16 units. */
export function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
