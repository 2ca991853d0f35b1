import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Holds connections with half a head, from several addresses: `<port> <addresses> <connections of each>`. */
const [port = "0", addresses = "0", connections = "0"] = process.argv.slice(2);

/** Milliseconds until a connection that the server has closed is opened again, and between two addresses. */
const AGAIN_AFTER_MS = 1_000;

const HALF = "POST /api/v1/gateway/execute HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ";

async function hold(localAddress: string): Promise<never> {
  for (;;) {
    const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
    socket.on("error", () => undefined);
    socket.on("connect", () => socket.write(HALF));
    const { promise: closed, resolve } = Promise.withResolvers<undefined>();
    socket.resume().once("close", () => resolve(undefined));
    await closed;
    await delay(AGAIN_AFTER_MS);
  }
}

for (let address = 1; address <= Number(addresses); address += 1) {
  for (let n = 0; n < Number(connections); n += 1) void hold(`127.0.1.${address}`);
  await delay(AGAIN_AFTER_MS);
}
process.stdout.write(`listening ${port}\n`);
