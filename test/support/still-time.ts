import type { ManualClock, SdkRequestHandler } from '../../src/testing/index.ts';
import { wrapHandler } from '../../src/testing/wrap-handler.ts';

/** The way to an engine, and a time that stands still while the engine is busy. */
export interface StillTime {
  readonly handler: SdkRequestHandler;
  /**
   * Lets time pass until something is done, but only while no request is at the engine: one that is slow today
   * must not use up a deadline. What faults hold back is not at the engine.
   */
  passing<T>(clock: ManualClock, work: Promise<T>, stepMs?: number): Promise<T>;
}

/** @param onAnswer is called after each answer, and each failure. */
export function stillTime(handler: SdkRequestHandler, onAnswer: () => void = () => {}): StillTime {
  let begun = 0;
  let underWay = 0;
  return {
    handler: wrapHandler(handler, async (http, options) => {
      begun++;
      underWay++;
      try {
        return await handler.handle(http, options);
      } finally {
        underWay--;
        onAnswer();
      }
    }),
    async passing(clock, work, stepMs = 1) {
      let settled = false;
      const done = () => {
        settled = true;
      };
      work.then(done, done);
      while (!settled) {
        // After an answer has come it takes some turns until its body is read, and the next request is begun.
        for (let idle = 0, seen = begun; idle < 5; idle++) {
          if (underWay > 0 || seen !== begun) idle = 0;
          seen = begun;
          await new Promise((resolve) => setImmediate(resolve));
        }
        if (!settled) await clock.advance(stepMs);
      }
      return work;
    },
  };
}
