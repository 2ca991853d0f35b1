/** `unreachable`: nothing could be measured. `refused`: the key is refused. `usage`: a setting is wrong. */
export type DrillFaultKind = "unreachable" | "refused" | "usage";

/** What kept a drill from measuring. The message says what was expected, what came and what to do. */
export class DrillFault extends Error {
  override readonly name = "DrillFault";
  readonly kind: DrillFaultKind;

  constructor(kind: DrillFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function isDrillFault(error: unknown): error is DrillFault {
  return error instanceof DrillFault;
}
