/** One thing that every implementation of a port must do, for any test runner: `it(title, run)`. */
export interface ConformanceCase {
  readonly title: string;
  /** Rejects with an AssertionError where the implementation does otherwise. */
  run(): Promise<void>;
}
