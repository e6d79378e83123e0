import { openLog } from '../../../platform/log.ts'
import { openTelemetry } from '../engines.ts'
import { span } from '../port/samples.ts'

/*
 * A process that records and prints what has been acknowledged until it is killed. Arguments: the data
 * folder, and a prefix for its ids.
 */

const [dataDir = '', prefix = ''] = process.argv.slice(2)

const store = await openTelemetry({
  engine: 'sqlite',
  dataDir,
  log: openLog('error', (line) => process.stderr.write(line)),
  onFatal(error) {
    throw error
  },
})

await Promise.all(Array.from({ length: 8 }, (_, client) => recordUntilKilled(client)))

async function recordUntilKilled(client: number): Promise<never> {
  for (let round = 0; ; round += 1) {
    // Two new spans in a trace that all rounds share, and one that every round replaces.
    const own = [`${prefix}-${client}-${round}-a`, `${prefix}-${client}-${round}-b`]
    const spans = [...own, `replaced-${client}`].map((id) =>
      span(id, {
        traceId: `trace-${round % 7}`,
        tokensIn: round,
        costUsd: 0.1,
        name: `round ${round}`,
      }),
    )
    await store.record({ projectId: 'project', source: 'otlp', spans: store.encode(spans) })
    process.stdout.write(`${own.join('\n')}\n`)
  }
}
