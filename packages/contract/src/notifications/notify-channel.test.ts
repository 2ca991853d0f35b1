import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { channelKindsOf, storedNotifyChannels } from "./channel-kinds.ts";
import { parseChannelCreation, parseChannelUpdate } from "./notification-channel.ts";
import { notifyChannelsRequestSchema, notifyChannelsSchema } from "./notify-channel.ts";

const URL = "https://chat.example/services/T0/k3v7";
const KEY = "0123456789abcdef0123456789ABCDEF";
const MAIL = "oncall@example.com";

const parsed = (entry: JsonValue) => notifyChannelsRequestSchema.safeParse([entry]);

describe("an entry of those who are told", () => {
  it.each([
    [{ webhook: URL }, { kind: "target", target: { kind: "webhook", address: URL } }],
    [{ slack: URL }, { kind: "target", target: { kind: "slack", address: URL } }],
    [{ chat: URL }, { kind: "target", target: { kind: "slack", address: URL } }],
    [{ pagerduty: KEY }, { kind: "target", target: { kind: "pagerduty", address: KEY } }],
    [{ paging: KEY }, { kind: "target", target: { kind: "pagerduty", address: KEY } }],
    [{ email: [MAIL, MAIL] }, { kind: "target", target: { kind: "email", addresses: [MAIL] } }],
    [{ channel: "operations" }, { kind: "channel", id: "operations" }],
    // As an answer shows them.
    [
      { slack: "set", channel: "auto-1" },
      { kind: "channel", id: "auto-1" },
    ],
    [
      { email: [MAIL], channel: "auto-2" },
      { kind: "target", target: { kind: "email", addresses: [MAIL] } },
    ],
  ])("%j is read", (entry, wanted) => {
    expect(parsed(entry).data).toEqual([wanted]);
  });

  it.each([
    {},
    { slack: "#operations" },
    { slack: "set" },
    { slack: URL, channel: "operations" },
    { slack: URL, chat: URL },
    { pagerduty: "operations" },
    { pagerduty: `${KEY}0` },
    { email: [] },
    { email: ["oncall"] },
    { email: ["oncall@example.com\r\nBcc: other@example.com"] },
    { webhook: `${URL}#fragment` },
    { webhook: "https://user:password@chat.example" },
    { channel: "../other" },
  ])("%j is refused", (entry) => {
    expect(parsed(entry).success).toBe(false);
  });

  it("that was stored by an earlier version shows no address, and tells nobody", () => {
    const earlier = [
      { slack: "#ops" },
      { webhook: URL },
      { slack: "set", channel: "auto-1" },
      { email: [MAIL] },
    ];
    const shown = storedNotifyChannels(earlier);
    expect(shown).toEqual([{ slack: "set" }, { webhook: "set" }, earlier[2], earlier[3]]);
    expect(notifyChannelsSchema.parse(shown)).toEqual(shown);
    expect(channelKindsOf(shown)).toEqual(["slack", "webhook", "slack", "email"]);
  });
});

describe("a channel of its own", () => {
  it("is a target with a description", () => {
    expect(parseChannelCreation({ id: "operations", slack: URL, description: "chat" })).toEqual({
      ok: true,
      value: { id: "operations", target: { kind: "slack", address: URL }, description: "chat", secret: null },
    });
  });

  it.each<[body: JsonValue, pointer: string]>([
    [{}, ""],
    [{ slack: URL, email: [MAIL] }, ""],
    [{ slack: URL, secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3" }, "/secret"],
    [{ webhook: "set", secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3" }, "/secret"],
    [{ webhook: URL, secret: "password" }, "/secret"],
    [{ slak: URL }, "/slak"],
  ])("%j is refused at %j", (body, pointer) => {
    const update = parseChannelUpdate(body);
    expect(update.ok ? [] : update.errors.map((each) => each.pointer)).toContain(pointer);
  });
});
