import { DEFAULT_ROGUE_DETECTION, parseRogueDetection } from "@svc/contract/rogue-detection";
import { expect, it } from "vitest";
import { putRogueDetection } from "../namespaces/put-rogue-detection.ts";
import { OPERATOR, testPorts } from "../testing/test-ports.ts";
import { LiveSettings } from "./live-settings.ts";

function withInterval(interval_seconds: number) {
  const parsed = parseRogueDetection({ rogue_detection: { heartbeat: { interval_seconds } } });
  if (!parsed.ok) throw new Error("expected settings");
  return parsed.value;
}

it("a change is in force within a second and one read", async () => {
  const ports = testPorts();
  const live = new LiveSettings(ports);
  await live.start();
  expect(live.of("acme", "default")).toEqual(DEFAULT_ROGUE_DETECTION);
  await putRogueDetection(ports, OPERATOR, { id: "default", settings: withInterval(5) });
  await ports.time.advance(1_000);
  expect(live.of("acme", "default").heartbeat.interval_seconds).toBe(5);
  expect(live.of("other", "default")).toEqual(DEFAULT_ROGUE_DETECTION);
  expect(live.of("acme", "prod")).toEqual(DEFAULT_ROGUE_DETECTION);
  await live.stop();
});

it("settings that did not change keep their identity, so that nobody plans anew", async () => {
  const ports = testPorts();
  await putRogueDetection(ports, OPERATOR, { id: "default", settings: withInterval(5) });
  const live = new LiveSettings(ports);
  await live.start();
  const before = live.of("acme", "default");
  const { generation } = live;
  await live.read();
  expect(live.of("acme", "default")).toBe(before);
  expect(live.generation).toBe(generation);
  await putRogueDetection(ports, OPERATOR, { id: "default", settings: withInterval(6) });
  await live.read();
  expect(live.generation).toBe(generation + 1);
  await live.stop();
});

it("a read that fails leaves the last known settings in force, and the next one is tried", async () => {
  const ports = testPorts();
  await putRogueDetection(ports, OPERATOR, { id: "default", settings: withInterval(5) });
  const live = new LiveSettings(ports);
  await live.start();
  ports.database.before = () => Promise.reject(new Error("the disk is gone"));
  await ports.time.advance(1_000);
  expect(live.of("acme", "default").heartbeat.interval_seconds).toBe(5);
  expect(ports.logged).toEqual([expect.stringContaining("last known")]);
  ports.database.before = async () => {};
  await putRogueDetection(ports, OPERATOR, { id: "default", settings: withInterval(7) });
  await ports.time.advance(1_000);
  expect(live.of("acme", "default").heartbeat.interval_seconds).toBe(7);
  await live.stop();
});

it("a first read that fails fails the start", async () => {
  const ports = testPorts();
  ports.database.before = () => Promise.reject(new Error("the disk is gone"));
  await expect(new LiveSettings(ports).start()).rejects.toThrow("the disk is gone");
});
