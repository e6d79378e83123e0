import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/*
 * Faults of the operating system, injected into a running service by strace. Linux only; needs the right to trace.
 */

export const noStrace = 'strace is not installed or may not trace'

/** Whether faults can be injected on this machine. */
export function hasStrace(): boolean {
  const { status } = spawnSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' })
  return status === 0
}

export interface InjectedFault {
  /** The system calls work again. */
  end(): Promise<void>
}

/**
 * From now on the system calls of all threads on the files, or on all files, behave as `inject` says, in the syntax of
 * strace.
 */
export async function injectFault(
  { pid }: ChildProcess,
  inject: string,
  files: readonly string[] = [],
): Promise<InjectedFault> {
  const calls = inject.split(':')[0] ?? ''
  const tracer = spawn('strace', [
    ...['-f', '-o', '/dev/null', '-p', String(pid)],
    ...['-e', `trace=${calls}`, '-e', `inject=${inject}`],
    ...files.flatMap((file) => ['-P', file]),
  ])
  const ended = once(tracer, 'exit')
  const endWithUs = () => tracer.kill('SIGKILL')
  process.once('exit', endWithUs)
  tracer.once('exit', () => process.off('exit', endWithUs))
  // Printed for every thread; the first ones suffice, because the others follow at once.
  await once(tracer.stderr, 'data')
  tracer.stderr.resume()
  return {
    async end() {
      tracer.kill('SIGKILL')
      await ended
    },
  }
}
