import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { certificateRoutes } from "@svc/api/certificate-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { printable } from "@svc/process/printable";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { writeStream } from "../frame/write-stream.ts";
import { NEVER_SEEN, neverSeen, targetText } from "../kill/switch-facts.ts";

export interface CertificateOptions extends ServerOptions {
  readonly out?: string;
}

/** Writes a certificate byte by byte as the server signed it. @throws CommandFailure */
export async function fetchCertificate(
  id: string,
  options: CertificateOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { out } = options;
  if (out !== undefined && existsSync(resolve(terminal.workingDirectory, out)))
    throw new CommandFailure("usage", `--out: ${out} is there already: name a file that is not`);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { kill_switch_id: id };
  const note = await client.askText(certificateRoutes.getKillSwitchCertificate, { params }, "text/plain");
  if (!note.startsWith("svc-containment/"))
    throw new CommandFailure(
      "unreachable",
      "the answer is not a certificate: is this the address of svc-server?",
    );
  await warnOfUnseen(client, id, terminal);
  if (out === undefined) {
    terminal.writeOut(note);
    return "ok";
  }
  const path = await writeStream(Readable.from([Buffer.from(note)]), out, terminal);
  terminal.writeError(`certificate of ${id} written to ${path}\n`);
  return "ok";
}

/** A certificate proves that a name is stopped, and not that anybody has it. */
async function warnOfUnseen(client: ControlClient, id: string, terminal: Terminal): Promise<void> {
  try {
    const { body } = await client.ask(killSwitchRoutes.getKillSwitch, { params: { kill_switch_id: id } });
    const unseen = await neverSeen(client, [body]);
    if (unseen.has(body)) terminal.writeError(`warning: ${printable(targetText(body))}: ${NEVER_SEEN}\n`);
  } catch (fault) {
    // The certificate is there; only the warning about its name is not known.
    if (!(fault instanceof CommandFailure)) throw fault;
  }
}
