import { describe, expect, it } from "vitest";
import type { ContractSubject } from "./contract-subject.ts";

const FIRST = "ab".repeat(32);

export function deploymentKeyContract(subject: ContractSubject): void {
  describe("DeploymentKeyStore", () => {
    it("keeps the first candidate, for callers at once and after a restart", async () => {
      const place = await subject.newPlace();
      const opened = await place.open();
      const others = Array.from({ length: 8 }, (_, at) => `0${String(at)}`.repeat(32));
      expect(await opened.deploymentKeys.deploymentKey("digest", FIRST)).toBe(FIRST);
      const answers = await Promise.all(
        others.map((other) => opened.deploymentKeys.deploymentKey("digest", other)),
      );
      expect(new Set(answers)).toEqual(new Set([FIRST]));
      await opened.close();
      const again = await place.open();
      expect(await again.deploymentKeys.deploymentKey("digest", "cd".repeat(32))).toBe(FIRST);
      await again.close();
      await place.remove();
    });
  });
}
