import { parseJson } from "@svc/text/parse-json";
import type { IntegrationCourse, IntegrationCourses } from "../ports/integration-courses.ts";
import type { StoreContext } from "./store-context.ts";

export function createIntegrationCourses({ db }: StoreContext): IntegrationCourses {
  return {
    begin: async (id, course) => {
      await db
        .insertInto("integration_courses")
        .values({ id, version: 1, course: render(course) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    course: async (id) => {
      const row = await db
        .selectFrom("integration_courses")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      return row === undefined ? null : { version: row.version, course: parse(row.course) };
    },
    change: async (id, { version, course }) => {
      const { numUpdatedRows } = await db
        .updateTable("integration_courses")
        .set({ version: version + 1, course: render(course) })
        .where("id", "=", id)
        .where("version", "=", version)
        .executeTakeFirst();
      return Number(numUpdatedRows) === 0 ? null : version + 1;
    },
    remove: async (id) => {
      await db.deleteFrom("integration_courses").where("id", "=", id).execute();
    },
  };
}

type CourseJson = Omit<IntegrationCourse, "positions"> & {
  readonly positions: Readonly<Record<string, number>>;
};

function render({ positions, lastError, ...course }: IntegrationCourse): string {
  // PostgreSQL has no text with a NUL.
  const error = lastError?.replaceAll("\0", "\ufffd") ?? null;
  return JSON.stringify({ ...course, lastError: error, positions: Object.fromEntries(positions) });
}

function parse(text: string): IntegrationCourse {
  const { positions, ...course } = parseJson(text) as CourseJson;
  return { ...course, positions: new Map(Object.entries(positions)) };
}
