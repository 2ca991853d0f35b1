import { isIP, type LookupFunction, type Socket } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { Agent, buildConnector } from "undici";
import { connectJudged, type OutboundConnection } from "./connect-judged.ts";
import { explainFault } from "./explain-fault.ts";
import { DestinationRefusedError, type OutboundRules, refuseDestination } from "./judge-destination.ts";
import { destinationOf, type JudgeUrlParts, judgeUrl, type UnknownHosts } from "./judge-url.ts";
import { judgingLookup, type Resolve } from "./judging-lookup.ts";
import { readAtMost } from "./read-at-most.ts";
import { refuseUrl } from "./refuse-url.ts";
import { systemResolve } from "./resolve-names.ts";

export interface OutboundDialerParts {
  readonly rules: OutboundRules;
  /** Certificates of authorities in PEM that count beside those of Node. */
  readonly authorities: readonly string[];
  /** For tests. */
  readonly resolve?: Resolve;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: string;
  /** Without `host`, which would also choose the name that the certificate must have. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** Milliseconds for the name, the connection, the answer and its body together. */
  readonly deadlineMs: number;
  /** Bytes of the answer that are read. The rest is left, and the connection ends. */
  readonly maxBytes: number;
  /**
   * Requests of one pool share connections, and wait for none of another pool: two receivers of one host that
   * must not delay each other. Left out: all such requests share one.
   */
  readonly pool?: string;
  /** Ends the request earlier. */
  readonly signal?: AbortSignal;
}

/** `refused`: a rule forbids it, and nothing was sent. `failed`: the receiver may have got the request. */
export type OutboundOutcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
      /** Whether the answer is longer than was read. */
      readonly isCut: boolean;
    }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Connections to one origin at once, as count, so that a slow receiver holds few of them. */
const CONNECTIONS = 8;

/** Pools that are kept, as count: as many receivers as one server is expected to have. */
const MAX_POOLS = 1_000;

/** Bytes of the head of an answer: as Node's own limit. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Informational answers (1xx) before the answer, as count. One is usual; a flood takes processor time. */
const MAX_INFORMATIONAL = 8;

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * Sends requests to destinations that somebody else named. An address is judged when a connection to it is
 * made, so a name that changes its address between two questions gains nothing. It follows no redirect and
 * heeds no proxy of the environment.
 */
export class OutboundDialer {
  readonly #newAgent: () => Agent;
  /** By pool, the one that was used last at the end. */
  readonly #agents = new Map<string, Agent>();
  readonly #judged: JudgeUrlParts;
  readonly #context: () => SecureContext;

  constructor({ rules, authorities, resolve = systemResolve }: OutboundDialerParts) {
    this.#judged = { rules, resolve };
    let secureContext: SecureContext | null = null;
    this.#context = () => (secureContext ??= contextOf(authorities));
    const connect: buildConnector.connector = (options, callback) => {
      const destination = destinationOf(options);
      const { host } = destination;
      const refusalOf = (address: string) => refuseDestination({ ...destination, address }, rules);
      // No lookup is asked for an address.
      const refusal = isIP(host) === 0 ? null : refusalOf(host);
      if (refusal !== null) return callback(new DestinationRefusedError(refusal), null);
      const lookup: LookupFunction = judgingLookup(resolve, refusalOf);
      // A connector of its own for each connection has no TLS session of an earlier one: a session that a
      // hostile receiver chose would carry its bytes to the next address of its name.
      buildConnector({ ...TLS, lookup, secureContext: this.#context() })(options, callback);
    };
    const limits = { allowH2: false, pipelining: 1, maxHeaderSize: MAX_HEADER_BYTES };
    this.#newAgent = () => new Agent({ ...limits, connections: CONNECTIONS, connect });
  }

  /** Never rejects because of the destination. @throws for a request that no caller may build */
  async send(asked: OutboundRequest): Promise<OutboundOutcome> {
    const { url, method, headers, body, deadlineMs, maxBytes } = asked;
    refuseMisuse(asked);
    const refusal = refuseUrl(url);
    if (refusal !== null) return { kind: "refused", reason: refusal };
    const deadline = AbortSignal.timeout(deadlineMs);
    const flooded = new AbortController();
    const signal = AbortSignal.any([deadline, flooded.signal, ...(asked.signal ? [asked.signal] : [])]);
    let informational = 0;
    const onInfo = (): void => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL) flooded.abort();
    };
    const { origin, hostname, pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    try {
      const answer = await this.#agentOf(asked.pool ?? "").request({
        origin,
        path,
        method,
        headers,
        body,
        signal,
        onInfo,
      });
      const read = await readAtMost(answer.body, maxBytes);
      return { kind: "answer", status: answer.statusCode, headers: answer.headers, ...read };
    } catch (error) {
      if (error instanceof DestinationRefusedError) return { kind: "refused", reason: error.message };
      if (deadline.aborted) return { kind: "failed", reason: `no answer within ${String(deadlineMs)} ms` };
      if (flooded.signal.aborted)
        return { kind: "failed", reason: `more than ${String(MAX_INFORMATIONAL)} informational answers` };
      return { kind: "failed", reason: explainFault(error, hostname) };
    }
  }

  /**
   * Judges a destination before anything is sent there. @returns why nothing may be, as a sentence; null: it
   * may be. Each connection is judged again, because a name can change its address.
   */
  async judge(url: string, unknownHosts: UnknownHosts = "refused"): Promise<string | null> {
    return judgeUrl(url, { ...this.#judged, unknownHosts });
  }

  /** Connects to an address that the rules permit. @throws the reason when none was made */
  async connect(connection: OutboundConnection): Promise<Socket> {
    return connectJudged(this.#judged, connection);
  }

  /** For what encrypts a connection that was made here: the authorities that count. */
  async secureContext(): Promise<SecureContext> {
    return this.#context();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map(async (agent) => agent.destroy()));
  }

  #agentOf(pool: string): Agent {
    const agent = this.#agents.get(pool) ?? this.#newAgent();
    this.#agents.delete(pool);
    this.#agents.set(pool, agent);
    const [oldest] = this.#agents;
    if (this.#agents.size > MAX_POOLS && oldest !== undefined) {
      this.#agents.delete(oldest[0]);
      // Ends when its last request has ended.
      void oldest[1].close();
    }
    return agent;
  }
}

/** The environment cannot turn the check of certificates off: this option is stronger. */
const TLS = { allowH2: false, rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;

function contextOf(authorities: readonly string[]): SecureContext {
  const ca = [...getCACertificates("default"), ...authorities];
  return createSecureContext({ ...(authorities.length === 0 ? {} : { ca }), minVersion: TLS.minVersion });
}

function refuseMisuse({ method, headers }: OutboundRequest): void {
  if (!METHODS.has(method)) throw new TypeError(`method: expected one of ${[...METHODS].join(", ")}`);
  if (Object.keys(headers).some((name) => name.toLowerCase() === "host"))
    throw new TypeError("headers: expected none named host, which the URL gives");
}
