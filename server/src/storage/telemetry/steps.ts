/*
 * Long work as generators. It may be suspended where it yields, so that other work is done in between.
 */

/** Yields `waiting` when the work can only go on after other work. */
export type Steps<Result> = Generator<'waiting' | undefined, Result, void>

/** Does the work without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
