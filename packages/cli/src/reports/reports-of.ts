import type { ReportFormat } from "../frame/output.ts";
import { renderGithub } from "./render-github.ts";
import { renderJunit } from "./render-junit.ts";
import { renderSarif } from "./render-sarif.ts";
import { renderTap } from "./render-tap.ts";
import type { Report } from "./report.ts";

/** A report in every form that builds read. */
export function reportsOf(report: Report): Readonly<Record<ReportFormat, () => string>> {
  return {
    github: () => renderGithub(report),
    sarif: () => renderSarif(report),
    junit: () => renderJunit(report),
    tap: () => renderTap(report),
  };
}
