import { SEVERITIES, type Severity } from "@svc/contract/severity";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SeverityIndex, type SupervisedCaller } from "./severity-index.ts";

const name = fc.constantFrom("a", "b", "c", "__proto__");
const change = fc.record({
  org: fc.constantFrom("o", "p"),
  agentId: name,
  sessionId: name,
  severity: fc.constantFrom(...SEVERITIES),
});

interface Known {
  readonly org: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly severity: Severity;
}

/** The newest severity of each session, by a walk over every change. */
function naive(changes: readonly Known[], caller: SupervisedCaller): Severity {
  let worst: Severity = "INFO";
  for (const [index, { org, agentId, sessionId, severity }] of changes.entries()) {
    if (org !== caller.org || agentId !== caller.agentId) continue;
    if (caller.sessionId !== null && caller.sessionId !== sessionId) continue;
    const isNewest = !changes
      .slice(index + 1)
      .some((later) => later.org === org && later.agentId === agentId && later.sessionId === sessionId);
    if (isNewest && SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(worst)) worst = severity;
  }
  return worst;
}

// proves HELD-01
it("agrees with a naive list after any changes, for calls with and without a session", () => {
  const caller = fc.record({
    org: fc.constantFrom("o", "p"),
    agentId: name,
    sessionId: fc.option(name),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), caller, (changes, asked) => {
      const index = new SeverityIndex();
      for (const { org, ...record } of changes) index.apply(org, { ...record, since: "", reason: "" });
      expect(index.severityOf(asked)).toBe(naive(changes, asked));
      const sessions = new Set(
        changes.map(({ org, agentId, sessionId }) => JSON.stringify([org, agentId, sessionId])),
      );
      const above = [...sessions].filter((text) => {
        const [org, agentId, sessionId] = JSON.parse(text) as [string, string, string];
        return naive(changes, { org, agentId, sessionId }) !== "INFO";
      });
      expect(index.size).toBe(above.length);
    }),
  );
});
