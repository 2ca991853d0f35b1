import { CommandFailure } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Asks the person at the terminal. Where nobody can answer, the command needs --yes.
 * @throws CommandFailure `usage` when there is no terminal
 */
export async function confirm(
  question: string,
  { stdin, inputIsTerminal, writeError }: Terminal,
): Promise<boolean> {
  if (inputIsTerminal !== true)
    throw new CommandFailure("usage", "nobody can be asked here. Read the change above and pass --yes");
  writeError(`${question} [y/N] `);
  for await (const chunk of stdin) return /^y(?:es)?\s*$/i.test(Buffer.from(chunk).toString("utf8"));
  return false;
}

/** Longest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 1_000;

/**
 * Asks for the name of what will change.
 * @throws CommandFailure `failed` for another answer, `usage` where nobody can answer
 */
export async function requireTyped(question: string, name: string, terminal: Terminal): Promise<void> {
  terminal.writeError(`${question} Type ${name} to go on: `);
  const answer = await firstLine(terminal.stdin);
  if (answer === name) return;
  const isUnasked = answer === null && terminal.inputIsTerminal !== true;
  throw new CommandFailure(
    isUnasked ? "usage" : "failed",
    `Nothing was done: expected ${name}, found ${JSON.stringify(answer ?? "")}; scripts pass --yes`,
  );
}

/** Null: there was none. */
async function firstLine(stdin: AsyncIterable<Uint8Array>): Promise<string | null> {
  let text = "";
  for await (const chunk of stdin) {
    text += Buffer.from(chunk).toString();
    if (text.includes("\n") || text.length > MAX_ANSWER_BYTES) break;
  }
  return text === "" ? null : (text.split("\n")[0] ?? "").trim();
}
