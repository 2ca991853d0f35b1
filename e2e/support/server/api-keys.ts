import { type Answer, send } from "./api.ts";
import { BOOTSTRAP_KEY } from "./role-keys.ts";
import type { ServerProcess } from "./server-process.ts";

/** For a test that sends a key with each request itself: its requests get none from `send`. */
export const BOOTSTRAP_ENV = { SVC_AUTH: "on", SVC_BOOTSTRAP_API_KEY: BOOTSTRAP_KEY };

export interface Asked {
  readonly json?: unknown;
  readonly yaml?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks a route below `/api/v1` with one key. */
export type Client = (method: string, path: string, asked?: Asked) => Promise<Answer>;

export function clientOf({ url }: Pick<ServerProcess, "url">, key: string): Client {
  return (method, path, { json, yaml, headers = {} } = {}) => {
    const type: Record<string, string> = yaml === undefined ? {} : { "content-type": "application/yaml" };
    const body = yaml ?? json;
    const sent = { ...type, authorization: `Bearer ${key}`, ...headers };
    return send(method, `${url}/api/v1/${path}`, { ...(body === undefined ? {} : { body }), headers: sent });
  };
}

/** The client that holds the bootstrap key. */
export function operatorOf(server: Pick<ServerProcess, "url">): Client {
  return clientOf(server, BOOTSTRAP_KEY);
}

export interface MadeKey {
  readonly id: string;
  /** With its secret. */
  readonly key: string;
}

/** Makes a key, of role agent unless the body says otherwise. @throws when it is refused. */
export async function issueKey(
  client: Client,
  body: Readonly<Record<string, unknown>> = {},
): Promise<MadeKey> {
  return issued(await client("POST", "keys", { json: { name: "a key", role: "agent", ...body } }), 201);
}

export async function rotateKey(client: Client, id: string, overlap_seconds: number): Promise<MadeKey> {
  return issued(await client("POST", `keys/${id}/rotate`, { json: { overlap_seconds } }), 200);
}

function issued({ status, body }: Answer, expected: number): MadeKey {
  if (status !== expected) throw new Error(`expected a key, found ${String(status)} ${JSON.stringify(body)}`);
  return { id: String(body["id"]), key: String(body["key"]) };
}
