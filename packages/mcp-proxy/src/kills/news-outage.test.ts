import { expect, it } from "vitest";
import { createNewsOutage } from "./news-outage.ts";

// proves MCP-27
it("logs each cause once in an outage, also in a later one, and each recovery", () => {
  const lines: string[] = [];
  const line = (fields: object, message?: string) => lines.push(`${JSON.stringify(fields)} ${message ?? ""}`);
  const outage = createNewsOutage({ info: line, warn: line });
  outage.over();
  outage.failed(new Error("down"));
  outage.failed(new Error("down"));
  outage.lasts(1_500);
  outage.lasts(1_500);
  outage.ended(0);
  outage.ended(2);
  outage.failed(new Error("status 403"));
  outage.over();
  outage.over();
  outage.failed(new Error("down"));
  outage.over();
  const cannot = "the news of kill switches cannot be read";
  const again = "{} the news of kill switches can be read again";
  expect(lines).toEqual([
    `{"error":"down"} ${cannot}`,
    `{"error":"no news for 1500 ms"} ${cannot}`,
    '{"calls":2} running calls were ended, because a kill could not reach them',
    `{"error":"status 403"} ${cannot}`,
    again,
    `{"error":"down"} ${cannot}`,
    again,
  ]);
});
