import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface SoakOutcome {
  readonly isSound: boolean
  /** Its lines. */
  readonly printed: readonly string[]
}

/** Runs bench/soak.ts. */
export async function runSoak(minutes: number): Promise<SoakOutcome> {
  const script = join(import.meta.dirname, '../soak.ts')
  const child = spawn(process.execPath, [script, '--minutes', String(minutes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  const lines = printed.split('\n').map((line) => line.trim())
  return { isSound: code === 0, printed: lines.filter((line) => line !== '') }
}
