import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../../support/adapters/checkgw-process.ts";
import {
  bytesOf,
  type Fate,
  HOSTILE_FRAMES,
  type HostileFrame,
  SEAMS,
  type Seam,
  sessionOf,
} from "../../support/requests/hostile-frames.ts";
import { createPolicy } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { type ServerProcess, startServer } from "../../support/server/server-process.ts";

/** Milliseconds for a listener to answer a frame and close. */
const ANSWER_MS = 15_000;

let server: ServerProcess;
let checkgw: RunningCheckgw;

beforeAll(async () => {
  // Only such a server judges the name in Host, which some frames differ in.
  server = await startServer({ authentication: "off" });
  expect((await createPolicy(server.url)).status).toBe(201);
  checkgw = await startCheckgw(server.url);
});
afterAll(async () => {
  await checkgw.stop();
  await server.stop();
});

const fateOf = (frame: HostileFrame, seam: Seam): Fate => frame.at?.[seam] ?? frame.fate;

interface Answers {
  /** Of all final answers. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** Everything that the listener answers on one connection, until it closes it. */
function answersTo(frame: HostileFrame, seam: Seam): Promise<Answers> {
  const port = seam === "execute" ? server.port : checkgw.port;
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytesOf(frame, seam, "none")));
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error("the connection was not closed in time")));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
      resolve({ statuses: statuses.filter((status) => status >= 200), text });
    });
  });
}

// proves OPS-36
describe.each(SEAMS)("E21: frames that two parsers may read apart, at %s", (seam) => {
  it.each(HOSTILE_FRAMES)("$name", async (frame) => {
    const { statuses, text } = await answersTo(frame, seam);
    expect(statuses.length).toBeLessThanOrEqual(1);
    const isAllowed = /"decision":"allow"/.test(text);
    switch (fateOf(frame, seam)) {
      case "judged":
        expect({ statuses, isAllowed }).toEqual({ statuses: [200], isAllowed: true });
        break;
      case "refused":
        expect(isAllowed).toBe(false);
        // /verdict answers 200 to a deny.
        if (seam !== "verdict") for (const status of statuses) expect(status).toBeGreaterThanOrEqual(400);
        break;
      case "either":
        if (isAllowed) expect(statuses).toEqual([200]);
    }
  });

  it("no frame is decided about twice, and none that is refused once", async () => {
    const rows = (await checkedExport(server.url)).map(({ row }) => row["session_id"]);
    const wrong = HOSTILE_FRAMES.flatMap((frame) => {
      const fate = fateOf(frame, seam);
      const asked = rows.filter((session) => session === sessionOf(frame, seam)).length;
      const isRight = { judged: asked === 1, refused: asked === 0, either: asked <= 1 }[fate];
      return isRight ? [] : [`${frame.name}: ${fate}, but ${String(asked)} decisions`];
    });
    expect(wrong).toEqual([]);
  });
});
