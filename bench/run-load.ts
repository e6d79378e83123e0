import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadOutcome, LoadPlan } from './load.ts'

/** Runs a plan in its own process, so that sending does not slow down the measuring process. */
export async function runLoad(plan: LoadPlan): Promise<LoadOutcome> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'load.ts'), JSON.stringify(plan)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += String(chunk)
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the load generator ended with ${code}`)
  const outcome = JSON.parse(printed) as LoadOutcome
  // A refusal is faster than a successful response and must not be measured.
  if (plan.work.kind === 'read' && outcome.refused > 0)
    throw new Error(
      `${outcome.refused} of ${outcome.requests} reads were refused: ${outcome.firstRefusal}`,
    )
  return outcome
}
