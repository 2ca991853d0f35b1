/** `any`: the database is not known, and what two of them read differently is not sure. */
export const SQL_DIALECTS = ["postgres", "mysql", "sqlite", "any"] as const;
export type SqlDialect = (typeof SQL_DIALECTS)[number];

/** Which quotes make an identifier, and surely nothing else. */
export const IDENTIFIER_QUOTES: { readonly [dialect in SqlDialect]: string } = {
  postgres: '"',
  mysql: "`",
  sqlite: '"`',
  any: "",
};
