import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notificationChannelRoutes } from "@svc/api/notification-channel-routes";
import { afterAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const CHANNEL = notificationChannelRoutes.getNotificationChannel.answers[200].example;
const TESTED = notificationChannelRoutes.testNotificationChannel.answers[200].example;

const PATH = "/api/v1/notification-channels/operations";
const ADDRESS = "https://hooks.example.com/services/T0/B0/k3v7";

const folder = mkdtempSync(join(tmpdir(), "svc-channels-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string, mode = 0o600): string {
  const path = join(folder, randomUUID());
  writeFileSync(path, text, { mode });
  return path;
}

/** A server that answers so, and what it was asked. */
async function recording(answer: object) {
  const asked: (readonly [line: string, body: unknown])[] = [];
  const url = await scriptedServer((request, response) => {
    void request
      .setEncoding("utf8")
      .toArray()
      .then((pieces) => {
        const text = pieces.join("");
        const body: unknown = text === "" ? null : JSON.parse(text);
        asked.push([`${String(request.method)} ${String(request.url)}`, body]);
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      });
  });
  const run = (...words: string[]) =>
    runCaptured(["channels", ...words, "--url", url], { stdin: `${ADDRESS}\n` });
  return { asked, run };
}

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

  it("makes one with the address in a file, which it does not print, and removes it", async () => {
    const { asked, run } = await recording(CHANNEL);
    const put = await run(
      "put",
      "operations",
      "--slack-file",
      fileWith(`${ADDRESS}\n`),
      "--description",
      "ops",
    );
    expect([put.exitCode, put.out]).toEqual([0, expect.stringContaining(CHANNEL.origin)]);
    expect(put.out).not.toContain("k3v7");
    expect((await run("remove", "operations")).exitCode).toBe(0);
    expect(asked).toEqual([
      [`PUT ${PATH}`, { slack: ADDRESS, description: "ops" }],
      [`DELETE ${PATH}`, null],
    ]);
  });

  it.each<[words: readonly string[], asked: readonly unknown[]]>([
    [
      ["put", "operations", "--email", "a@example.com,b@example.com"],
      [[`PUT ${PATH}`, { email: ["a@example.com", "b@example.com"] }]],
    ],
    [["put", "operations", "--slack-file", "-"], [[`PUT ${PATH}`, { slack: ADDRESS }]]],
    [
      ["put", "operations", "--keep"],
      [
        [`GET ${PATH}`, null],
        [`PUT ${PATH}`, { slack: "set", description: CHANNEL.description }],
      ],
    ],
    [["put", "operations", "--email", "a@example.com", "--dry-run"], []],
    [["remove", "operations", "--dry-run"], [[`GET ${PATH}`, null]]],
  ])("asks for %j with %j", async (words, wanted) => {
    const { asked, run } = await recording(CHANNEL);
    expect((await run(...words)).exitCode).toBe(0);
    expect(asked).toEqual(wanted);
  });

  it.each<[words: readonly string[], why: string]>([
    [[], "expected one of --slack-file, --webhook-file, --pagerduty-file, --email and --keep, found none"],
    [["--keep", "--email", "a@example.com"], "found --email and --keep"],
    [["--email", "a@example.com", "--secret-file", "s"], "--secret-file: expected only with --webhook-file"],
    [["--slack-file", "/nowhere/url"], "expected a file of mode 600 with the address of an incoming webhook"],
    [["--pagerduty-file", fileWith("k3v7")], "--pagerduty-file: expected the integration key of a service"],
    [["--slack-file", fileWith("hooks.example.com/k3v7")], "found another text (not shown)"],
    [["--webhook-file", fileWith(ADDRESS, 0o644)], "its mode is 644: run chmod 600 on it"],
    [["--webhook-file", fileWith(ADDRESS), "--secret-file", fileWith("k3v7")], "expected whsec_ and Base64"],
  ])("refuses %j before anything is asked", async (words, why) => {
    const { asked, run } = await recording(CHANNEL);
    const { exitCode, out, error } = await run("put", "operations", ...words);
    expect([exitCode, out, error]).toEqual([2, "", expect.stringContaining(why)]);
    expect(error).not.toContain("k3v7");
    expect(asked).toEqual([]);
  });
});
