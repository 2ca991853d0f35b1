import type { Server, Socket } from "node:net";
import { type MonotonicClock, systemClock } from "@svc/process/clock";
import { getOrAdd } from "@svc/process/get-or-add";
import { type Budget, TokenBuckets } from "@svc/process/token-buckets";
import { networkOf } from "../network-of.ts";
import { ClosingTurns, closeInTurns } from "./closing-turns.ts";
import { ADAPTER_CONNECTIONS, type ConnectionCounts, UNPROVEN_ACCEPTS } from "./connection-limits.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** What a listener bounds. The defaults are those of an adapter. */
export interface ConnectionLimits extends ConnectionCounts {
  readonly accepts: Budget;
}

/**
 * Why a connection was closed. `accepts`: its address opens too many a second. `address`: its address holds
 * too many unproven ones, and it was the oldest. `places`: the same for all addresses together. `pipelining`:
 * too many requests wait behind others of their connections, and its request had waited longest.
 */
export const CLOSE_CAUSES = ["accepts", "address", "places", "pipelining"] as const;
export type CloseCause = (typeof CLOSE_CAUSES)[number];

export interface ConnectionGateOptions {
  readonly trustedProxies?: TrustedProxies;
  /** Called for each connection that a limit closes. */
  readonly onClosed?: (cause: CloseCause, address: string) => void;
  readonly limits?: Partial<ConnectionLimits>;
  readonly clock?: MonotonicClock;
}

/** Most addresses whose accepts are counted, as count: some megabytes. */
const MAX_COUNTED_ADDRESSES = 10_000;

interface Held {
  readonly socket: Socket;
  /** What the limits per address count it for; null: a trusted proxy, or proven. */
  address: string | null;
  isProven: boolean;
}

const UNPROVEN = new WeakMap<Socket, () => void>();

/**
 * Called when a connection has brought a request that only a known client can make. Costs little, so it can
 * be called for each request.
 */
export function proveConnection(socket: Socket): void {
  UNPROVEN.get(socket)?.();
}

/** From now on, what proves `other`, the socket of TLS, proves the connection behind it that was accepted. */
export function shareProof(accepted: Socket, other: Socket): void {
  const prove = UNPROVEN.get(accepted);
  if (prove !== undefined) UNPROVEN.set(other, prove);
}

/**
 * Bounds what connections of unknown clients take. A connection is unproven until `proveConnection`. Unproven
 * ones have places of their own, and proven ones have the others. When the places are taken, a new
 * connection gets that of the oldest: the first request of an ordinary client comes at once, so what is old
 * under a flood is what sends nothing. So a client with a key always gets in.
 */
export class ConnectionGate {
  readonly #limits: ConnectionLimits;
  readonly #options: ConnectionGateOptions;
  readonly #accepts: TokenBuckets;
  readonly #turns = new ClosingTurns();
  /** In the order in which they came. */
  readonly #unproven = new Set<Held>();
  readonly #byAddress = new Map<string, Set<Held>>();
  readonly #closed = { accepts: 0, address: 0, places: 0, pipelining: 0 };
  #proven = 0;

  constructor(options: ConnectionGateOptions = {}) {
    this.#options = options;
    this.#limits = {
      ...ADAPTER_CONNECTIONS,
      accepts: UNPROVEN_ACCEPTS,
      ...options.limits,
    };
    this.#accepts = new TokenBuckets(
      this.#limits.accepts,
      options.clock ?? systemClock,
      MAX_COUNTED_ADDRESSES,
    );
  }

  /** Connections that hold a place, as counts. */
  get held(): { readonly proven: number; readonly unproven: number } {
    return { proven: this.#proven, unproven: this.#unproven.size };
  }

  /** Connections that a limit has closed, as counts. */
  get closed(): Readonly<Record<CloseCause, number>> {
    return this.#closed;
  }

  /** Spreads closings over turns of the loop. */
  get turns(): ClosingTurns {
    return this.#turns;
  }

  /** Stands before everything else that listens for connections of the server, from now on. */
  guard(server: Server): void {
    const takers = server.rawListeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      if (this.#admit(socket)) for (const take of takers) take.call(server, socket);
    });
  }

  /** Gives a connection a place, or closes it. */
  #admit(socket: Socket): boolean {
    const address = this.#countedAddress(socket);
    if (address !== null && this.#accepts.take(address).kind === "empty") {
      socket.destroy();
      this.#report("accepts", address);
      return false;
    }
    closeInTurns(socket, this.#turns);
    const held: Held = { socket, address, isProven: false };
    this.#unproven.add(held);
    if (address !== null) getOrAdd(this.#byAddress, address, () => new Set<Held>()).add(held);
    UNPROVEN.set(socket, () => this.#prove(held));
    socket.once("close", () => this.#leave(held));
    this.#makeRoom(address);
    return true;
  }

  /** Closes a connection that has pipelined too many requests. */
  closePipelining(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    socket.destroy();
    this.#report("pipelining", address);
  }

  #makeRoom(address: string | null): void {
    const { maxUnproven, maxUnprovenPerAddress } = this.#limits;
    const ofAddress = address === null ? undefined : this.#byAddress.get(address);
    if (ofAddress !== undefined && ofAddress.size > maxUnprovenPerAddress)
      this.#closeOldest(ofAddress, "address");
    else if (this.#unproven.size > maxUnproven) this.#closeOldest(this.#unproven, "places");
  }

  #closeOldest(among: ReadonlySet<Held>, cause: CloseCause): void {
    const [oldest] = among;
    if (oldest === undefined) return;
    const address = oldest.socket.remoteAddress ?? "";
    this.#forget(oldest);
    oldest.socket.destroy();
    this.#report(cause, address);
  }

  #report(cause: CloseCause, address: string): void {
    this.#closed[cause] += 1;
    this.#options.onClosed?.(cause, address);
  }

  /** With the places of proven ones taken, it keeps a place of the others and becomes the newest there. */
  #prove(held: Held): void {
    // Nobody would give the place of a closed connection back. A shared proof is called again.
    if (held.isProven || held.socket.destroyed) return;
    const { address } = held;
    this.#forget(held);
    if (address !== null) this.#accepts.giveBack(address);
    held.address = null;
    if (this.#proven < this.#limits.maxProven) {
      UNPROVEN.delete(held.socket);
      held.isProven = true;
      this.#proven += 1;
    } else this.#unproven.add(held);
  }

  #leave(held: Held): void {
    UNPROVEN.delete(held.socket);
    if (held.isProven) this.#proven -= 1;
    else this.#forget(held);
  }

  /** Takes an unproven connection out of the counts. */
  #forget(held: Held): void {
    this.#unproven.delete(held);
    if (held.address === null) return;
    const ofAddress = this.#byAddress.get(held.address);
    ofAddress?.delete(held);
    if (ofAddress?.size === 0) this.#byAddress.delete(held.address);
  }

  #countedAddress({ remoteAddress = "" }: Socket): string | null {
    return this.#options.trustedProxies?.has(remoteAddress) === true ? null : networkOf(remoteAddress);
  }
}
