import { ms, type Row, row, thousands, writeSection } from '../page.ts'
import type { Attack } from './attack.ts'
import { startEmbedded, startScaled } from './attacked-service.ts'
import type { AttackOutcome } from './attacker.ts'
import { attacks } from './attacks.ts'
import { prepareTarget, storedSizes } from './prepare-target.ts'
import { startAttack } from './start-attack.ts'
import { type Experience, type Experiences, runVictim, type WorkName, workNames } from './victim.ts'

/*
 * `npm run attacks`: one attack after the other on a filled service, while somebody else uses it. Exits with 1 if that
 * other person was refused or slowed down too much. `-- --only NAME,NAME` runs some of them, `-- --seconds N` sets the
 * length of each. `--scaled` attacks two processes on PostgreSQL and the engine of ClickHouse, and `--scale 0.1` stores
 * and sends a tenth. `--write` writes docs/benchmarks.md after a run of all at full scale.
 */

const seconds = Number(argument('--seconds') ?? 10)
const only = argument('--only')?.split(',')
const scale = Number(argument('--scale') ?? 1)
const isScaled = process.argv.includes('--scaled')
/** Both sides, both processes and both databases share the machine. */
const pace = isScaled ? 0.2 : 1

const maxSlowdown = 10
/** A quiet p99 below this counts as this, so that noise does not decide. */
const floorMs = 20

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}

async function run(): Promise<boolean> {
  const chosen = attacks.filter(({ name }) => only?.includes(name) ?? true)
  const unknown = only?.filter((name) => !attacks.some((one) => one.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`no attack is called ${unknown.join(', ')}`)
  const service = await (isScaled ? startScaled() : startEmbedded())
  const { target, victim } = await prepareTarget(service, scale)
  await service.whenIdle()
  const quiet = await runVictim(victim, Math.max(seconds, 10), pace)
  const rows = [row('Nothing', '', latencies(quiet))]
  console.log(`quiet: ${latencies(quiet)}`)
  let isSound = true
  for (const attack of chosen) {
    const attacking = await startAttack({ name: attack.name, target, seconds })
    const [experiences, outcome] = await Promise.all([
      runVictim(victim, seconds + 1, pace),
      attacking.outcome,
    ])
    const problems = listProblems(experiences, quiet)
    const errors = service.takeErrors()
    isSound &&= problems.length === 0
    rows.push(toRow(attack, experiences, problems, outcome))
    console.log(
      `${problems.length === 0 ? 'ok  ' : 'FAIL'} ${attack.name}: ${latencies(experiences)}; ${sent(outcome)}${problems.map((one) => `\n       ${one}`).join('')}`,
    )
    for (const error of errors) console.log(`       ${error}`)
    await service.whenIdle()
  }
  await service.stop()
  if (only === undefined && scale === 1 && process.argv.includes('--write'))
    writeSection(
      isScaled ? 'Under attack, with PostgreSQL and ClickHouse' : 'Under attack',
      about,
      rows,
    )
  return isSound
}

const about = `Written by \`npm run attacks\`. Somebody in another organization and another network sends ${25 * pace} ingestion requests, ${10 * pace} reads of the trace list, ${10 * pace} of the dashboard and ${2 * pace} sign-ins per second, for ${seconds} s per row; p99 latencies count from when a request was due. One attacker at a time, in its own process with a lower priority, sends what its row says as fast as the service responds. The target for each kind of request is a p99 of at most ${maxSlowdown} times the quiet one, or ${maxSlowdown * floorMs} ms if that is more, and no refusals. The attackers' project has ${thousands(storedSizes.spans)} spans in traces of 20, three traces of ${thousands(storedSizes.spansPerHugeTrace)} spans, ${thousands(storedSizes.signals)} data points and as many log records.${isScaled ? ' Two processes of Assay, PostgreSQL and the engine of ClickHouse share the machine with both sides.' : ''}`

function toRow(
  { name, by, endpoints, connections }: Attack,
  experiences: Experiences,
  problems: readonly string[],
  outcome: AttackOutcome,
): Row {
  const paths =
    endpoints.length > 4
      ? `${endpoints.length} endpoints`
      : endpoints.map(({ path }) => `\`${path}\``).join(', ')
  return row(
    `${name}: ${by}, ${connections} connections, ${paths}`,
    problems.length === 0 ? 'met' : `missed: ${problems.join('; ')}`,
    latencies(experiences),
    sent(outcome),
  )
}

function listProblems(experiences: Experiences, quiet: Experiences): string[] {
  return workNames.flatMap((name) => problemsOf(name, experiences[name], quiet[name]))
}

function problemsOf(name: WorkName, { requests, refusals, p99Ms }: Experience, quiet: Experience) {
  const problems = Object.entries(refusals).map(
    ([reason, count]) => `${name}: ${count} of ${requests} refused (${reason})`,
  )
  const limitMs = maxSlowdown * Math.max(quiet.p99Ms, floorMs)
  if (p99Ms > limitMs) problems.push(`${name}: p99 ${ms(p99Ms)} > ${ms(limitMs)}`)
  return problems
}

function latencies(experiences: Experiences): string {
  return workNames.map((name) => `${name} ${ms(experiences[name].p99Ms)}`).join(', ')
}

function sent(outcome: AttackOutcome): string {
  const counts = Object.entries(outcome).map(([status, count]) => `${thousands(count)} × ${status}`)
  return `attacker: ${counts.join(', ') || 'no responses'}`
}

process.exitCode = (await run()) ? 0 : 1
