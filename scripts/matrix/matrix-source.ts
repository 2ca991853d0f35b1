import type { Age, MatrixFramework } from "./matrix-result.ts";

/** The adapters of one language: what to install, and which tests to run with it. */
export interface MatrixSource {
  readonly language: string;
  /** Runs with the frameworks that SVC_TEST_FRAMEWORKS names: `oldest` or `newest`. */
  readonly testFile: string;
  /**
   * Title of the suite in that file. Below it, titles of tests begin with the name of the framework and a
   * colon, or with `every framework:`.
   */
  readonly suite: string;
  /** What the tests need besides. */
  readonly peers: readonly string[];
  /** Every framework, with the release that its pins ask for. */
  readonly frameworks: (age: Age) => readonly MatrixFramework[];
  /** Installs at least the frameworks of these names. */
  readonly install: (age: Age, names: ReadonlySet<string>) => Promise<void>;
}
