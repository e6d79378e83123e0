import { constants, setPriority } from 'node:os'

/*
 * Priorities of threads that share the processors with the main thread. The main thread serves everybody, while one of
 * these serves a single request or works in the background. Called in the thread itself. Linux has a priority per thread;
 * elsewhere it would apply to the whole process, so it is not changed.
 */

/** For threads that a request waits for. */
export function runBelowMainThread(): void {
  lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL / 2)
}

/** For threads that no request waits for: on a busy processor they get a tenth of the time, so that they do not starve. */
export function runInBackground(): void {
  lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

function lowerPriority(niceness: number): void {
  if (process.platform === 'linux') setPriority(niceness)
}
