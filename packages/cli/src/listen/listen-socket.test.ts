import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { askListening, openListenSocket } from "./listen-socket.ts";

const DELIVERY = { id: "evt_1", delivery_id: "dlv_1", status: 200, fault: null, ms: 1 };

let home = "";
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "svc-listen-"))));
afterEach(() => rmSync(home, { recursive: true }));

const terminal = () => ({ environment: { XDG_CONFIG_HOME: home } });

/** A program that stands where `svc-cli listen` does. */
async function inItsPlace(onSocket: (socket: Socket) => void): Promise<void> {
  mkdirSync(join(home, "svc"));
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    onSocket(socket);
  });
  server.listen(join(home, "svc", "listen.sock"));
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

describe("the socket of svc-cli listen", () => {
  // proves CLI-77
  it("says what became of a sample", async () => {
    const socket = await openListenSocket(terminal(), async () => DELIVERY);
    onTestFinished(() => socket?.close());
    expect(await askListening("policy.decision", terminal())).toEqual(DELIVERY);
    expect(await openListenSocket(terminal(), async () => DELIVERY)).toBeNull();
  });

  it("is not there when nobody listens", async () => {
    expect(await askListening("policy.decision", terminal())).toBeNull();
  });

  it.each<[string, (socket: Socket) => void]>([
    ["answers nothing", () => undefined],
    ["hangs up", (socket) => socket.destroy()],
    ["ends early", (socket) => socket.end('{"id":')],
    ["answers another text", (socket) => socket.write("hello\n")],
  ])("ends trigger with 3 when it %s", async (_, onSocket) => {
    await inItsPlace(onSocket);
    await expect(askListening("policy.decision", terminal(), 300)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("svc-cli listen runs"),
    });
  });

  it("needs a path that a socket can have", async () => {
    const environment = { XDG_CONFIG_HOME: join(home, "x".repeat(120)) };
    const wanted = { exitCode: 2, message: expect.stringContaining("at most 103 bytes") };
    await expect(openListenSocket({ environment }, async () => DELIVERY)).rejects.toMatchObject(wanted);
    await expect(askListening("policy.decision", { environment })).rejects.toMatchObject(wanted);
  });

  it("says that its folder cannot be made", async () => {
    writeFileSync(join(home, "svc"), "");
    await expect(openListenSocket(terminal(), async () => DELIVERY)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("cannot be made"),
    });
  });
});
