import { describe, expect, it } from "vitest";
import type { ContractSubject } from "./contract-subject.ts";

export function verifierKeyContract(subject: ContractSubject): void {
  describe("public keys in the store", () => {
    // proves AUD-80
    it("are kept once each, oldest first, for other writers and after a restart", async () => {
      const place = await subject.newPlace();
      const opened = await place.open();
      expect(await opened.audit.verifierKeys()).toEqual([]);
      const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 9, 0, second));
      await opened.audit.noteVerifierKey("svc-audit+b", at(1));
      await opened.audit.noteVerifierKey("svc-audit+a", at(2));
      await opened.audit.noteVerifierKey("svc-audit+b", at(3));
      await opened.close();
      const other = await place.open({ logId: "gw-other" });
      await other.audit.noteVerifierKey("svc-audit+a", at(0));
      await other.audit.noteVerifierKey("svc-audit+c", at(0));
      expect(await other.audit.verifierKeys()).toEqual(["svc-audit+c", "svc-audit+b", "svc-audit+a"]);
      await other.close();
      await place.remove();
    });
  });
}
