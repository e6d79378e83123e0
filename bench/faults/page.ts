import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Fault, megabytes, type Outcome } from './fault.ts'
import { describeLoad, type MachineLoad } from './machine-load.ts'

/*
 * docs/faults.md has one line per row of the table; a run replaces the lines of its rows.
 */

export interface MeasuredRow extends Outcome {
  readonly fault: Fault
  readonly tookMs: number
  readonly isQuick: boolean
  readonly load: MachineLoad
}

const page = join(import.meta.dirname, '../../docs/faults.md')

const heading =
  '| # | Fault | Promise | Target | Result | Measured | Run |\n| - | - | - | - | - | - | - |\n'

export function writeRows(rows: readonly MeasuredRow[]): void {
  const text = readFileSync(page, 'utf8')
  const at = text.indexOf(heading)
  if (at === -1) throw new Error('docs/faults.md has no table')
  const start = at + heading.length
  const end = text.indexOf('\n\n', start)
  const table = text.slice(start, end === -1 ? undefined : end + 1)
  const lines = new Map(
    table
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [Number(/^\| (\d+)/.exec(line)?.[1]), line] as const),
  )
  for (const row of rows) lines.set(row.fault.number, lineOf(row))
  const sorted = [...lines].toSorted(([a], [b]) => a - b).map(([, line]) => `${line}\n`)
  writeFileSync(
    page,
    text.slice(0, start) + sorted.join('') + (end === -1 ? '' : text.slice(end + 1)),
  )
}

function lineOf({ fault, verdict, measured, tookMs, isQuick, load }: MeasuredRow): string {
  const when = `${new Date().toISOString().slice(0, 10)} at ${commit()}, ${Math.round(tookMs / 1000)} s, ${describeLoad(load)}${isQuick ? ', quick' : ''}`
  const cells = [fault.fault, fault.promise, fault.target, verdict, measured, when]
  return `| ${fault.number} | ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
}

function commit(): string {
  return spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
}

export function machine(): string {
  return `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${megabytes(totalmem())} of memory, Node ${process.version}`
}
