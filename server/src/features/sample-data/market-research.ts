import {
  addRoot,
  callModel,
  callTool,
  type SampleMessage,
  type SampleModel,
  sampleModels,
} from './sample-steps.ts'
import type { SampleError, SampleTrace } from './sample-trace.ts'

/*
 * A lead that delegates questions to several concurrent researchers, each with its own model and tools over
 * the Model Context Protocol; a writer combines their notes.
 */

const subjects = [
  'home batteries',
  'oat milk',
  'e-bikes',
  'smart thermostats',
  'meal kits',
] as const

const angles = ['prices', 'competitors', 'regulation', 'reviews'] as const

const blocked: SampleError = { type: 'HttpError', message: '403 Forbidden: robots are not welcome' }

export function marketResearch(trace: SampleTrace): void {
  const { random, run } = trace
  const input = `Write half a page about the market for ${random.pick(subjects)}.`
  const root = trace.newSpanId()
  const task: SampleMessage = { role: 'user', text: input }
  const plan: SampleMessage = {
    role: 'assistant',
    text: `I ask about ${angles.join(', ')} and put the answers together.`,
  }
  const lead = { parent: root, model: sampleModels.large, hiddenTokens: 620 }
  const plannedMs = callModel(trace, {
    ...lead,
    fromMs: 15,
    messages: [task],
    answer: plan,
    reasoning: random.whole(100, 600),
  })
  const selected = run.version === '1.9.0' ? angles : angles.slice(0, 3)
  const ends = selected.map((angle) => research(trace, root, plannedMs + 10, angle, input))
  const output = `The market grows slowly, and prices fall. ${selected
    .map((angle) => `On ${angle}: the sources agree more than they differ.`)
    .join(' ')}`
  const toMs = callModel(trace, {
    ...lead,
    fromMs: Math.max(...ends) + 12,
    messages: [task, plan, { role: 'user', text: 'Notes of the researchers: …' }],
    answer: { role: 'assistant', text: output },
    hiddenTokens: 7_800,
    reasoning: random.whole(300, 2_000),
  })
  addRoot(trace, {
    ...{ spanId: root, name: 'invoke_agent research lead', agent: 'research lead' },
    ...{ toMs: toMs + 8, input, output },
  })
}

/** Returns the end of one researcher's work. */
function research(
  trace: SampleTrace,
  root: string,
  fromMs: number,
  angle: string,
  input: string,
): number {
  const { random } = trace
  const agent = trace.newSpanId()
  const messages: SampleMessage[] = [
    { role: 'system', text: `You research ${angle}. Cite what you read.` },
    { role: 'user', text: input },
  ]
  const model = random.pick<SampleModel>([
    sampleModels.sonnet,
    sampleModels.flash,
    sampleModels.mistral,
  ])
  let atMs = fromMs + 4
  const pages = random.whole(1, 4)
  for (let page = 0; page < pages; page += 1) {
    const call = {
      id: `call_${page}`,
      name: page === 0 ? 'web_search' : 'read_page',
      arguments: page === 0 ? { query: `${angle} 2026` } : { page },
    }
    const answer: SampleMessage = { role: 'assistant', calls: [call] }
    const selected = { parent: agent, fromMs: atMs, model, messages, answer }
    atMs = callModel(trace, { ...selected, hiddenTokens: 500 + 1_900 * page })
    const tookMs = random.whole(300, 2_600)
    const isBlocked = page > 0 && random.chance(0.1)
    callTool(trace, {
      ...{ parent: agent, fromMs: atMs + 3, call, tookMs, isMcp: true },
      ...(isBlocked ? { error: blocked } : { result: { results: random.whole(3, 9) } }),
    })
    atMs += tookMs + 5
  }
  const output = `Notes on ${angle}: three sources, of which two agree.`
  const answer: SampleMessage = { role: 'assistant', text: output }
  const selected = { parent: agent, fromMs: atMs, model, messages, answer }
  const toMs = callModel(trace, { ...selected, hiddenTokens: 4_400 }) + 3
  trace.add({
    ...{ spanId: agent, parent: root, name: 'invoke_agent researcher', fromMs, toMs },
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': `researcher of ${angle}`,
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'text', content: output }] },
      ]),
    },
  })
  trace.log({ span: agent, atMs: toMs, level: 'info', text: `notes on ${angle} are ready` })
  return toMs
}
