import type { Wording } from "./wording.ts";

/** `course` is JSON. */
export interface IntegrationCoursesTable {
  id: string;
  version: number;
  course: string;
}

export function integrationCourseTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE integration_courses (
      id ${text} NOT NULL PRIMARY KEY,
      version ${integer} NOT NULL,
      course ${text} NOT NULL
    )`,
  ];
}
