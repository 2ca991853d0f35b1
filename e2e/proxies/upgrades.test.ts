// peers: nginx, caddy, haproxy, traefik, envoy
import { connect } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { type GovernedProxy, governedProxies } from "../support/proxies/governed-proxies.ts";
import { startSwitchingBackend } from "../support/proxies/switching-backend.ts";
import { allowReading, governedStage } from "./governed-stage.ts";

/** What follows on the connection as soon as the first answer is there: a call that the policy denies. */
const SMUGGLED = 'POST /refunds HTTP/1.1\r\nHost: a\r\nContent-Length: 15\r\n\r\n{"amount":5000}';

/** Longest wait for the first answer, in milliseconds. */
const FIRST_ANSWER_MS = 10_000;

/** The same where a proxy may withhold the answer, because its backend misbehaves. */
const WITHHELD_MS = 1_000;

/** Longest wait for what the proxy makes of the smuggled bytes, in milliseconds. */
const SECOND_ANSWER_MS = 1_000;

const SETTINGS = "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA";
const OFFERS: Readonly<Record<string, readonly string[]>> = {
  websocket: [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version: 13",
  ],
  h2c: ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", SETTINGS],
  "h2c without naming its settings": ["Connection: Upgrade", "Upgrade: h2c", SETTINGS],
  "an unknown protocol": ["Connection: Upgrade", "Upgrade: foo"],
  "several, in odd spellings": ["connection: keep-alive, uPgRaDe", "UPGRADE: foo, h2c", "upgrade: websocket"],
  "Upgrade without Connection": ["Upgrade: foo"],
  "settings alone": [SETTINGS],
  nothing: [],
};

// proves ADP-07
describe.each(governedProxies)("$name before a backend that answers 101", (proxy: GovernedProxy) => {
  const stage = governedStage(proxy, allowReading, startSwitchingBackend);
  beforeEach(() => stage.backend.switchUnasked(false));

  // Each exchange waits a second for what must not come, so all of them wait together.
  it("no offer opens a tunnel", async () => {
    const offers = Object.entries(OFFERS);
    const answers = await Promise.all(offers.map(([, offer]) => sendThenSmuggle(stage.port, offer)));
    const isOther = (answer = ""): boolean =>
      /^HTTP\/1\.1 \d{3} /.test(answer) && !answer.includes("HTTP/1.1 101");
    expect(offers.flatMap(([name], at) => (isOther(answers[at]) ? [] : [[name, answers[at]]]))).toEqual([]);
    expect(stage.backend.received()).not.toMatch(/refunds|^(?:upgrade|http2-settings):/im);
  });

  it("no offer opens a tunnel when the backend switches without a request", async () => {
    stage.backend.switchUnasked(true);
    const offers = ["websocket", "h2c", "an unknown protocol", "nothing"].map((name) => OFFERS[name] ?? []);
    await Promise.all(offers.map((offer) => sendThenSmuggle(stage.port, offer, { withinMs: WITHHELD_MS })));
    expect(stage.backend.received()).not.toContain("refunds");
  });

  it("a CONNECT opens no tunnel", async () => {
    const targets = ["/orders", `127.0.0.1:${String(stage.backend.port)}`];
    const lines = targets.map((target) => `CONNECT ${target} HTTP/1.1`);
    const sent = lines.map((requestLine) => sendThenSmuggle(stage.port, [], { requestLine }));
    for (const answers of await Promise.all(sent)) expect(answers).not.toMatch(/^HTTP\/1\.1 (?:101|2\d\d) /);
    expect(stage.backend.received()).toBe("");
  });
});

/** Sends an allowed request with an offer, and the smuggled one once an answer is there. */
function sendThenSmuggle(
  port: number,
  offer: readonly string[],
  { requestLine = "GET /orders HTTP/1.1", withinMs = FIRST_ANSWER_MS } = {},
): Promise<string> {
  return new Promise((resolve) => {
    let answers = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`${[requestLine, "Host: 127.0.0.1", ...offer].join("\r\n")}\r\n\r\n`);
    });
    let deadline = setTimeout(() => end(), withinMs);
    const end = (): void => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(answers);
    };
    socket.on("data", (chunk) => {
      if (answers === "") {
        socket.write(SMUGGLED);
        clearTimeout(deadline);
        deadline = setTimeout(end, SECOND_ANSWER_MS);
      }
      answers += chunk.toString("latin1");
      // The second answer: the smuggled bytes were a request, and it was judged.
      if ((answers.match(/^HTTP\/1\.1 /gm)?.length ?? 0) > 1) end();
    });
    socket.on("error", end);
    socket.on("close", end);
  });
}
