import type { JsonObject } from "@svc/text/json-value";
import { z } from "zod";
import type { AuditRow } from "../audit/audit-row.ts";
import type { RowName, RowNamed } from "./row-name.ts";

/** One kind of event: when it is sent, the form of its `data`, an example, and how a row becomes one. */
export interface WebhookKind<Name extends RowName = RowName> {
  /** Goes on after "Sent when". */
  readonly when: string;
  /** The rows that it is made of. */
  readonly rows: readonly Name[];
  readonly data: z.ZodObject;
  readonly example: JsonObject;
  /** At the end of its id: tells it apart from another event of the same row. */
  readonly suffix: string;
  /**
   * The `data` of the event of a row; null when the row makes none.
   * @param place of the row, `<log id>.<sequence number>`
   * @throws ZodError for a row that is not one
   */
  readonly dataOf: (row: AuditRow, place: string) => JsonObject | null;
}

interface KindDefinition<Name extends RowName, Shape extends z.ZodRawShape> {
  readonly when: string;
  readonly rows: readonly Name[];
  readonly data: Shape;
  readonly example: NoInfer<z.input<z.ZodObject<Shape>>>;
  readonly suffix?: string;
  readonly read: (row: RowNamed<Name>, place: string) => NoInfer<z.input<z.ZodObject<Shape>>> | null;
}

/** The compiler compares the row, the form and the example with each other. */
export function webhookKind<const Name extends RowName, Shape extends z.ZodRawShape>(
  definition: KindDefinition<Name, Shape>,
): WebhookKind<Name> {
  const { when, rows, example, suffix = "", read } = definition;
  const data = z.strictObject(definition.data);
  return {
    when,
    rows,
    data,
    // Read by documents and samples alone: a start does not compile the form of every kind for it.
    get example() {
      return data.parse(example) as JsonObject;
    },
    suffix,
    dataOf: (row, place) => {
      const given = read(row as RowNamed<Name>, place);
      return given === null ? null : (data.parse(given) as JsonObject);
    },
  };
}

/** These members of a row, under the same names. */
export function picked<Row extends AuditRow, Name extends keyof Row>(
  row: Row,
  ...names: readonly Name[]
): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}
