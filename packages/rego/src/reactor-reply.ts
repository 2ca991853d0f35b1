/** What packages/rego/reactor/requests.go answers. Absent members were empty. */
export interface ReactorReply {
  readonly error?: string;
  readonly problems?: readonly ReactorProblem[];
  readonly rules?: readonly string[];
  readonly old_syntax_row?: number;
  readonly new_syntax?: string;
  readonly handle?: number;
  readonly explained?: ReactorExplanation;
}

export interface ReactorProblem {
  readonly code: string;
  readonly message: string;
  readonly row: number;
  readonly column: number;
  readonly details?: unknown;
}

interface ReactorExplanation {
  readonly result: string;
  readonly error: string;
  readonly trace: string;
  readonly is_trace_cut: boolean;
  readonly covered: readonly ReactorLines[] | null;
  readonly not_covered: readonly ReactorLines[] | null;
  readonly percent: number;
}

interface ReactorLines {
  readonly first: number;
  readonly last: number;
}
