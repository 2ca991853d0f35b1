import { expect, test } from "vitest";
import { SEVERITIES, worstSeverity } from "./severity.ts";

test("the worst severity of an agent is that of its worst session", () => {
  expect(worstSeverity([])).toBe("INFO");
  expect(worstSeverity(["WARNING", "INFO"])).toBe("WARNING");
  expect(worstSeverity(SEVERITIES)).toBe("EMERGENCY");
  expect(worstSeverity(["CRITICAL", "EMERGENCY", "WARNING"])).toBe("EMERGENCY");
});
