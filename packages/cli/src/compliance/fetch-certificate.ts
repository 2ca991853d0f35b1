import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { certificateRoutes } from "@svc/api/certificate-routes";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { writeStream } from "../frame/write-stream.ts";

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
  if (out === undefined) {
    terminal.writeOut(note);
    return "ok";
  }
  const path = await writeStream(Readable.from([Buffer.from(note)]), out, terminal);
  terminal.writeError(`certificate of ${id} written to ${path}\n`);
  return "ok";
}
