/** What a switch names. */
export interface SwitchTarget {
  readonly account_wide: boolean;
  readonly scope: string;
  readonly target_id: string | null;
}

/** What a switch stops, in the words of `svc-cli kill`. */
export function targetText({ account_wide, scope, target_id }: SwitchTarget): string {
  return account_wide ? "global" : `${scope} ${target_id ?? ""}`;
}
