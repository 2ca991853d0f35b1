import { keyRoutes } from "@svc/api/key-routes";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface LogoutOptions extends ServerOptions, OutputOptions {}

/** Ends the login at the server. The file of its key then holds nothing of use. @throws CommandFailure */
export async function logOut(options: LogoutOptions, terminal: Terminal): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const asked = client.ask(keyRoutes.endLogin);
  const { body: ended } = await sayWhatIsKnown(asked, changeWords("svc-cli whoami"));
  new Output(terminal, options).result({
    text: `signed out  the login ${ended.id} has ended\n`,
    schema: "svc.cli.logout/v1",
    json: ended,
  });
  return "ok";
}
