import type { Client, QueryConfig, QueryResult, QueryResultRow } from "pg";

/** Statements of one connection, one after another. The driver gives up its own queue in its next version. */
export class QueryQueue {
  readonly client: Client;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: Client) {
    this.client = client;
  }

  /** @throws what the statement ends with; the statements behind it run all the same. */
  query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    const asked = this.#last.then(() => this.client.query<Row>(statement));
    this.#last = asked.catch(() => undefined);
    return asked;
  }
}
