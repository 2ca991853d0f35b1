import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { keyRoutes } from "@svc/api/key-routes";
import { operationalRoutes } from "@svc/api/operational-routes";
import { changeContexts, makeConfigFolder, nameSchema, readContexts } from "../connection/context-file.ts";
import { ControlClient } from "../connection/control-client.ts";
import { parseApiKey } from "../connection/read-key.ts";
import { resolveAddress } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderMembers } from "../frame/render-members.ts";
import { replaceFile } from "../frame/replace-file.ts";
import type { Terminal } from "../frame/terminal.ts";
import { awaitLogin } from "./await-login.ts";
import { whoAmIMembers } from "./who-am-i.ts";

export interface LoginOptions extends Pick<ServerOptions, "url" | "context" | "env">, OutputOptions {
  readonly as?: string;
}

/** Characters of the code that the page shows, too. */
const CODE_LENGTH = 8;

/** Signs somebody in by their browser, and keeps the key for a context. @throws CommandFailure */
export async function logIn(options: LoginOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const { url, source } = resolveAddress(options, terminal);
  const name = options.as ?? contextOf(options, terminal) ?? "login";
  if (!nameSchema.safeParse(name).success)
    throw new CommandFailure("usage", `--as: expected a name of letters, digits, . _ and -, found ${name}`);
  const stranger = new ControlClient({ url, source, apiKey: null, orgId: null });
  await stranger.ask(operationalRoutes.getVersion);
  const key = await awaitLogin(({ query, publicKey }) => {
    const code = createHash("sha256").update(publicKey).digest("hex").slice(0, CODE_LENGTH);
    const page = `${url.href.replace(/\/+$/, "")}/login/cli?${query}`;
    output.note(
      `Open this address in a browser on this machine. The page must show the code ${code}.\n\n${page}\n\n`,
    );
  });
  const apiKey = parseApiKey(key);
  const me = await new ControlClient({ url, source, apiKey, orgId: null }).ask(keyRoutes.whoAmI);
  const file = `${name}-login.key`;
  const path = join(makeConfigFolder(terminal), file);
  rmSync(path, { force: true });
  replaceFile(path, `${key}\n`, 0o600);
  await changeContexts(terminal, ({ current, contexts }) => {
    const context = { ...contexts[name], url: url.href, api_key_file: file };
    return {
      contexts: { current: current ?? name, contexts: { ...contexts, [name]: context } },
      value: null,
    };
  });
  output.result({
    text: [
      { text: "signed in", as: "good" },
      `  the context ${name} has the login\n`,
      ...renderMembers(whoAmIMembers(me.body)),
    ],
    schema: "svc.cli.login/v1",
    json: { context: name, ...me.body },
  });
  return "ok";
}

/** The context that names the server. */
function contextOf({ url, context }: LoginOptions, terminal: Terminal): string | null {
  if (context !== undefined) return context;
  const isNamed = url !== undefined || (terminal.environment["SVC_URL"] ?? "") !== "";
  return isNamed ? null : readContexts(terminal).current;
}
