import { expect, it } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { execute } from "../../support/server/api.ts";
import { serverOfTest } from "../../support/server/server-process.ts";
import { ARRIVES, confirms, RECEIVERS, receiverOf } from "./webhook-receiver.ts";

it("stops while a receiver hangs, and sends what that did not confirm under its ids later", async () => {
  const dataDir = await temporaryDirectory();
  const server = await serverOfTest({ dataDir, env: RECEIVERS });
  const receiver = await receiverOf(server, { events: ["policy.decision"] }, () => undefined);
  await Promise.all(Array.from({ length: 20 }, () => execute(server.url)));
  const { requests } = receiver;
  await expect.poll(() => requests.length, ARRIVES).toBeGreaterThan(0);
  // One that does not end is killed.
  expect(await server.stop("SIGTERM")).toBe(0);
  const begun = requests.length;
  expect(begun).toBeLessThanOrEqual(8);
  receiver.respondWith(confirms);
  await serverOfTest({ dataDir, env: RECEIVERS });
  await expect.poll(() => requests.length, ARRIVES).toBe(begun + 20);
  expect(new Set(receiver.received().map(({ id }) => id)).size).toBe(20);
});
