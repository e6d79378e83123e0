import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './markdown-table.ts'

/*
 * The page of recorded clients, printed from the expected values of their recordings.
 */

const recordings = join(import.meta.dirname, '../server/src/features/ingest-otlp/fixtures')

interface Expected {
  /** The recorded client and its versions. */
  readonly client: string
  /** The libraries that send, where the scope of the root is another or has no version. */
  readonly instrumentation?: readonly string[]
  /** What the client itself does not send. */
  readonly leavesOut?: readonly string[]
  readonly spans: readonly {
    readonly kind: string
    readonly tokens: Readonly<Record<string, number | null>> | null
    readonly costUsd: number | null
    readonly input: unknown
    readonly output: unknown
  }[]
  readonly traces: readonly {
    readonly sdk: string | null
    readonly sessionId: string | null
    readonly userId: string | null
  }[]
}

export function clientsPage(): string {
  const clients = globSync('*.expected.json', { cwd: recordings })
    .map((file) => JSON.parse(readFileSync(join(recordings, file), 'utf8')) as Expected)
    .sort((a, b) => (a.client.toLowerCase() < b.client.toLowerCase() ? -1 : 1))
  return [
    `These ${clients.length} set-ups are recorded: each client had a conversation with a model provider whose counts and texts are known, and its export is a test. What the third column names is read as the provider counted it and as it was said, once for each call, apart from what the client itself leaves out or sends wrong.`,
    table(
      ['Client', 'Instrumentation', 'Read from it', 'Left out by the client, or sent wrong'],
      clients.map((each) => [
        each.client,
        listInstrumentations(each),
        listFacts(each).join(', '),
        each.leavesOut?.join('; ') ?? '',
      ]),
    ),
  ].join('\n\n')
}

function listInstrumentations({ instrumentation, traces }: Expected): string {
  const scopes = traces.map(({ sdk }) => sdk).filter((sdk) => sdk !== null)
  const names = new Set(instrumentation ?? scopes)
  return [...names].map((name) => `\`${name}\``).join(', ')
}

function listFacts({ spans, traces }: Expected): readonly string[] {
  const hasKind = (...kinds: readonly string[]) => spans.some(({ kind }) => kinds.includes(kind))
  const hasCount = (count: string) => spans.some(({ tokens }) => (tokens?.[count] ?? 0) > 0)
  const calls = spans.filter(({ kind }) => kind === 'llm')
  const facts = {
    'model calls': hasKind('llm'),
    embeddings: hasKind('embedding'),
    tools: hasKind('tool', 'mcp'),
    agents: hasKind('agent'),
    messages: calls.some(({ input, output }) => (input ?? output ?? null) !== null),
    tokens: hasCount('in'),
    'cache reads': hasCount('cacheRead'),
    'cache writes': hasCount('cacheWrite'),
    reasoning: hasCount('reasoning'),
    cost: spans.some(({ costUsd }) => costUsd !== null),
    session: traces.some(({ sessionId }) => sessionId !== null),
    user: traces.some(({ userId }) => userId !== null),
  }
  return Object.entries(facts).flatMap(([fact, isRead]) => (isRead ? [fact] : []))
}
