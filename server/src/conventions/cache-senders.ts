/*
 * Senders of which recordings show whether their input includes cache reads and writes. Where one is listed, no total
 * and no habit of its convention counts: some of these totals are the sum of an input and an output without the cache,
 * others leave the total out.
 */

export interface CacheSender {
  /** The instrumentation scope. */
  readonly scope: string
  /** Of the spans that this is about; all of the scope by default. */
  readonly spanNames?: RegExp
  readonly isCacheApart: boolean
  /** In features/ingest-otlp/fixtures. */
  readonly recording: string
}

export const cacheSenders: readonly CacheSender[] = [
  {
    scope: 'openinference.instrumentation.langchain',
    isCacheApart: false,
    recording: 'openinference-langchain-anthropic',
  },
  {
    scope: 'openinference.instrumentation.bedrock',
    spanNames: /^bedrock\.invoke_model/,
    isCacheApart: false,
    recording: 'openinference-bedrock-invoke',
  },
  {
    scope: 'opentelemetry.instrumentation.botocore.bedrock-runtime',
    isCacheApart: true,
    recording: 'otel-botocore',
  },
  {
    scope: 'opentelemetry.instrumentation.bedrock',
    isCacheApart: true,
    recording: 'openllmetry-bedrock-converse',
  },
  {
    scope: '@traceloop/instrumentation-anthropic',
    isCacheApart: true,
    recording: 'openllmetry-anthropic-javascript',
  },
  {
    scope: 'openlit.instrumentation.anthropic',
    isCacheApart: true,
    recording: 'openlit-anthropic',
  },
]

const byScope = Map.groupBy(cacheSenders, ({ scope }) => scope)

/** Whether the sender counts the cache beside the input; undefined for one that is not listed. */
export function isCacheApart(scope: string, spanName: string): boolean | undefined {
  return byScope.get(scope)?.find(({ spanNames }) => spanNames?.test(spanName) ?? true)
    ?.isCacheApart
}
