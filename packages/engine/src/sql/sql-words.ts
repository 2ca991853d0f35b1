import { wordList } from "../word-list.ts";
import type { SqlDialect } from "./sql-dialect.ts";

/** Words with which a statement does more than read and write rows, or that are not read here. */
export const UNREAD_WORDS: ReadonlySet<string> = new Set([
  ...wordList("INTO FOR LOCK COPY CALL DO EXECUTE PREPARE PROCEDURE OUTFILE DUMPFILE"),
  ...wordList("LOAD HANDLER EXPLAIN ANALYZE TABLE LATERAL TABLESAMPLE ONLY MERGE ATTACH"),
  ...wordList("DETACH PRAGMA USE SHOW DESCRIBE VACUUM MATCH AGAINST GLOB REGEXP CREATE"),
  ...wordList("ALTER DROP TRUNCATE GRANT REVOKE BEGIN COMMIT ROLLBACK STRAIGHT_JOIN PIVOT"),
  ...wordList("UNPIVOT COLLATE OPERATOR RAISE INDEXED PARTITION_BY APPLY DECLARE EXEC SHUTDOWN"),
  ...wordList("RLIKE SOUNDS MEMBER WITH SELECT INSERT UPDATE DELETE REPLACE JOIN UNION"),
  ...wordList("INTERSECT EXCEPT MINUS SET FROM WHERE CURRENT BINARY ARRAY"),
]);

/** Keywords that no table, alias or function has as its name without quotes. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...UNREAD_WORDS,
  ...wordList("AS ON USING GROUP HAVING ORDER BY LIMIT OFFSET FETCH WINDOW RETURNING"),
  ...wordList("NATURAL LEFT RIGHT FULL INNER OUTER CROSS AND OR XOR NOT IN EXISTS"),
  ...wordList("ANY SOME ALL DISTINCT CASE WHEN THEN ELSE END IS NULL LIKE ILIKE"),
  ...wordList("BETWEEN VALUES DEFAULT TRUE FALSE ASC DESC ESCAPE INTERVAL OVER FILTER"),
  ...wordList("DIV MOD RECURSIVE MATERIALIZED CONFLICT DUPLICATE PARTITION QUALIFY ISNULL NOTNULL"),
]);

/** Keywords that no function is called, in any dialect: a parenthesis after them groups. */
export const BEFORE_GROUP: ReadonlySet<string> = new Set([
  ...wordList("AND OR NOT IN EXISTS ANY SOME ALL CASE WHEN THEN ELSE BETWEEN SELECT WHERE"),
  ...wordList("ON HAVING DISTINCT LIMIT OFFSET AS USING RETURNING"),
]);

/** Words before a list or a query in parentheses, of which a comparison holds for some. */
export const QUANTIFIERS: ReadonlySet<string> = new Set(["ANY", "SOME"]);

/** Words that are operators after a value. Anywhere else a function may have such a name. */
export const INFIX: ReadonlySet<string> = new Set(wordList("LIKE ILIKE IS XOR DIV MOD ESCAPE"));

/** Words that end a value although they are keywords. */
export const ENDS_OF_VALUES: ReadonlySet<string> = new Set(wordList("END NULL TRUE FALSE"));

/** Words that are not keywords here, and after which PostgreSQL reads a value. */
export const BEFORE_VALUES: ReadonlySet<string> = new Set(
  wordList("SYMMETRIC ASYMMETRIC BOTH LEADING TRAILING VARIADIC ROWS RANGE GROUPS TO ZONE SIMILAR PLACING"),
);

/** Operators of MySQL alone: elsewhere a function or a type may have such a name. */
export const MYSQL_INFIX: ReadonlySet<string> = new Set(wordList("XOR DIV MOD"));

/** Keywords that PostgreSQL takes for the name of a type where no value stands before them. */
export const MAY_BE_TYPES: ReadonlySet<string> = new Set([
  ...MYSQL_INFIX,
  ...wordList("IS LIKE ILIKE ESCAPE ISNULL NOTNULL OUTER PARTITION RECURSIVE MATERIALIZED CONFLICT"),
  ...wordList("DUPLICATE QUALIFY FILTER OVER MEMBER AGAINST GLOB REGEXP RLIKE SOUNDS MATCH"),
]);

/** Words that stand between the call of an aggregate and a parenthesis. */
export const AFTER_CALLS: ReadonlySet<string> = new Set(wordList("OVER FILTER"));

/** Words before BY: a function may be called `by`. */
export const BEFORE_BY: ReadonlySet<string> = new Set(wordList("ORDER GROUP PARTITION"));

/** Words that are keywords of other dialects, and plain names of tables and columns in these. */
export const PLAIN_NAMES: { readonly [dialect in SqlDialect]: ReadonlySet<string> } = {
  postgres: new Set(wordList("MEMBER MATCH AGAINST REGEXP RLIKE SOUNDS GLOB")),
  sqlite: new Set(wordList("MEMBER AGAINST RLIKE SOUNDS MATCH")),
  mysql: new Set(),
  any: new Set(),
};

/** Constants and other words that no column is called without quotes. */
export const CONSTANTS: ReadonlySet<string> = new Set([
  ...wordList("CURRENT_USER SESSION_USER USER CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_ROLE"),
  ...wordList("LOCALTIME LOCALTIMESTAMP CURRENT_CATALOG CURRENT_SCHEMA SYSTEM_USER ROWID OID CTID"),
  ...wordList("UTC_DATE UTC_TIME UTC_TIMESTAMP _ROWID_ TABLEOID XMIN CMIN XMAX CMAX UNKNOWN"),
]);

/** Functions that only compute from their arguments, in every dialect. */
export const SAFE_FUNCTIONS: ReadonlySet<string> = new Set([
  ...wordList("abs avg cast ceil ceiling char_length coalesce concat count date floor"),
  ...wordList("length lower ltrim max min nullif now round rtrim substr substring sum"),
  ...wordList("trim upper row_number rank dense_rank lag lead mod div char time timestamp"),
]);

/** Types of casts that only convert. */
export const PLAIN_TYPES: ReadonlySet<string> = new Set([
  ...wordList("INT INTEGER BIGINT SMALLINT TEXT DATE TIMESTAMP TIME BOOLEAN REAL FLOAT"),
  ...wordList("NUMERIC DECIMAL VARCHAR CHAR UUID TIMESTAMPTZ"),
]);

/** Those of MySQL alone. */
export const MYSQL_TYPES: ReadonlySet<string> = new Set(["SIGNED", "UNSIGNED"]);

/** Types that may stand before a text, as in `DATE '2026-01-01'`. */
export const TYPES_OF_TEXTS: ReadonlySet<string> = new Set(["DATE", "TIME", "TIMESTAMP", "INTERVAL"]);
