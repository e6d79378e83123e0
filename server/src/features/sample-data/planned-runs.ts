import { type Random, randomFrom } from './random.ts'
import type { Run, SampleApp } from './sample-trace.ts'

/*
 * The schedule of the runs over the last seven days: more by day than by night, conversations of several
 * turns, and a new version that reaches staging first and production in the middle of the week.
 */

export const traceCount = 400
export const sampleDays = 7

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** All runs have ended by now. */
const newestMs = 6 * minuteMs

const apps = [
  ...Array.from({ length: 8 }, () => 'support-desk' as const),
  ...Array.from({ length: 5 }, () => 'handbook-search' as const),
  ...Array.from({ length: 3 }, () => 'code-review' as const),
  'market-research',
  'feedback-digest',
] as const

const people = ['ana', 'ben', 'chloe', 'david', 'emma', 'farid', 'greta', 'hugo', 'iris'] as const

/** Ordered by start; always the same runs, relative to `nowMs`. */
export function plannedRuns(nowMs: number): readonly Run[] {
  const random = randomFrom(1_042)
  const runs: Run[] = []
  while (runs.length < traceCount - 1) {
    const agoMs = random.whole(newestMs, sampleDays * dayMs - hourMs)
    if (!isAwake(agoMs, random)) continue
    const app = apps[random.whole(0, apps.length - 1)] ?? 'support-desk'
    const turns = app === 'support-desk' ? random.whole(1, 5) : 1
    const version = versionAt(agoMs, random)
    const shared = { service: app, userId: `${random.pick(people)}@example.com`, ...version }
    const sessionId = `${app}-${random.hex(8)}`
    let startMs = nowMs - agoMs
    for (let turn = 0; turn < turns && runs.length < traceCount - 1; turn += 1) {
      if (startMs > nowMs - newestMs) break
      const seed = runs.length + 1
      runs.push({ ...shared, seed, startMs, sessionId, turn, tags: toTags(app, version, random) })
      startMs += random.whole(40_000, 4 * minuteMs)
    }
  }
  return [...runs, importAt(nowMs - 3 * hourMs)].sort((a, b) => a.startMs - b.startMs)
}

function importAt(startMs: number): Run {
  return {
    seed: traceCount,
    startMs,
    service: 'catalog-import',
    version: '1.9.0',
    environment: 'production',
    sessionId: 'nightly-import',
    userId: 'scheduler',
    turn: 0,
    tags: ['batch', 'catalog'],
  }
}

/** By the hour before now instead of the hour of day: the user's time zone is unknown. */
function isAwake(agoMs: number, random: Random): boolean {
  const part = (1 + Math.cos((2 * Math.PI * (agoMs % dayMs)) / dayMs)) / 2
  return random.chance(0.15 + 0.85 * part)
}

function versionAt(agoMs: number, random: Random): Pick<Run, 'version' | 'environment'> {
  const environment = random.chance(0.2) ? 'staging' : 'production'
  const switchedMs = environment === 'staging' ? 5 * dayMs : 3 * dayMs
  return { environment, version: agoMs < switchedMs ? '1.9.0' : '1.8.0' }
}

const tagsByApp: Readonly<Record<SampleApp, readonly string[]>> = {
  'support-desk': ['support', 'customers'],
  'handbook-search': ['rag'],
  'code-review': ['engineering'],
  'market-research': ['research', 'multi-agent'],
  'feedback-digest': ['customers'],
  'catalog-import': ['batch', 'catalog'],
}

function toTags(
  app: SampleApp,
  { version }: Pick<Run, 'version'>,
  random: Random,
): readonly string[] {
  const own = tagsByApp[app]
  return random.chance(0.1) ? [...own, `v${version}`, 'watch'] : [...own, `v${version}`]
}
