import { CommandFailure } from "../frame/exit-code.ts";
import { faultReason } from "./fault-reason.ts";
import { endpointOf } from "./prepare-request.ts";

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

interface StreamOptions {
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The form that the answer must have: a page to log in is not one. Left out: any. */
  readonly mediaType?: string;
  readonly idleMs?: number;
}

/**
 * GET `/api/v1/<path>` as it streams in. Throws CommandFailure `refused` on 401 and 403, else `unreachable`.
 */
export async function* getStream(
  server: ServerAddress,
  path: string,
  { query = {}, mediaType, idleMs = IDLE_TIMEOUT_MS }: StreamOptions = {},
): AsyncGenerator<Uint8Array> {
  const url = endpointOf(server.url, `/api/v1/${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const abort = new AbortController();
  const idle = setTimeout(() => abort.abort(new Error(`no answer for ${idleMs} ms`)), idleMs);
  try {
    const headers = server.apiKey === null ? {} : { authorization: `Bearer ${server.apiKey}` };
    // A redirect would send the key to another address.
    const response = await fetch(url, { headers, redirect: "manual", signal: abort.signal });
    await requireOk(response, url);
    if (mediaType !== undefined) await requireMediaType(response, mediaType, url);
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

async function requireMediaType(response: Response, mediaType: string, url: URL): Promise<void> {
  const found = response.headers.get("content-type") ?? "none";
  if (found.split(";", 1)[0]?.trim() === mediaType) return;
  await response.body?.cancel();
  throw new CommandFailure(
    "unreachable",
    `GET ${url.href} was answered with ${found}, expected ${mediaType}: is this the address of svc-server?`,
  );
}

const ADDRESS_HINT = "name the server with --url or SVC_URL if it listens elsewhere";
