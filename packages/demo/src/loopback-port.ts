import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const LOOPBACK = "127.0.0.1";

/** Milliseconds that a program gets to listen: a busy machine starts slowly. */
const READY_TIMEOUT_MS = 30_000;

/** Milliseconds between two looks at a port. */
const POLL_INTERVAL_MS = 20;

/**
 * A port for a program that cannot say which one it took: the wanted one, or for 0 one that was free a moment
 * ago. @throws naming the variable when the wanted one is taken.
 */
export async function choosePort(wanted: number, variable: string): Promise<number> {
  const server = createServer();
  server.listen({ host: LOOPBACK, port: wanted });
  await once(server, "listening").catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${variable}: cannot listen on ${LOOPBACK}:${String(wanted)}: ${why}`);
  });
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** @returns whether something listens there in time; false also when `ended` comes first. */
export async function portOpens(port: number, ended: Promise<unknown>): Promise<boolean> {
  const state = { ended: false };
  void ended.then(() => {
    state.ended = true;
  });
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!state.ended && performance.now() < deadline) {
    if (await accepts(port)) return true;
    await delay(POLL_INTERVAL_MS);
  }
  return false;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    const done = (listening: boolean): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  });
}
