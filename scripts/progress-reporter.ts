import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule, TestSpecification, Vitest } from "vitest/node";
import { root } from "./toolchain.mjs";

/** Milliseconds between two lines about progress: often enough to see that something happens. */
const PROGRESS_MS = 10_000;

/**
 * Says which file failed as soon as it ends, and how far the stage is. What passed is only counted.
 * @public vitest imports it by its path, for npm test
 */
export default class ProgressReporter implements Reporter {
  #vitest: Vitest | undefined;
  #startedMs = 0;
  #saidMs = 0;
  #files = 0;
  #done = 0;
  #failed = 0;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    this.#startedMs = performance.now();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#done += 1;
    if (!module.ok()) {
      this.#failed += 1;
      this.#explain(module);
    }
    const nowMs = performance.now();
    if (nowMs - this.#saidMs < PROGRESS_MS && this.#done < this.#files) return;
    this.#saidMs = nowMs;
    process.stdout.write(`${this.#progress(nowMs)}\n`);
  }

  #progress(nowMs: number): string {
    const leftMs = ((nowMs - this.#startedMs) / this.#done) * (this.#files - this.#done);
    const failed = this.#failed === 0 ? "" : `, ${String(this.#failed)} with failures`;
    const done = `${String(this.#done)} of ${String(this.#files)} files${failed}`;
    return `${process.env["SVC_TEST_STAGE"] ?? "tests"}: ${done}, about ${inMinutes(leftMs)} left`;
  }

  #explain(module: TestModule): void {
    process.stdout.write(`\nFAILED ${relative(root, module.moduleId)}\n`);
    const errors = [...module.errors()];
    for (const test of module.children.allTests("failed")) {
      process.stdout.write(`  ${test.fullName}\n`);
      errors.push(...(test.result().errors ?? []));
    }
    const ofHooks = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    errors.push(...ofHooks);
    const file = process.env["SVC_TEST_HOOK_FAILURES"];
    if (file !== undefined && ofHooks[0] !== undefined)
      appendFileSync(file, `${JSON.stringify({ name: module.moduleId, message: ofHooks[0].message })}\n`);
    for (const error of errors) this.#vitest?.logger.printError(error, { project: module.project });
  }
}

function inMinutes(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, "0")}`;
}
