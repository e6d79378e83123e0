import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import { join } from 'node:path'

/*
 * docs/benchmarks.md has one section per script; each script replaces its own section.
 */

export interface Row {
  readonly work: string
  readonly target: string
  readonly measured: string
  readonly reference: string
}

export function row(work: string, target: string, measured: string, reference = ''): Row {
  return { work, target, measured, reference }
}

const page = join(import.meta.dirname, '../docs/benchmarks.md')

/** Replaces the table under a heading and returns the page's text. */
export function writeSection(title: string, about: string, rows: readonly Row[]): string {
  const section = [
    `## ${title}`,
    '',
    `${about} Measured on ${new Date().toISOString().slice(0, 10)} at ${commit()}: ${machine()}.`,
    '',
    '| Work | Target | Measured | Reference from the same run |',
    '| - | - | - | - |',
    ...rows.map((one) => `| ${one.work} | ${one.target} | ${one.measured} | ${one.reference} |`),
    '',
  ].join('\n')
  const [head = '', ...sections] = readFileSync(page, 'utf8').split(/^(?=## )/m)
  const at = sections.findIndex((one) => one.startsWith(`## ${title}\n`))
  const isLast = at === -1 || at === sections.length - 1
  const text = isLast ? section : `${section}\n`
  const written = at === -1 ? [...sections.map(spaced), text] : sections.with(at, text)
  writeFileSync(page, [head, ...written].join(''))
  return section
}

/** A section that is followed by another ends with an empty line. */
function spaced(section: string): string {
  return section.endsWith('\n\n') ? section : `${section}\n`
}

function commit(): string {
  return spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim()
}

function machine(): string {
  const load = loadavg()[0]?.toFixed(1) ?? 'unknown'
  return `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), load average ${load}, Linux ${release()}, Node ${process.version}`
}

export const thousands = (value: number) => Math.round(value).toLocaleString('en-US')
export const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
export const kb = (bytes: number) => `${thousands(bytes / 1024)} KB`
