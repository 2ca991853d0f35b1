import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { compactDecrypt, exportJWK, generateKeyPair } from "jose";
import { CommandFailure } from "../frame/exit-code.ts";

/** Milliseconds that somebody may take in the browser. */
const WAIT_MS = 5 * 60 * 1_000;

/** Bytes of the value that ties the answer of the browser to this run. */
const STATE_BYTES = 24;

/** What a login is asked with. */
export interface AskedLogin {
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
export async function awaitLogin(ask: (asked: AskedLogin) => void): Promise<string> {
  const pair = await generateKeyPair("ECDH-ES", { crv: "X25519", extractable: true });
  const { x: publicKey = "" } = await exportJWK(pair.publicKey);
  const state = randomBytes(STATE_BYTES).toString("base64url");
  const received = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const sealed = sealedIn(request, state);
    answer(response, sealed === null ? 400 : 200);
    if (sealed !== null) received.resolve(sealed);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const late = new CommandFailure(
    "unreachable",
    "nobody signed in within 5 minutes. Run svc-cli login again",
  );
  const timer = setTimeout(() => received.reject(late), WAIT_MS);
  try {
    ask({ query: `port=${String(port)}&key=${publicKey}&state=${state}`, publicKey });
    const { plaintext } = await compactDecrypt(await received.promise, pair.privateKey, {
      keyManagementAlgorithms: ["ECDH-ES"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    return new TextDecoder().decode(plaintext);
  } finally {
    clearTimeout(timer);
    server.closeAllConnections();
    server.close();
  }
}

/** The sealed key that the browser brings; null for every other request. */
function sealedIn({ method, url = "" }: IncomingMessage, state: string): string | null {
  const found = URL.parse(url, "http://127.0.0.1");
  if (method !== "GET" || found === null || found.searchParams.get("state") !== state) return null;
  return found.searchParams.get("login");
}

function answer(response: ServerResponse, status: 200 | 400): void {
  const text = status === 200 ? "You are signed in. Close this page." : "This is not the answer of a login.";
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(`${text}\n`);
}
