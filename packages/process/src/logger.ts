/**
 * A structured log, in the shape of pino. `fields` never hold a secret or the value of an argument. A part
 * that writes fewer levels takes a `Pick` of this type.
 */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
