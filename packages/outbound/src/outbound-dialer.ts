import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, request } from "undici";
import { type OutboundRules, refuseDestination } from "./judge-destination.ts";

/** Finds every address of a host, as `node:dns` does. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface OutboundDialerParts {
  readonly rules: OutboundRules;
  /** Certificates of authorities in PEM, in place of those of Node. Null: those of Node. */
  readonly ca: string | null;
  /** For tests. */
  readonly resolve?: Resolve;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds for the name, the connection, the answer and its body together. */
  readonly deadlineMs: number;
  /** Bytes of the answer that are read. The rest is left, and the connection ends. */
  readonly maxBytes: number;
}

/** `refused`: a rule forbids it, and nothing was sent. `failed`: the receiver may have got the request. */
export type OutboundOutcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: Buffer;
      /** Whether the answer is longer than was read. */
      readonly isCut: boolean;
    }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Connections to one origin at once, as count, so that a slow receiver holds few of them. */
const CONNECTIONS = 8;

/** Bytes of the head of an answer: as Node's own limit. */
const MAX_HEADER_BYTES = 16 * 1024;

class DestinationRefusedError extends Error {
  override readonly name = "DestinationRefusedError";
}

/**
 * Sends requests to destinations that somebody else named. An address is judged when a connection to it is
 * made, so a name that changes its address between two questions gains nothing. It follows no redirect.
 */
export class OutboundDialer {
  readonly #agent: Agent;

  constructor({ rules, ca, resolve = systemLookup }: OutboundDialerParts) {
    this.#agent = new Agent({
      allowH2: false,
      pipelining: 1,
      connections: CONNECTIONS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: (options, callback) => {
        const host = options.hostname.replace(/^\[|\]$/g, "").toLowerCase();
        const isEncrypted = options.protocol === "https:";
        const port = Number(options.port) || (isEncrypted ? 443 : 80);
        const refusalOf = (address: string) => refuseDestination({ host, port, address, isEncrypted }, rules);
        const refusal = isIP(host) === 0 ? null : refusalOf(host);
        if (refusal !== null) return callback(new DestinationRefusedError(refusal), null);
        const tls = ca === null ? {} : { ca };
        const lookup = judgingLookup(resolve, refusalOf);
        buildConnector({ ...tls, allowH2: false, rejectUnauthorized: true, lookup })(options, callback);
      },
    });
  }

  /** Never rejects because of the destination. */
  async send(asked: OutboundRequest): Promise<OutboundOutcome> {
    const refusal = refuseUrl(asked.url);
    if (refusal !== null) return { kind: "refused", reason: refusal };
    const { url, method, headers, body, deadlineMs, maxBytes } = asked;
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const answer = await request(url, { method, headers, body, signal, dispatcher: this.#agent });
      const read = await readAtMost(answer.body, maxBytes);
      return { kind: "answer", status: answer.statusCode, ...read };
    } catch (error) {
      if (error instanceof DestinationRefusedError) return { kind: "refused", reason: error.message };
      if (signal.aborted) return { kind: "failed", reason: `no answer within ${String(deadlineMs)} ms` };
      return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** @returns why no request may be sent to the URL, before its host is looked up; null: it may */
export function refuseUrl(text: string): string | null {
  if (!URL.canParse(text)) return "the text is not a URL";
  const { protocol, username, password, hash, hostname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "the URL must begin with https:// or http://";
  if (username !== "" || password !== "") return "the URL must not contain credentials";
  if (hash !== "" || text.includes("#")) return "the URL must not contain a fragment";
  return hostname === "" ? "the URL names no host" : null;
}

/** One address that is refused refuses the name: which of them is used is not for the name to choose. */
function judgingLookup(resolve: Resolve, refusalOf: (address: string) => string | null): LookupFunction {
  return (host, options, done) =>
    resolve(host, { all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const first = addresses[0];
      if (first === undefined) return done(new Error(`${host} has no address`), []);
      for (const { address } of addresses) {
        const refusal = refusalOf(address);
        if (refusal !== null) return done(new DestinationRefusedError(refusal), []);
      }
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
}

async function readAtMost(body: AsyncIterable<Buffer>, maxBytes: number) {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > maxBytes) break;
  }
  return { body: Buffer.concat(pieces).subarray(0, maxBytes), isCut: bytes > maxBytes };
}
