import { countTokens } from '../../cost-estimate/count-tokens.ts'
import type { ReadSpan, ViewedTrace } from '../../domain/trace-view/build-trace-view.ts'
import { serveCalls } from '../../platform/deadline-process.ts'
import { runBelowMainThread } from '../../platform/thread-priority.ts'
import { readRun } from './read-run.ts'
import type { RunFacts } from './run-facts.ts'

/*
 * The entry point of the process that reads recorded runs: they are large, and their content is untrusted.
 */

const decoder = new TextDecoder()

runBelowMainThread()
/** `pages`: the spans of the trace in the JSON of the API, a list for each page. */
serveCalls(async (trace: ViewedTrace, pages): Promise<RunFacts> => {
  const spans = pages.flatMap((page) => JSON.parse(decoder.decode(page)) as ReadSpan[])
  return readRun(trace, spans, countTokens)
})
