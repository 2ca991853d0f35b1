import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { readPolicy, readVersion, readVersionText } from "../rollout/read-policy.ts";

export interface GetOptions extends ServerOptions, OutputOptions {
  readonly version?: number;
}

/** Prints the text of one version. @throws CommandFailure */
export async function getPolicy(id: string, options: GetOptions, terminal: Terminal): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const version = options.version ?? (await readPolicy(client, id)).version;
  const source = await readVersionText(client, id, version);
  // Into a file goes every byte. A terminal gets no character that controls it.
  if (options.output === "pretty" && terminal.outIsTerminal !== true && !options.quiet) {
    terminal.writeOut(source);
    return "ok";
  }
  const { document } = await readVersion(client, id, version);
  new Output(terminal, options).result({
    text: source,
    schema: "svc.cli.policy-text/v1",
    json: { policy_id: id, version, source, document },
  });
  return "ok";
}
