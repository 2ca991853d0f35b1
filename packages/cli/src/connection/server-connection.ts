import { CommandFailure } from "../frame/exit-code.ts";
import { endpointOf } from "./api-endpoint.ts";
import { faultReason } from "./fault-reason.ts";

/**
 * Longest silence of the server in milliseconds, before its answer and between pieces of it.
 * The total time is not limited, because an export may be long.
 */
const IDLE_TIMEOUT_MS = 60_000;

/** Largest answer in bytes that is read as one piece. */
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface ServerAddress {
  readonly url: URL;
  readonly apiKey: string | null;
}

/**
 * GET `/api/v1/<path>` as it streams in. Throws CommandFailure `refused` on 401 and 403, else `unreachable`.
 */
export async function* getStream(
  server: ServerAddress,
  path: string,
  idleMs = IDLE_TIMEOUT_MS,
): AsyncGenerator<Uint8Array> {
  const url = endpointOf(server.url, `/api/v1/${path}`);
  const abort = new AbortController();
  const idle = setTimeout(() => abort.abort(new Error(`no answer for ${idleMs} ms`)), idleMs);
  try {
    const headers = server.apiKey === null ? {} : { authorization: `Bearer ${server.apiKey}` };
    // A redirect would send the key to another address.
    const response = await fetch(url, { headers, redirect: "manual", signal: abort.signal });
    await requireOk(response, url);
    for await (const chunk of response.body ?? []) {
      idle.refresh();
      yield chunk;
      idle.refresh();
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
      "unreachable",
      `GET ${url.href} failed: ${faultReason(error)}; ${ADDRESS_HINT}`,
      error,
    );
  } finally {
    clearTimeout(idle);
    abort.abort();
  }
}

/** GET `/api/v1/<path>` as text. Fails as `getStream` does. */
export async function getText(server: ServerAddress, path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of getStream(server, path)) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) {
      throw new CommandFailure(
        "unreachable",
        `GET ${path}: expected at most ${MAX_ANSWER_BYTES} bytes, found more`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function requireOk(response: Response, url: URL): Promise<void> {
  if (response.ok) return;
  await response.body?.cancel();
  const answer = `GET ${url.href} was answered ${response.status}`;
  if (response.status === 401 || response.status === 403) {
    throw new CommandFailure(
      "refused",
      `${answer}: give --api-key-stdin or SVC_API_KEY a key that may read the audit log`,
    );
  }
  throw new CommandFailure("unreachable", `${answer}, expected 200`);
}

const ADDRESS_HINT = "name the server with --url or SVC_URL if it listens elsewhere";
