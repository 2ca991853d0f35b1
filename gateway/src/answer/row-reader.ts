import type { RowPosition } from "@svc/store/ports/row-position";

/** Reads rows that were appended. The bytes are what was hashed, or the text that they are in UTF-8. */
export interface RowReader {
  row(position: RowPosition): Promise<{ readonly bytes: Uint8Array | string } | null>;
}
