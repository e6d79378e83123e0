import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AttackOutcome, AttackPlan } from './attacker.ts'

/** Runs an attack in its own process. Resolves when it has started; its outcome follows. */
export async function startAttack(
  plan: AttackPlan,
): Promise<{ readonly outcome: Promise<AttackOutcome> }> {
  const child = fork(join(import.meta.dirname, 'attacker.ts'), [JSON.stringify(plan)], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  const ready = once(child, 'message')
  const isReady = await Promise.race([ready.then(() => true), closed.then(() => false)])
  if (!isReady) throw new Error(`the attacker ${plan.name} could not start`)
  const outcome = closed.then(([code]) => {
    if (code !== 0) throw new Error(`the attacker ${plan.name} ended with ${code}`)
    return JSON.parse(printed) as AttackOutcome
  })
  return { outcome }
}
