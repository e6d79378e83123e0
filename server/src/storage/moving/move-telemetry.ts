import { addSums, type RowSum } from '../row-sums.ts'
import type { RowImport, TableSums } from '../telemetry/clickhouse/import/import-rows.ts'
import { findDifferences, type MoveTarget } from '../telemetry/clickhouse/import/open-target.ts'
import { DamagedRow, type MovedCounts, type TelemetrySource } from '../telemetry/moved-rows.ts'
import { type Began, telemetryRecord } from './moved-files.ts'

/*
 * Moves telemetry piece by piece: the traces and log records of a project and day, and some metrics at a time. A piece
 * that was completed is not moved again. At the end, everything is read back and compared.
 */

export interface TelemetryMove {
  readonly source: TelemetrySource
  readonly target: MoveTarget
  /** `2026-01-31` */
  readonly today: string
  readonly print: (line: string) => void
}

export interface MovedTelemetry {
  /** Rows by table. */
  readonly rowCounts: Readonly<Record<string, number>>
  /** Traces whose totals an earlier version had computed differently. */
  readonly recomputedTraces: number
}

const seriesPerPiece = 500
const damagedRowsMax = 20

interface Piece {
  readonly sums: TableSums
  readonly recomputed: number
}

/** Throws a one-line error, after everything else was moved, when rows are damaged or what is read back differs. */
export async function moveTelemetry(move: TelemetryMove): Promise<MovedTelemetry> {
  const { source, target, print } = move
  const earlier = await target.readPieces()
  const { day } = await begin(move, earlier)
  const run: Run = { ...move, earlier, day, damaged: [] }
  const projects: { readonly projectId: string; readonly piece: Piece }[] = []
  for (const projectId of source.projects()) {
    print(`Project ${projectId} (${projects.length + 1} of ${source.projects().length})`)
    projects.push({ projectId, piece: await moveProject(run, projectId) })
  }
  checkDamaged(run.damaged)
  for (const { projectId, piece } of projects) await compareProject(run, projectId, piece.sums)
  const whole = joinPieces(projects.map(({ piece }) => piece))
  return { rowCounts: countRows(whole.sums), recomputedTraces: whole.recomputed }
}

interface Run extends TelemetryMove {
  readonly earlier: ReadonlyMap<string, string>
  /** On which the move began. */
  readonly day: string
  /** The messages of rows that cannot be read. */
  readonly damaged: string[]
}

async function begin(
  { source, target, today }: TelemetryMove,
  earlier: ReadonlyMap<string, string>,
): Promise<Began> {
  const fingerprint = source.fingerprint()
  const stored = earlier.get(telemetryRecord)
  if (stored === undefined) {
    const began = { fingerprint, day: today }
    await target.completePiece(telemetryRecord, JSON.stringify(began))
    return began
  }
  const began = JSON.parse(stored) as Began
  if (began.fingerprint === fingerprint) return began
  throw new Error(
    'The data folder was used after the move began. Drop the database in ClickHouse, and repeat the command.',
  )
}

async function moveProject(run: Run, projectId: string): Promise<Piece> {
  const { source } = run
  const pieces: Piece[] = []
  const damagedBefore = run.damaged.length
  await skippingDamaged(run, async () => {
    for (const day of source.traceDays(projectId)) {
      pieces.push(
        await movePiece(run, `traces ${projectId} ${day}`, async (into) => {
          for (const trace of source.traces(projectId, day)) {
            await skippingDamaged(run, () => into.addTrace(trace))
          }
        }),
      )
    }
  })
  await skippingDamaged(run, async () => {
    for (const day of source.logDays(projectId)) {
      pieces.push(
        await movePiece(run, `logs ${projectId} ${day}`, async (into) => {
          for (const log of source.logs(projectId, day)) await into.addLog(projectId, log)
        }),
      )
    }
  })
  await skippingDamaged(run, async () => {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const series = source.series(projectId, after, seriesPerPiece)
      pieces.push(
        await movePiece(run, `metrics ${projectId} ${after}`, async (into) => {
          for (const each of series) await into.addSeries(projectId, each)
        }),
      )
      after = series.at(-1)?.position
    }
  })
  const piece = joinPieces(pieces)
  if (run.damaged.length === damagedBefore) checkCounts(run, projectId, piece.sums)
  return piece
}

async function movePiece(
  run: Run,
  name: string,
  move: (into: RowImport) => Promise<void>,
): Promise<Piece> {
  const { target, earlier, day, damaged, print } = run
  const completed = earlier.get(name)
  if (completed !== undefined) return JSON.parse(completed) as Piece
  const before = damaged.length
  const into = target.openImport(day)
  await skippingDamaged(run, () => move(into))
  await into.flush()
  const piece = { sums: into.sums(), recomputed: into.recomputed() }
  if (damaged.length > before) return piece
  await target.completePiece(name, JSON.stringify(piece))
  const counts = Object.entries(countRows(piece.sums)).map(([table, count]) => `${count} ${table}`)
  // Without the project, and without the position of metrics.
  const label = name.replace(/ \S+ /, ' ').replace(/^metrics \d+$/, 'metrics')
  if (counts.length > 0) print(`  ${label}: ${counts.join(', ')}`)
  return piece
}

async function skippingDamaged({ damaged }: Run, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DamagedRow)) throw error
    damaged.push(error.message)
    if (damaged.length >= damagedRowsMax) checkDamaged(damaged)
  }
}

function checkDamaged(damaged: readonly string[]): void {
  if (damaged.length === 0) return
  throw new Error(
    [
      `${damaged.length} rows of telemetry.sqlite are damaged, so the move is not complete:`,
      ...damaged.map((message) => `  ${message}`),
      'Restore a backup of the data folder, or start the service on it and delete these traces. Then drop the database in ClickHouse and repeat the command.',
    ].join('\n'),
  )
}

/** What was read must be as much as the engine counted when it stored it. */
function checkCounts({ source, damaged }: Run, projectId: string, sums: TableSums): void {
  const moved = countRows(sums)
  const counted: MovedCounts = source.counts(projectId)
  for (const [table, count] of Object.entries(counted)) {
    if (count === (moved[table] ?? 0)) continue
    damaged.push(
      `${table} of project ${projectId}: ${count} were recorded, but ${moved[table] ?? 0} can be read`,
    )
  }
}

async function compareProject(
  { target, print }: Run,
  projectId: string,
  expected: TableSums,
): Promise<void> {
  let [read, printedAtMs] = [0, performance.now()]
  const found = await target.readSums(projectId, (count) => {
    read += count
    if (performance.now() - printedAtMs < progressEveryMs) return
    printedAtMs = performance.now()
    print(`  ${read} rows of project ${projectId} read back`)
  })
  const differences = findDifferences(expected, found)
  if (differences.length === 0) {
    print(`Project ${projectId}: ${read} rows read back, all equal`)
    return
  }
  throw new Error(
    [
      `What ClickHouse has of project ${projectId} differs from what was moved:`,
      ...differences.map((difference) => `  ${difference}`),
      'Drop the database in ClickHouse, and repeat the command.',
    ].join('\n'),
  )
}

const progressEveryMs = 5000

function joinPieces(pieces: readonly Piece[]): Piece {
  const sums: Record<string, RowSum> = {}
  for (const piece of pieces) {
    for (const [key, sum] of Object.entries(piece.sums)) {
      const other = sums[key]
      sums[key] = other === undefined ? sum : addSums(other, sum)
    }
  }
  return { sums, recomputed: pieces.reduce((sum, { recomputed }) => sum + recomputed, 0) }
}

function countRows(sums: TableSums): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [key, { count }] of Object.entries(sums)) {
    const [table = ''] = key.split(' ')
    counts[table] = (counts[table] ?? 0) + count
  }
  return counts
}
