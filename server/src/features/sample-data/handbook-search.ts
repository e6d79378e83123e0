import { addRoot, callModel, retrieve, type SampleMessage, sampleModels } from './sample-steps.ts'
import type { SampleError, SampleTrace } from './sample-trace.ts'

/*
 * Answers from a handbook: a retriever with its embedding, a reranker and one long cached prompt.
 * Occasionally the index is down, or the provider's content filter stops the answer.
 */

const questions = [
  'How many days of parental leave do I get?',
  'Who approves travel beyond 2,000 EUR?',
  'What do I do when I lose my badge?',
  'May I work from another country in summer?',
  'How do I report a security incident?',
  'When is the expense report due?',
] as const

const documents = [
  { id: 'handbook-4.2', text: 'Leave beyond the legal minimum is agreed with the team lead.' },
  { id: 'handbook-7.1', text: 'Travel above 2,000 EUR needs the approval of the head of unit.' },
  { id: 'handbook-2.9', text: 'Incidents are reported to security@… within the same day.' },
  { id: 'handbook-5.5', text: 'Work abroad is possible for 20 days a year within the EU.' },
]

const answers = [
  'The handbook says so in section 4.2: it is agreed with your team lead, beyond the legal minimum. [4.2]',
  'Your head of unit approves it; send the plan before you book. [7.1]',
  'Report it on the same day to the security team, who lock what has to be locked. [2.9]',
  'Yes, for up to 20 days a year within the EU. Tell your team lead beforehand. [5.5]',
] as const

const indexDown: SampleError = {
  type: 'ConnectionRefusedError',
  message: 'connect ECONNREFUSED 10.0.4.17:5432',
}
const filtered: SampleError = {
  type: 'content_filter',
  message: 'The answer was stopped by the content filter of the provider.',
}

export function handbookSearch(trace: SampleTrace): void {
  const { random } = trace
  const input = random.pick(questions)
  const root = trace.newSpanId()
  const toRoot = { spanId: root, name: 'answer from the handbook', input }
  if (random.chance(0.03)) {
    const toMs = random.whole(2_000, 6_000)
    trace.add({
      name: 'search the index',
      parent: root,
      fromMs: 5,
      toMs,
      error: indexDown,
      attributes: { 'gen_ai.operation.name': 'retrieval', 'gen_ai.retrieval.query.text': input },
    })
    trace.log({ span: root, atMs: toMs, level: 'fatal', text: 'the index is unreachable' })
    addRoot(trace, { ...toRoot, toMs: toMs + 3, error: indexDown })
    return
  }
  const tookMs = random.whole(120, 900)
  let atMs = retrieve(trace, { parent: root, fromMs: 5, query: input, documents, tookMs })
  atMs = rerank(trace, root, atMs, input)
  const error = random.chance(0.03) ? { error: filtered } : {}
  const output = random.pick(answers)
  const isRelevant = random.chance(0.7)
  atMs = callModel(trace, {
    parent: root,
    fromMs: atMs + 5,
    model: random.chance(0.75) ? sampleModels.flash : sampleModels.mistral,
    messages: toMessages(input),
    answer: { role: 'assistant', text: output },
    hiddenTokens: 5_200,
    ...(isRelevant ? { cached: 4_096 } : {}),
    ...error,
  })
  trace.log({
    span: root,
    atMs,
    level: 'info',
    text: 'answered from the handbook',
    attributes: { 'documents.read': documents.length, 'prompt.cached': isRelevant },
  })
  addRoot(trace, {
    ...toRoot,
    toMs: atMs + 4,
    output: 'error' in error ? undefined : output,
    ...error,
  })
}

function toMessages(question: string): readonly SampleMessage[] {
  const passages = documents.map(({ id, text }) => `[${id}] ${text}`).join('\n')
  return [
    { role: 'system', text: 'Answer from these passages only and name their section.' },
    { role: 'user', text: `${passages}\n\nQuestion: ${question}` },
  ]
}

function rerank(trace: SampleTrace, parent: string, atMs: number, query: string): number {
  const toMs = atMs + trace.random.whole(60, 240)
  trace.add({
    name: 'rerank passages',
    parent,
    fromMs: atMs + 3,
    toMs,
    attributes: {
      'openinference.span.kind': 'RERANKER',
      'input.value': query,
      'output.value': JSON.stringify(documents.slice(0, 2).map(({ id }) => id)),
      'reranker.top_k': 2,
    },
  })
  return toMs
}
