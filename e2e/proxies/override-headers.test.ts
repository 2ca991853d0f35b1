// peers: nginx, caddy, haproxy, traefik, envoy
import { isOverrideHeader, OVERRIDE_HEADERS } from "@svc/tool-calls/override-headers";
import { describe, expect, it } from "vitest";
import { ALLOW, verdict } from "../support/adapters/gateway-verdicts.ts";
import {
  answerFromBackend,
  BACKEND_BODY,
  type RecordedRequest,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";
import { type GovernedProxy, governedProxies } from "../support/proxies/governed-proxies.ts";
import { sendRaw } from "../support/requests/raw-http.ts";
import { governedStage } from "./governed-stage.ts";

function plainSpelling(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** The plain spelling, and those that a server may fold into it. */
function spellingsOf(name: string): readonly string[] {
  const folded = name.replaceAll("-", "_");
  return [plainSpelling(name), folded, folded.toUpperCase(), name.replaceAll("-", ".")];
}

// proves ADP-06
describe.each(governedProxies)("$name, which allows everything", (proxy: GovernedProxy) => {
  const stage = governedStage(proxy, verdict(ALLOW), () => startRecordingServer(answerFromBackend));

  function overridesIn({ rawHeaders }: RecordedRequest): readonly string[] {
    return rawHeaders.filter((name, index) => index % 2 === 0 && isOverrideHeader(name));
  }

  // proves ADP-13
  it("no header of a verdict reaches a client from a backend", async () => {
    const names = ["decision", "decision-id", "reason", "rule-id", "approval-url", "verdict"];
    const forged = Object.fromEntries(names.map((name) => [`x-svc-${name}`, "forged"]));
    stage.backend.respondWith((_, response) => void response.writeHead(200, forged).end("{}"));
    try {
      const { status, headers } = await sendRaw(stage.port, { method: "GET", target: "/orders" });
      expect([status, [...headers].filter(([, value]) => value === "forged")]).toEqual([200, []]);
    } finally {
      stage.backend.respondWith(answerFromBackend);
    }
  });

  describe.each(["/orders", ...proxy.ungoverned])("GET %s", (target) => {
    it("passes without such a header", async () => {
      expect(await sendRaw(stage.port, { method: "GET", target })).toMatchObject({ body: BACKEND_BODY });
    });

    it.each(["method", "path"] as const)("no header that replaces the %s reaches a backend", async (kind) => {
      const listed = OVERRIDE_HEADERS.filter(({ replaces }) => replaces === kind);
      const sent = listed.flatMap(({ name }) => spellingsOf(name));
      const value = kind === "method" ? "DELETE" : "/refunds";
      // At once: Envoy keeps each connection for a second that it refuses a name on.
      const answers = await Promise.all(
        sent.map((name, at) =>
          sendRaw(stage.port, {
            method: "GET",
            target: `${target}?at=${at}`,
            headers: [`${name}: ${value}`],
          }),
        ),
      );
      const arrived = stage.backend.requests.map(({ method, url }) => `${method} ${url}`);
      const passed = sent.flatMap((_, at) => (answers[at]?.status === 200 ? [`GET ${target}?at=${at}`] : []));
      expect(new Set(arrived)).toEqual(new Set(passed));
      expect(stage.backend.requests.flatMap(overridesIn)).toEqual([]);
      // The adapter refuses these headers, too: in the plain spelling, the configuration itself removes them.
      const refused = listed.filter(({ name }) => answers[sent.indexOf(plainSpelling(name))]?.status !== 200);
      expect(refused).toEqual([]);
    });

    // proves ADP-14
    it("no name that folds to a framing header reaches a backend", async () => {
      const aliases = ["Transfer_Encoding", "Transfer.Encoding", "Content_Length", "Content.Length"];
      for (const name of aliases)
        await sendRaw(stage.port, { method: "GET", target, headers: [`${name}: 5`] });
      const arrived = stage.backend.requests.flatMap(({ rawHeaders }) =>
        rawHeaders.map((name) => name.toLowerCase()),
      );
      expect(aliases.filter((name) => arrived.includes(name.toLowerCase()))).toEqual([]);
    });

    it("all of them at once, named by Connection, too, reach no backend", async () => {
      const names = OVERRIDE_HEADERS.map(({ name }) => name);
      const headers = [
        `Connection: ${names.slice(0, 5).join(", ")}`,
        ...names.map((name) => `${name}: /refunds`),
      ];
      await sendRaw(stage.port, { method: "GET", target, headers });
      expect(stage.backend.requests.flatMap(overridesIn)).toEqual([]);
    });
  });
});
