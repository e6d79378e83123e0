import { catalogImport } from './catalog-import.ts'
import { codeReview } from './code-review.ts'
import { feedbackDigest } from './feedback-digest.ts'
import { handbookSearch } from './handbook-search.ts'
import { marketResearch } from './market-research.ts'
import { plannedRuns } from './planned-runs.ts'
import { randomFrom } from './random.ts'
import { newSampleTrace, type SampleApp, type SampleTrace } from './sample-trace.ts'
import { supportDesk } from './support-desk.ts'

const scenarios: Readonly<Record<SampleApp, (trace: SampleTrace) => void>> = {
  'support-desk': supportDesk,
  'handbook-search': handbookSearch,
  'code-review': codeReview,
  'market-research': marketResearch,
  'feedback-digest': feedbackDigest,
  'catalog-import': catalogImport,
}

/** Builds the traces of the planned runs from index `from` up to, but not including, `to`. */
export function buildSampleTraces(nowMs: number, from = 0, to?: number): readonly SampleTrace[] {
  return plannedRuns(nowMs)
    .slice(from, to)
    .map((run) => {
      const trace = newSampleTrace(run, randomFrom(run.seed))
      scenarios[run.service](trace)
      return trace
    })
}
