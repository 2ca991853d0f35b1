import { createHash, randomBytes, type webcrypto } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { keyRoutes } from "@svc/api/key-routes";
import { operationalRoutes } from "@svc/api/operational-routes";
import { compactDecrypt, exportJWK, generateKeyPair } from "jose";
import { changeContexts, makeConfigFolder, nameSchema, readContexts } from "../connection/context-file.ts";
import { ControlClient } from "../connection/control-client.ts";
import { parseApiKey } from "../connection/read-key.ts";
import { resolveAddress } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { replaceFile } from "../frame/files.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { whoAmIMembers } from "./log-out.ts";

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

/** Milliseconds that somebody may take in the browser. */
const WAIT_MS = 5 * 60 * 1_000;

/** Bytes of the value that ties the answer of the browser to this run. */
const STATE_BYTES = 24;

/** What a login is asked with. */
interface AskedLogin {
  /** Of the page of the server, behind its address. */
  readonly query: string;
  /** The public key, whose digest the page and the terminal show. */
  readonly publicKey: string;
}

/**
 * Listens on this machine until the browser brings the sealed key of the login.
 * @param ask called when it listens
 * @returns the key. @throws CommandFailure `unreachable` when none came in time
 */
async function awaitLogin(ask: (asked: AskedLogin) => void): Promise<string> {
  const pair = await generateKeyPair("ECDH-ES", { crv: "X25519", extractable: true });
  const { x: publicKey = "" } = await exportJWK(pair.publicKey);
  const state = randomBytes(STATE_BYTES).toString("base64url");
  const received = Promise.withResolvers<string>();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sealed = sealedIn(request, state);
    if (sealed === null) return answer(response, 400, "This is not the answer of a login.");
    try {
      const key = await unseal(sealed, pair.privateKey);
      answer(response, 200, "You are signed in. Close this page.");
      received.resolve(key);
    } catch (error) {
      answer(response, 400, `You are not signed in: ${DAMAGED}`);
      received.reject(new CommandFailure("unreachable", DAMAGED, error));
    }
  };
  const server = createServer((request, response) => void receive(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const late = new CommandFailure(
    "unreachable",
    "nobody signed in within 5 minutes. Run svc-cli login again",
  );
  const timer = setTimeout(() => received.reject(late), WAIT_MS);
  try {
    ask({ query: `port=${String(port)}&key=${publicKey}&state=${state}`, publicKey });
    return await received.promise;
  } finally {
    clearTimeout(timer);
    server.closeAllConnections();
    server.close();
  }
}

const DAMAGED =
  "the browser brought an answer of the server that is damaged or was made for somebody else. " +
  "Run svc-cli login again.";

async function unseal(sealed: string, privateKey: webcrypto.CryptoKey): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, privateKey, {
    keyManagementAlgorithms: ["ECDH-ES"],
    contentEncryptionAlgorithms: ["A256GCM"],
  });
  return new TextDecoder().decode(plaintext);
}

/** The sealed key that the browser brings; null for every other request. */
function sealedIn({ method, url = "" }: IncomingMessage, state: string): string | null {
  const found = URL.parse(url, "http://127.0.0.1");
  if (method !== "GET" || found === null || found.searchParams.get("state") !== state) return null;
  return found.searchParams.get("login");
}

function answer(response: ServerResponse, status: 200 | 400, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(`${text}\n`);
}
