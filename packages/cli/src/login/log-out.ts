import { keyRoutes } from "@svc/api/key-routes";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface LogoutOptions extends ServerOptions, OutputOptions {
  readonly person?: string;
}

/** Ends the login at the server. The file of its key then holds nothing of use. @throws CommandFailure */
export async function logOut(options: LogoutOptions, terminal: Terminal): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  if (options.person !== undefined)
    return logOutPerson(client, options.person, new Output(terminal, options));
  const asked = client.ask(keyRoutes.endLogin);
  const { body: ended } = await sayWhatIsKnown(asked, changeWords("svc-cli whoami"));
  new Output(terminal, options).result({
    text: `signed out  the login ${ended.id} has ended\n`,
    schema: "svc.cli.logout/v1",
    json: ended,
  });
  return "ok";
}

/** Ends every login of somebody else, or of the caller. */
async function logOutPerson(client: ControlClient, person: string, output: Output): Promise<Outcome> {
  const asked = client.ask(keyRoutes.endLoginsOf, { params: { person } });
  const { body: ended } = await sayWhatIsKnown(asked, changeWords("svc-cli keys list"));
  const { key_ids: ids, enforced } = ended;
  const which = ids.length === 0 ? "all of them had ended before" : ids.join(", ");
  output.result({
    text: [
      enforced ? "signed out" : { text: "NOT KNOWN EVERYWHERE", as: "bad" },
      `  the logins of ${person}: ${which}\n`,
    ],
    schema: "svc.cli.logout-person/v1",
    json: ended,
  });
  return enforced ? "ok" : "unreachable";
}
