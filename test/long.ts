import { inject, type TestContext, type TestOptions, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether `npm run test:long` runs the tests. */
    isLong: boolean
  }
}

/** Whether `npm run test:long` runs the tests. Its configuration lists the files that use this. */
export const isLong = inject('isLong')

/** Returns the first value in `npm test` and the second in `npm run test:long`. */
export function shortOrLong<Value>(short: Value, long: Value): Value {
  return isLong ? long : short
}

/** Declares a test that only `npm run test:long` runs. */
export function longTest(
  title: string,
  options: TestOptions,
  run: (context: TestContext) => Promise<void>,
): void {
  if (isLong) test(title, options, run)
}
