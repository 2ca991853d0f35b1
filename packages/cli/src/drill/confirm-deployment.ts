import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

/** Longest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 1_000;

export interface Confirmation {
  readonly url: URL;
  /** How many gateways are asked. */
  readonly gateways: number;
  readonly yes: boolean;
}

/** Asks for the name of the deployment. @throws CommandFailure `usage` unless it comes */
export async function confirmDeployment(
  { url, gateways, yes }: Confirmation,
  terminal: Terminal,
): Promise<void> {
  if (yes) return;
  const name = url.host;
  terminal.writeError(
    `The drill activates a kill switch on an agent that it makes up, and sends calls of that agent through ` +
      `${gateways} address${gateways === 1 ? "" : "es"}. It adds rows to the audit log of ${name}. ` +
      `Type ${name} to go on: `,
  );
  const answer = await firstLine(terminal.stdin);
  if (answer === name) return;
  throw new CommandFailure("usage", `expected ${name}, found ${JSON.stringify(answer)}; scripts pass --yes`);
}

async function firstLine(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    text += Buffer.from(chunk).toString();
    if (text.includes("\n") || text.length > MAX_ANSWER_BYTES) break;
  }
  return (text.split("\n")[0] ?? "").trim();
}
