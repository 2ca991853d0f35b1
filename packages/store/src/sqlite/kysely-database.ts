import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Tables } from "../sql/tables.ts";

/** kysely over a connection of node:sqlite. The code that opened the connection closes it. */
export function kyselyOver(connection: DatabaseSync): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => undefined,
        prepare: (text) => {
          const statement = connection.prepare(text);
          return {
            reader: statement.columns().length > 0,
            all: (parameters) => statement.all(...bindable(parameters)),
            run: (parameters) => statement.run(...bindable(parameters)),
            iterate: (parameters) => statement.iterate(...bindable(parameters)),
          };
        },
      },
    }),
  });
}

/** The tables' columns are texts, integers and blobs. node:sqlite refuses anything else when it binds. */
function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
