import fc from "fast-check";
import { dataFile } from "./data-files.suite.ts";

/** Statements that no rule about the table `orders` may hold for. */
export const HOSTILE_SQL = dataFile<string[]>("sql-hostile.yaml");

/** Pieces of statements, most of which make sense beside each other. */
const PIECES = dataFile<string[]>("sql-pieces.yaml");
const beginnings = fc.constantFrom(
  "SELECT a FROM orders",
  "SELECT",
  "SELECT a FROM orders WHERE",
  "SELECT o.a FROM orders o WHERE",
  "DELETE FROM orders o WHERE",
  "WITH x AS (SELECT 1) SELECT * FROM x",
  "SELECT * FROM (SELECT a FROM orders) o",
  "DELETE FROM orders WHERE a = 1",
  "UPDATE orders SET a = 1 WHERE a = 1",
  "INSERT INTO orders VALUES (1)",
  "",
);
const soups = fc
  .tuple(
    beginnings,
    fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
    fc.constantFrom(" ", " ", " ", ""),
  )
  .map(([beginning, pieces, space]) => [beginning, ...pieces].join(space));
const mutated = fc
  .tuple(fc.constantFrom(...HOSTILE_SQL), fc.nat(40), fc.nat(6), fc.constantFrom(...PIECES))
  .map(([text, at, length, piece]) => `${text.slice(0, at)} ${piece} ${text.slice(at + length)}`);
/** Texts of SQL, of which some make sense, in which only `orders` may be read. */
export const sqlTexts = fc.oneof(soups, mutated);
