import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SocketOutcome, SocketPlan } from './sockets.ts'

export interface HeldSockets {
  readonly pid: number
  readonly outcome: Promise<SocketOutcome>
  /** Ends the process, which closes what is open. */
  kill(): void
}

/** Opens the sockets in a process of their own; resolves when all are open. */
export async function holdSockets(plan: SocketPlan): Promise<HeldSockets> {
  const child = fork(join(import.meta.dirname, 'sockets.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  child.send(plan)
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const outcome = once(child, 'close').then(() => {
    process.off('exit', killWithUs)
    return JSON.parse(printed) as SocketOutcome
  })
  // Whoever kills it does not wait for it.
  outcome.catch(() => undefined)
  const isOpen = await Promise.race([
    once(child, 'message').then(() => true),
    outcome.then(() => false),
  ])
  if (!isOpen) throw new Error('the sockets were not opened')
  return { pid: child.pid ?? 0, outcome, kill: () => void child.kill('SIGKILL') }
}
