import { notificationChannelRoutes } from "@svc/api/notification-channel-routes";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const CHANNEL = notificationChannelRoutes.getNotificationChannel.answers[200].example;
const TESTED = notificationChannelRoutes.testNotificationChannel.answers[200].example;

function answering(body: object): Promise<string> {
  return scriptedServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
}

// proves CHAN-13
describe("svc-cli channels", () => {
  it("lists who is told", async () => {
    const url = await answering({ notification_channels: [CHANNEL], next_cursor: null });
    const { exitCode, out } = await runCaptured(["channels", "list", "--url", url]);
    expect(exitCode).toBe(0);
    expect(out).toContain(CHANNEL.id);
    expect(out).toContain(CHANNEL.origin);
  });

  it("says whether a test message arrived, and fails when it did not", async () => {
    const good = await runCaptured(["channels", "test", CHANNEL.id, "--url", await answering(TESTED)]);
    expect([good.exitCode, good.out]).toEqual([0, expect.stringContaining("answered 200") as string]);
    const failed = { ...TESTED, delivered: false, status: 404, fault: "the receiver answered 404" };
    const bad = await runCaptured(["channels", "test", CHANNEL.id, "--url", await answering(failed)]);
    expect([bad.exitCode, bad.out]).toEqual([
      1,
      expect.stringContaining("the receiver answered 404") as string,
    ]);
  });
});
