import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { EXIT_CODES } from "../frame/exit-code.ts";
import { getStream } from "./server-connection.ts";

it("gives up on a server that falls silent, whatever came before", async () => {
  const server = createServer((_, response) => void response.write("first"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // A busy machine has this long for the first piece.
  const silenceMs = 1_500;
  const address = { url: new URL(`http://127.0.0.1:${port}`), apiKey: null };
  const stream = getStream(address, "audit/export", { idleMs: silenceMs });
  expect(Buffer.from((await stream.next()).value as Uint8Array).toString()).toBe("first");
  await expect(stream.next()).rejects.toMatchObject({
    exitCode: EXIT_CODES.unreachable,
    message: expect.stringContaining("no answer for 1500 ms") as string,
  });
  server.closeAllConnections();
  server.close();
});
