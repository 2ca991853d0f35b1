import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A client that sends exactly the bytes it is told to, and nothing by itself. */
export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    // A reset is one of the ways in which a server ends a connection; what came before still counts.
    socket.on("error", () => {});
    socket.on("close", () => this.#wake());
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ host: "127.0.0.1", port });
    const connection = new RawConnection(socket);
    await once(socket, "connect");
    return connection;
  }

  send(data: string | Uint8Array): void {
    this.#socket.write(data);
  }

  /** Sends the same data again and again until the server ends the connection or `times` is reached. */
  async sendRepeatedly(data: Uint8Array, times: number): Promise<void> {
    for (let sent = 0; sent < times && this.#socket.writable; sent += 1) {
      if (this.#socket.write(data)) continue;
      await Promise.race([once(this.#socket, "drain"), once(this.#socket, "close")]).catch(() => {});
    }
  }

  /** The next answer, or null when the connection ended without one. */
  async answer(): Promise<RawAnswer | null> {
    for (;;) {
      const taken = takeAnswer(this.#received);
      if (taken !== null) {
        this.#received = taken.rest;
        return taken.answer;
      }
      if (this.#socket.closed) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the server has ended the connection; what it still sent is left for `answer`. */
  async ended(): Promise<void> {
    if (!this.#socket.closed) await once(this.#socket, "close").catch(() => {});
  }

  /** Ends this side's sending; the server may still answer. */
  finishSending(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

function takeAnswer(received: Buffer): { readonly answer: RawAnswer; readonly rest: Buffer } | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [statusLine = "", ...lines] = received.toString("latin1", 0, headEnd).split("\r\n");
  const headers = new Map(lines.map((line) => headerOf(line)));
  const bodyEnd = headEnd + 4 + Number(headers.get("content-length") ?? 0);
  if (received.byteLength < bodyEnd) return null;
  const body = received.toString("utf8", headEnd + 4, bodyEnd);
  return {
    answer: { status: Number(statusLine.split(" ")[1]), headers, body },
    rest: received.subarray(bodyEnd),
  };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
