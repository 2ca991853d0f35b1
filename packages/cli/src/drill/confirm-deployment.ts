import type { Terminal } from "../frame/terminal.ts";
import { requireTyped } from "../frame/typed-answer.ts";

export interface Confirmation {
  readonly url: URL;
  /** How many gateways are asked. */
  readonly gateways: number;
  readonly yes: boolean;
}

/** Asks for the name of the deployment. @throws CommandFailure unless it comes */
export async function confirmDeployment(
  { url, gateways, yes }: Confirmation,
  terminal: Terminal,
): Promise<void> {
  if (yes) return;
  const question =
    `The drill activates a kill switch on an agent that it makes up, and sends calls of that agent through ` +
    `${gateways} address${gateways === 1 ? "" : "es"}. It adds rows to the audit log of ${url.host}.`;
  await requireTyped(question, url.host, terminal);
}
