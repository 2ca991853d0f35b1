import { once } from "node:events";
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** What a link does to the bytes of one direction: `pass` after a delay, or `hold` until it is mended. */
export interface Way {
  readonly kind: "pass" | "hold";
  readonly delayMs: number;
}

export interface LinkState {
  /** From the gateway to its database. */
  readonly toDatabase: Way;
  readonly toGateway: Way;
}

const OPEN: Way = { kind: "pass", delayMs: 0 };
export const WHOLE: LinkState = { toDatabase: OPEN, toGateway: OPEN };
export const HELD: Way = { kind: "hold", delayMs: 0 };

/** Most bytes that one direction of a connection holds back: the sender then has to wait, as with TCP. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;

/** A port on this machine that leads a gateway to its database, and that can be broken. */
export interface Link {
  readonly port: number;
  /** Is in force for every byte that arrives after it. What was held goes on in order. */
  set(state: LinkState): void;
  close(): Promise<void>;
}

export async function openLink(target: NetConnectOpts): Promise<Link> {
  let state = WHOLE;
  const lanes = new Set<Lane>();
  const server = createServer((near) => {
    const far = connect(target);
    addLane(near, far, () => state.toDatabase);
    addLane(far, near, () => state.toGateway);
  });
  const addLane = (from: Socket, to: Socket, wayOf: () => Way): void => {
    const lane = new Lane(from, to, wayOf);
    lanes.add(lane);
    // The end of a connection may be held back, too, so the other side has to have learned of it.
    to.once("close", () => lanes.delete(lane));
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      state = next;
      for (const lane of lanes) lane.flow();
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const lane of lanes) lane.end();
      await closed;
    },
  };
}

interface Piece {
  readonly bytes: Buffer;
  readonly dueAtMs: number;
}

/** One direction of one connection. Pieces leave in the order in which they came. */
class Lane {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #wayOf: () => Way;
  readonly #pieces: Piece[] = [];
  #heldBytes = 0;
  #hasEnded = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(from: Socket, to: Socket, wayOf: () => Way) {
    this.#from = from;
    this.#to = to;
    this.#wayOf = wayOf;
    from.setNoDelay(true);
    from.on("data", (bytes: Buffer) => this.#take(bytes));
    from.on("end", () => {
      this.#hasEnded = true;
      this.flow();
    });
    // A connection that breaks on one side is of no use to the other. Its end counts as an event of the link.
    from.on("error", () => this.end());
    from.on("close", () => {
      if (!this.#hasEnded) this.end();
    });
  }

  /** Sends what is due by now, and looks again when the next piece is. */
  flow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const way = this.#wayOf();
    if (way.kind === "hold") return;
    const nowMs = performance.now();
    for (let next = this.#pieces[0]; next !== undefined; next = this.#pieces[0]) {
      // A delay that was taken away does not hold up what it delayed.
      const waitMs = Math.min(next.dueAtMs - nowMs, way.delayMs);
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.flow(), waitMs);
        return;
      }
      this.#pieces.shift();
      this.#heldBytes -= next.bytes.length;
      if (!this.#to.destroyed) this.#to.write(next.bytes);
    }
    if (this.#from.isPaused()) this.#from.resume();
    if (this.#hasEnded && !this.#to.destroyed) this.#to.end();
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#from.destroy();
    this.#to.destroy();
  }

  #take(bytes: Buffer): void {
    this.#pieces.push({ bytes, dueAtMs: performance.now() + this.#wayOf().delayMs });
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > MAX_HELD_BYTES) this.#from.pause();
    // While a timer waits, it sends this piece in its turn.
    if (this.#timer === null) this.flow();
  }
}
