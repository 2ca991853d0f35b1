import { describe, expect, it } from "vitest";
import { newIntegrationCourse } from "../ports/integration-courses.ts";
import type { ContractSubject } from "./contract-subject.ts";

const ID = "int_courses";

/** Where the batches to integrations stand. */
export function integrationCourseContract(subject: ContractSubject): void {
  const store = () => subject.store().integrationCourses;

  describe("courses of integrations", () => {
    // proves INTG-05
    it("are changed by the process that read them last, and are gone when they are removed", async () => {
      const course = newIntegrationCourse(new Map([["gw", 3]]));
      await store().begin(ID, course);
      await store().begin(ID, newIntegrationCourse(new Map()));
      expect(await store().course(ID)).toEqual({ version: 1, course });

      const positions = new Map([
        ["gw", 7],
        ["other", 2],
      ]);
      const failed = {
        ...course,
        positions,
        failures: 2,
        retryAtMs: 5,
        lastError: "broken\0 off",
        rowsSent: 4,
      };
      expect(await store().change(ID, { version: 1, course: failed })).toBe(2);
      const stored = { ...failed, lastError: "broken\ufffd off" };
      expect(await store().course(ID)).toEqual({ version: 2, course: stored });
      expect(await store().change(ID, { version: 1, course })).toBeNull();

      await store().remove(ID);
      expect(await store().course(ID)).toBeNull();
      expect(await store().change(ID, { version: 2, course })).toBeNull();
    });
  });
}
