import { type Fault, type FaultRun, type Outcome, seconds } from './fault.ts'
import { describeLoad, isBusy, measureLoad } from './machine-load.ts'
import { type MeasuredRow, machine, writeRows } from './page.ts'
import { faults } from './table.ts'

/*
 * `npm run faults`: the rows of the fault table, one after the other. `-- --rows 1,4` picks some, `--quick` takes a few
 * minutes, `--soak-minutes N` lengthens the last row, `--write` writes docs/faults.md. Exits with 1 if a promise was
 * not met.
 */

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}

function chosenFaults(): readonly Fault[] {
  const numbers = argument('--rows')?.split(',').map(Number)
  const unknown = numbers?.filter((number) => !faults.some((one) => one.number === number)) ?? []
  if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(', ')}.`)
  return faults.filter(({ number }) => numbers?.includes(number) ?? true)
}

/** A run that throws has not measured anything, and the rows after it run all the same. */
async function measure(fault: Fault, run: FaultRun): Promise<Outcome> {
  try {
    return await fault.measure(run)
  } catch (error) {
    return { verdict: 'missed', measured: `the run failed: ${String(error).split('\n')[0]}` }
  }
}

const run: FaultRun = {
  isQuick: process.argv.includes('--quick'),
  soakMinutes: Number(argument('--soak-minutes') ?? 1),
}
const rows: MeasuredRow[] = []
console.log(machine())
for (const fault of chosenFaults()) {
  const before = await measureLoad()
  const startedAt = performance.now()
  const measured = await measure(fault, run)
  const tookMs = performance.now() - startedAt
  const after = await measureLoad()
  const load = after.usedShare > before.usedShare ? after : before
  const isExcused = measured.isOnlyLate === true && isBusy(load)
  const outcome: Outcome = isExcused ? { ...measured, verdict: 'busy' } : measured
  const row = { ...outcome, fault, tookMs, isQuick: run.isQuick, load }
  rows.push(row)
  console.log(
    `${String(fault.number).padStart(2)} ${outcome.verdict}: ${fault.fault} (${seconds(tookMs)}; ${describeLoad(load)})\n   ${outcome.measured}`,
  )
  if (process.argv.includes('--write')) writeRows([row])
}
const count = (verdict: Outcome['verdict']) => rows.filter((row) => row.verdict === verdict).length
console.log(
  `${count('met')} met, ${count('missed')} missed, ${count('busy')} late on a busy machine, ${count('not run')} not run`,
)
process.exit(count('missed') > 0 ? 1 : 0)
