import type { PathTemplate, TemplateSegment } from "./path-template.ts";
import type { Route } from "./route-table.ts";

/** A route that no request reaches, and the last of those before it that take them all; by place. */
export interface HiddenRoute {
  readonly hidden: number;
  readonly by: number;
}

/** Finds the first route of which every method and every path belongs to routes before it, or null. */
export function findHiddenRoute(routes: readonly Pick<Route, "path" | "methods">[]): HiddenRoute | null {
  for (const [hidden, { path, methods }] of routes.entries()) {
    const before = routes.slice(0, hidden);
    const takers = methods.map((method) =>
      before.findIndex((other) => other.methods.includes(method) && covers(other.path, path)),
    );
    if (!takers.includes(-1)) return { hidden, by: Math.max(...takers) };
  }
  return null;
}

/** Whether every path that the other template matches is matched by this one. */
function covers({ segments }: PathTemplate, { segments: others }: PathTemplate): boolean {
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === "rest") return true;
    const other = others[index];
    if (other === undefined || !coversSegment(segment, other)) return false;
  }
  return segments.length === others.length;
}

function coversSegment(segment: TemplateSegment, other: TemplateSegment): boolean {
  if (other.kind === "rest") return false;
  return segment.kind === "literal"
    ? other.kind === "literal" && segment.text === other.text
    : segment.kind === "parameter";
}
