import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { openInput } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

/** What is read, for messages, and most bytes of it. One more is enough to refuse it by name. */
interface Expected {
  readonly what: string;
  readonly most: number;
}

/** @throws CommandFailure `usage` */
export async function readUtf8(
  file: string,
  terminal: Pick<Terminal, "workingDirectory" | "stdin">,
  { what, most }: Expected,
): Promise<string> {
  try {
    const bytes = await readBytes(openInput(file, terminal, most + 1), most);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const because = readFault(error);
    throw new CommandFailure("usage", `${file}: expected ${what} in UTF-8, found: ${because}`, error);
  }
}

async function readBytes(stream: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) break;
  }
  return Buffer.concat(chunks);
}
