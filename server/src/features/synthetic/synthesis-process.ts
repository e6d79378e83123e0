import { buildBlueprint } from '../../blueprint/build-blueprint.ts'
import { renderBlueprint } from '../../blueprint/render-markdown.ts'
import { serveCalls } from '../../platform/deadline-process.ts'
import { runBelowMainThread } from '../../platform/thread-priority.ts'
import { readSource } from './read-source.ts'
import type { SynthesisOutput, SynthesisTask } from './source-reader.ts'

/*
 * The entry point of the process that reads sources, and answers of models about them: both are untrusted.
 */

runBelowMainThread()
serveCalls(async (task: SynthesisTask): Promise<SynthesisOutput> => {
  if ('source' in task) return { read: readSource(task.source) }
  const built = await buildBlueprint(task.answer)
  return { built: built && { ...built, markdown: renderBlueprint(built.blueprint) } }
})
