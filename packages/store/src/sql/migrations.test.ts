import { expect, test } from "vitest";
import { MIGRATIONS } from "./migrations.ts";

test("steps of the schema are numbered from one, without a gap and none twice", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, at) => at + 1));
});
