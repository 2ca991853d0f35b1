import { describe, expect, it } from "vitest";
import { splitTarget } from "./split-target.ts";

describe("splitTarget", () => {
  it.each([
    ["/keys", "/keys", null],
    ["/keys?", "/keys", ""],
    ["/keys?limit=1", "/keys", "limit=1"],
    ["/policies?why=ready?&dry_run=true", "/policies", "why=ready?&dry_run=true"],
    ["/policies??", "/policies", "?"],
  ])("splits %s at the first question mark", (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});
