import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that Linux gives to outgoing connections and to servers that ask for any port (from 32768):
 * none of these takes a port between our look and the start of the program.
 */
const FIRST_PORT = 16_000;
const LAST_PORT = 32_000;

/** Most ports that are tried. */
const TRIES = 100;

/** A port on 127.0.0.1 that was free a moment ago; for programs that cannot pick one and say which. */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`expected a free port, found ${String(TRIES)} that are taken`);
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once("error", () => resolve(false));
  server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  return promise;
}
